import type { RequestHandler } from "express";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { HttpError } from "../errors/http-error.ts";
import { codeOf } from "../validation/errors.ts";
import { packageRoot } from "../package.ts";

/** Only allows the page's own files and server; text cannot become HTML or a program. */
const contentSecurityPolicy = [
  "default-src 'none'",
  ...["script-src", "style-src", "connect-src", "img-src"].map((kind) => `${kind} 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((kind) => `${kind} 'none'`),
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "Content-Security-Policy": contentSecurityPolicy,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const folder = new URL("dist/portal/", packageRoot);

/** Serves the page of the portal, and its files, which are named by their content. They contain no sandbox data. */
export const servePortal: RequestHandler<{ file?: string }> = async (request, res) => {
  const { file } = request.params;
  if (file !== undefined && !/^[\w-]+\.(?:js|css|svg)$/.test(file)) throw assetNotFound();
  const name = file ?? "index.html";
  const cacheControl = file === undefined ? "no-cache" : "public, max-age=31536000, immutable";
  const content = await readFile(new URL(name, folder)).catch((error: unknown) => {
    throw codeOf(error) === "ENOENT" ? assetNotFound(name) : error;
  });
  res
    .set({ ...pageHeaders, "Cache-Control": cacheControl })
    .vary("Accept-Encoding")
    .type(name.slice(name.lastIndexOf(".")));
  if (request.acceptsEncodings("gzip", "identity") !== "gzip") return void res.send(content);
  res.set("Content-Encoding", "gzip").send(await compress(content, { level: constants.Z_BEST_COMPRESSION }));
};

const compress = promisify(gzip);

function assetNotFound(name?: string): HttpError {
  const detail =
    name === "index.html"
      ? "The portal is not built; npm run build does."
      : "The portal has no such file. Reload the page: this sandbox may be of another version.";
  return new HttpError("path_not_found", { detail });
}
