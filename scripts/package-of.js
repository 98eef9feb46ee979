/** Returns the name of the package that the module at a path belongs to; undefined for this package's own modules. */
export function packageOf(path) {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll("\\", "/"))?.[1];
}
