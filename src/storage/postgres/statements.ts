/** The version of the tables and of the documents in them. */
export const format = 1;

/** Creates the tables. Nothing indexes `owner` or `expires_at`: an index would make each write cost twice. */
export const createTables = `
create table if not exists sandbox_meta (
  one boolean primary key default true check (one),
  format int not null,
  link_secret bytea not null
);
create table if not exists sandbox_environments (
  id text primary key,
  uid text not null,
  number bigserial,
  -- The number of a session; null: released.
  owner bigint,
  -- The first eight bytes of the SHA-256 of each secret.
  keys bigint[] not null,
  head json not null,
  document text not null,
  -- Journal, limits and counts, written by a release.
  traffic text,
  written timestamptz not null default clock_timestamp(),
  expires_at timestamptz
);
create index if not exists sandbox_environments_keys
  on sandbox_environments using gin (keys) with (fastupdate = off);
create sequence if not exists sandbox_ids;
`;

/** The lock under which tables are created: any number that other programs are unlikely to take. */
export const creationLock = "7302894518240557";

/** A claim may be lost with a crash of PostgreSQL, which `resume` then sees: it need not wait for the disk. */
const unsynced = "set_config('synchronous_commit', 'off', true)";

/** Whole milliseconds since a row was written. */
const age = "floor(extract(epoch from clock_timestamp() - written) * 1000)::float8";

/** Who owns a row extends its lifetime only now and then. */
const isOpen = "(expires_at is null or expires_at > clock_timestamp() or owner is not null)";

/**
 * $1 id, $2 uid, $3 own number, $4 the number of an owner seen dead for long enough, or null, $5 channel. Returns no
 * row if the environment is gone; without a document, the owner, and whether it is dead: it was asked to release.
 */
export const claim = `
with claimed as (
  update sandbox_environments e
  set owner = $3::bigint, traffic = case when e.owner is null or e.owner = $3::bigint then e.traffic end
  from (select ${unsynced}) as unsynced
  where e.id = $1 and e.uid = $2 and ${isOpen.replace(/(?=expires_at|owner)/g, "e.")}
    and (e.owner is null or e.owner = $3::bigint
      or e.owner = $4::bigint and pg_try_advisory_xact_lock_shared(e.owner))
  returning e.id, e.document, e.traffic, e.head, ${age.replace("written", "e.written")} as age
)
select c.document, c.traffic, c.head, c.age, o.owner::text as owner,
  c.id is null and o.owner is not null and pg_try_advisory_xact_lock_shared(o.owner) as "isDead",
  case when c.id is null then pg_notify($5, 'want ' || o.id || ' ' || $3) end as asked
from sandbox_environments o left join claimed c on true
where o.id = $1 and o.uid = $2 and ${isOpen.replace(/(?=expires_at|owner)/g, "o.")}`;

/** $1 id, $2 own number, $3 channel, $4 document, $5 head, $6 keys, $7 lifetime in milliseconds or null, $8 traffic. */
export const release = `
with released as (
  update sandbox_environments e
  set owner = null, document = $4, head = $5::json, keys = $6::bigint[], traffic = $8, written = clock_timestamp(),
    expires_at = clock_timestamp() + $7::float8 * interval '1 millisecond'
  from (select ${unsynced}) as unsynced
  where e.id = $1 and e.owner = $2::bigint
  returning e.id
)
select pg_notify($3, 'free ' || id) from released`;

/** $1 id, $2 own number, $3 channel. Gives up a claim without any use of it. */
export const giveUp = `
with released as (
  update sandbox_environments set owner = null where id = $1 and owner = $2::bigint returning id
)
select pg_notify($3, 'free ' || id) from released`;

/** $1 own number, $2 earlier numbers, $3 ids of environments to go on with: all others are released. */
export const resume = `
update sandbox_environments set owner = case when id = any($3::text[]) then $1::bigint end
where owner = any($2::bigint[]) returning id, owner is not null as "isOurs"`;

/** $1 own number; lists of $2 ids, $3 documents, $4 heads, $5 keys as text, $6 lifetimes. Returns the ids written. */
export const write = `
update sandbox_environments e
set document = v.document, head = v.head::json, keys = v.keys::bigint[], written = clock_timestamp(),
  expires_at = clock_timestamp() + v.lifetime * interval '1 millisecond'
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::float8[]) as v(id, document, head, keys, lifetime)
where e.id = v.id and e.owner = $1::bigint
  -- A forged snapshot has the secret of another environment.
  and not exists (select from sandbox_environments o where o.id <> e.id and o.keys && v.keys::bigint[])
returning e.id`;

/** $1 own number; lists of $2 ids, $3 lifetimes: environments that requests have used. */
export const extend = `
update sandbox_environments e set expires_at = clock_timestamp() + v.lifetime * interval '1 millisecond'
from unnest($2::text[], $3::float8[]) as v(id, lifetime)
where e.id = v.id and e.owner = $1::bigint`;

/** An owner that is gone for longer than this, in minutes, does not extend a lifetime any more. */
export const removeExpired = `
delete from sandbox_environments
where expires_at < clock_timestamp() and owner is null
  or expires_at < clock_timestamp() - interval '1 minute' and pg_try_advisory_xact_lock_shared(owner)`;

/**
 * $1 id, $2 uid, $3 document, $4 head, $5 keys, $6 lifetime, $7 maximum number. Says whether it was added, also by an
 * earlier try, and otherwise why not.
 */
export const add = `
with added as (
  insert into sandbox_environments as e (id, uid, document, head, keys, expires_at)
  select $1, $2, $3, $4::json, $5::bigint[], clock_timestamp() + $6::float8 * interval '1 millisecond'
  where (select count(*) from sandbox_environments where id <> $1) < $7::int
    and not exists (select from sandbox_environments where keys && $5::bigint[] and id <> $1)
  on conflict (id) do update set uid = excluded.uid where e.uid = excluded.uid
  returning e.id
)
select exists (select from added) as "isAdded",
  exists (select from sandbox_environments where id = $1) as "isTaken",
  exists (select from sandbox_environments where keys && $5::bigint[] and id <> $1) as "hasKey"`;

/** $1 id, $2 uid. Not by the owner: what was acknowledged holds over a lost session. */
export const remove = "delete from sandbox_environments where id = $1 and uid = $2";

/** $1 id, $2 the uid known here, or null. Returns the document only of another uid. */
export const find = `
select uid, head, case when uid = $2 then null else document end as document, ${age} as age
from sandbox_environments where id = $1 and ${isOpen}`;

/** $1 the first bytes of a secret's hash. */
export const findByKey = `select id from sandbox_environments where keys @> array[$1::bigint] and ${isOpen}`;

/** In the order of their opening. */
export const listHeads = `select head, ${age} as age from sandbox_environments where ${isOpen} order by number`;

export const listDocuments = `
select id, uid, document, traffic, head, ${age} as age from sandbox_environments where ${isOpen} order by number`;

export const nextId = "select 'e' || nextval('sandbox_ids') as id";
