import { networkInterfaces } from "node:os";

/** Whether this machine has an IPv6 loopback, which containers may lack. */
export const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((network) => network?.address === "::1");
