/** That it runs, which version, for how long. Anyone may ask. */
export interface Health {
  readonly status: "ok";
  readonly version: string;
  readonly uptime_seconds: number;
}

export function health(version: string): Health {
  return { status: "ok", version, uptime_seconds: Math.floor(process.uptime()) };
}
