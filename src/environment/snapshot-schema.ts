import { z } from "zod";

/** The members of a snapshot that are looked at. The checksum tells that the others are as they were when it was made. */
export const snapshotSchema = z.looseObject({
  format: z.literal("offering-sandbox-environment"),
  version: z.literal(1),
  environment: z.string(),
  fixture: z.string(),
  seed: z.int(),
  checksum: z.string(),
});
