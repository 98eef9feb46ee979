import { z } from "zod";

/** The members of a snapshot that are checked by shape; the checksum protects the others. Apart, because zod loads late. */
export const snapshotSchema = z.looseObject({
  format: z.literal("offering-sandbox-environment"),
  version: z.literal(1),
  environment: z.string(),
  fixture: z.string(),
  seed: z.int(),
  checksum: z.string(),
});
