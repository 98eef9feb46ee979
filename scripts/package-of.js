/** The name of the package that the module at this path is of; undefined for a module of ours. */
export function packageOf(path) {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll("\\", "/"))?.[1];
}
