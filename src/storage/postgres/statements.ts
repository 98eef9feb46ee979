/** The version of the tables and of the documents in them. */
export const tableFormat = 1;

/** The milliseconds since a row was written, as an integer. */
const ageMs = `case when isfinite(e.written)
  then floor(extract(epoch from clock_timestamp() - e.written) * 1000)::float8 else 0 end as "ageMs"`;

/** The owner renews `expires_at` only occasionally, so an owned row counts as open. */
const isOpen = "(e.expires_at is null or e.expires_at > clock_timestamp() or e.owner is not null)";

const isEarlier = "owner = any($2::bigint[])";

const resumeWhere = (condition: string): string => `
update sandbox_environments set owner = case when id = any($3::text[]) then $1::bigint end
where ${condition} returning id, owner is not null as "isOurs"`;

/** All statements, each with its parameters in order. */
export const statements = {
  /** Creates the tables. Nothing indexes `owner` or `expires_at`: an index would make each write cost twice. */
  createTables: `
create table if not exists sandbox_meta (
  one boolean primary key default true check (one),
  format int not null,
  link_secret bytea not null
);
create table if not exists sandbox_environments (
  id text primary key,
  uid text not null,
  number bigserial,
  -- The id of a session; null if released.
  owner bigint,
  -- The first eight bytes of the SHA-256 of each secret and token.
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
`,

  /**
   * Sets the timeouts of a connection in milliseconds (0: none): $1 of a statement, $2 of its wait for a lock, $3 of a
   * session that sends nothing. Locks the session id $4, if it is not null. Releases the locks of an earlier client,
   * which a pooler may have left.
   */
  prepare: `
select pg_advisory_unlock_all(), set_config('search_path', '', false),
  set_config('default_transaction_isolation', 'read committed', false), set_config('statement_timeout', $1, false),
  set_config('lock_timeout', $2, false), set_config('idle_session_timeout', $3, false), pg_advisory_lock($4::bigint)`,

  /** $1 the schema, $2 the locked session id. Reads back the settings, the lock and the rights of a session. */
  check: `
with needed (kind, name, rights) as (values
  ('table', 'sandbox_meta', '{select}'::text[]),
  ('table', 'sandbox_environments', '{select,insert,update,delete}'),
  ('sequence', 'sandbox_environments_number_seq', '{usage}'),
  ('sequence', 'sandbox_ids', '{usage}')),
present as (
  select oid, needed.* from needed join pg_class on relname = name
  where relnamespace = (select oid from pg_namespace where nspname = $1)),
lacking as (
  select 'schema' as kind, format('%I', nspname) as name, 'usage' as rights from pg_namespace
  where nspname = $1 and not has_schema_privilege(oid, 'usage')
  union all
  select kind, format('%I.%I', $1::text, name), string_agg("right", ', ') from present, unnest(rights) as "right"
  where not case kind when 'table' then has_table_privilege(oid, "right") else has_sequence_privilege(oid, "right") end
  group by kind, name)
select pg_backend_pid() as pid, current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only') = 'on' as "isReadOnly",
  current_setting('search_path') = '' and current_setting('idle_session_timeout') <> '0' and exists (
    select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
      and (classid::bigint << 32 | objid::bigint) = $2::bigint) as "isPrepared",
  (select count(*) from present) = (select count(*) from needed) as "isCreated",
  array(select format('grant %s on %s %s to %I', rights, kind, name, current_user) from lacking) as grants`,

  /** A heartbeat of a session. Returns the id of its server process. */
  heartbeat: "select pg_backend_pid() as pid",

  meta: "select format, link_secret from sandbox_meta",

  /** $1 the format, $2 the secret of links. */
  addMeta: "insert into sandbox_meta (format, link_secret) values ($1, $2) on conflict do nothing",

  /**
   * $1 a pattern. Returns the application names of living sessions over this database. A pooler may preserve the names
   * of ended ones.
   */
  listSessionNames: `
select distinct application_name from pg_stat_activity join pg_locks using (pid)
where application_name like $1 and datname = current_database() and locktype = 'advisory'`,

  /**
   * $1 id, $2 uid, $3 own session id, $4 the session id of an owner that has been dead for `takeoverDelayMs`, or null,
   * $5 channel, $6 "want" or "end". Returns no row if the environment is deleted. If another session owns the row,
   * returns no document, but the owner and whether it is dead, and notifies the owner to release. A claim does not wait
   * for the disk: after a crash of PostgreSQL that loses it, `resume` finds out.
   */
  claim: `
with claimed as (
  update sandbox_environments e
  set owner = $3::bigint, traffic = case when e.owner is null or e.owner = $3::bigint then e.traffic end
  from (select set_config('synchronous_commit', 'off', true)) as unsynced
  where e.id = $1 and e.uid = $2 and ${isOpen}
    and (e.owner is null or e.owner = $3::bigint
      or e.owner = $4::bigint and pg_try_advisory_xact_lock_shared(e.owner))
  returning e.document, e.traffic, e.head, ${ageMs}
)
select c.*, e.owner::text as owner,
  c.document is null and e.owner is not null and pg_try_advisory_xact_lock_shared(e.owner) as "isDead",
  case when c.document is null then pg_notify($5, $6 || ' ' || e.id || ' ' || $3) end as asked
from sandbox_environments e left join claimed c on true
where e.id = $1 and e.uid = $2 and ${isOpen}`,

  /**
   * $1 id, $2 own session id, $3 channel, $4 document, $5 head, $6 keys, $7 lifetime in milliseconds or null, $8 the
   * age of $4 to $7 in milliseconds, $9 traffic or null. With traffic, releases the row, and does not wait for the
   * disk. Returns no row if another session owns it.
   */
  write: `
with written as (
  update sandbox_environments e
  set document = $4, head = $5::json, keys = $6::bigint[],
    written = clock_timestamp() - $8::float8 * interval '1 millisecond',
    expires_at = clock_timestamp() + ($7::float8 - $8::float8) * interval '1 millisecond',
    owner = case when $9::text is null then e.owner end, traffic = coalesce($9, e.traffic)
  from (select case when $9::text is not null then set_config('synchronous_commit', 'off', true) end) as unsynced
  where e.id = $1 and e.owner = $2::bigint
  returning e.id, e.owner
)
select case when owner is null then pg_notify($3, 'free ' || id) end from written`,

  /** $1 id, $2 own session id. Gives up an unused claim. */
  giveUp: "update sandbox_environments set owner = null where id = $1 and owner = $2::bigint",

  /** $1 session ids. Returns those of living sessions. */
  listLiving: `
select number::text from unnest($1::bigint[]) as number where not pg_try_advisory_xact_lock_shared(number)`,

  /** $1 own session id, $2 earlier ids of this process, $3 ids of environments to continue. Releases all others. */
  resume: resumeWhere(isEarlier),

  /** Like `resume`, without the rows that another client has locked: their owner stays a dead session. */
  resumeUnlocked: resumeWhere(`id in (select id from sandbox_environments where ${isEarlier} for update skip locked)`),

  /** Deletes expired rows: a released row at once, an owned row after one more minute and only if its owner is dead. */
  removeExpired: `
delete from sandbox_environments
where expires_at < clock_timestamp() and owner is null
  or expires_at < clock_timestamp() - interval '1 minute' and pg_try_advisory_xact_lock_shared(owner)`,

  /**
   * $1 id, $2 uid, $3 the maximum number of environments, $4 to $8 like those of `write`. Returns the name of a
   * refusal; null if the row was added now or by an earlier try.
   */
  add: `
with added as (
  insert into sandbox_environments as e (id, uid, document, head, keys, written, expires_at)
  select $1, $2, $4, $5::json, $6::bigint[], clock_timestamp() - $8::float8 * interval '1 millisecond',
    clock_timestamp() + ($7::float8 - $8::float8) * interval '1 millisecond'
  where (select count(*) from sandbox_environments where id <> $1) < $3::int
    and not exists (select from sandbox_environments where keys && $6::bigint[] and id <> $1)
  on conflict (id) do update set uid = excluded.uid where e.uid = excluded.uid
  returning e.id
)
select case
  when exists (select from added) then null
  when exists (select from sandbox_environments where id = $1) then 'id'
  when exists (select from sandbox_environments where keys && $6::bigint[] and id <> $1) then 'key'
  when (select count(*) from sandbox_environments) >= $3::int then 'capacity'
  -- Another process adds it at the same moment.
  else 'id' end as refusal`,

  /** $1 id, $2 uid. Not limited to the owner: a removal that was acknowledged must not depend on its session. */
  remove: "delete from sandbox_environments where id = $1 and uid = $2",

  /** $1 id, $2 the uid of the copy in this process, or null. Returns the document only if the uid differs. */
  find: `
select e.uid, e.head, case when e.uid = $2 then null else e.document end as document, ${ageMs}
from sandbox_environments e where e.id = $1 and ${isOpen}`,

  /** $1 id, $2 the first eight bytes of a token's hash. */
  findToken: `
select e.uid, e.keys @> array[$2::bigint] as "isIssued" from sandbox_environments e where e.id = $1 and ${isOpen}`,

  /** $1 the first eight bytes of a secret's hash. */
  findByKey: `select e.id from sandbox_environments e where e.keys @> array[$1::bigint] and ${isOpen}`,

  /** $1 id, $2 hashes of secrets. Returns another environment that has one. */
  findForeign: "select id from sandbox_environments where keys && $2::bigint[] and id <> $1 limit 1",

  /** The summaries of all environments, in the order of opening. */
  listHeads: `
select e.head, ${ageMs} from sandbox_environments e
where ${isOpen} and e.head ->> 'id' = e.id order by e.number`,

  listIds: `select e.id, e.uid from sandbox_environments e where ${isOpen} order by e.number`,

  /** $1 id. Not for the owner of the row, whose environment is newer than the row. */
  read: `
select e.document, e.traffic, e.head, ${ageMs} from sandbox_environments e where e.id = $1 and ${isOpen}`,

  nextId: "select 'e' || nextval('sandbox_ids') as id",
};
