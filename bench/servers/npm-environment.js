/** The environment of an npm that is no part of the `npm run` which started us. */
export function npmEnvironment(extra = {}) {
  const ours =
    /^(npm_(package|lifecycle)_|npm_config_(local_prefix|prefix|cache)$|npm_(command|execpath|node_execpath)$|INIT_CWD$)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}
