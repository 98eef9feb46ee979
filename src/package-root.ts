/** The folder of this package. Every form of this file, source, compiled or bundled, lies one folder below it. */
export const packageRoot: URL = new URL("../", import.meta.url);
