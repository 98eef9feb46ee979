/** Returns the name of the package of the module at a path; undefined for a module of this package. */
export function packageOf(path) {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll("\\", "/"))?.[1];
}
