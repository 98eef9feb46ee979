import type { Connection } from "./service/service.ts";

/** A connection that the page offers without being asked. */
export interface KnownConnection extends Connection {
  readonly name: string;
}

const { OFFERING_SANDBOX_OFFERING_ID: offeringId } = import.meta.env;

/** The sandbox of the dev server, as either key sees it; none in the built page. */
export const sandboxConnections: readonly KnownConnection[] =
  offeringId === undefined
    ? []
    : [
        { name: "Marketing key", type: "marketing", baseUrl: "/api/v1", offeringId },
        { name: "Partner key", type: "partner", baseUrl: "/api/v1", offeringId },
      ];
