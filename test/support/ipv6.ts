import { networkInterfaces } from "node:os";

/** Whether this machine has a loopback of IPv6: containers may have none. */
export const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === "::1");
