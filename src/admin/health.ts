import type { RequestHandler } from "express";

/** `GET /__admin/health`: that it runs, which version, for how long. Anyone may ask. */
export function health(version: string): RequestHandler {
  return (_request, response) => {
    response.json({ status: "ok", version, uptime_seconds: Math.floor(process.uptime()) });
  };
}
