import type { JsonObject } from "./openapi-types.ts";

/** How requests carry a key (section 5). */
export const securityScheme: JsonObject = {
  type: "http",
  scheme: "bearer",
  description: [
    "`Authorization: Bearer <API_KEY>`. A key is scoped to one offering (section 5).",
    "With a Marketing API key the personal data of investors is redacted, and phone_number is included on signing parties.",
    "With a Partner API key the personal data of investors is included, and phone_number is omitted from signing parties.",
  ].join("\n\n"),
  "x-assumptions": ["auth.scheme", "auth.partner_data"],
};
