/*
 * Names for plain values in the public types. The OpenAPI document of the admin API has the constraints of each, which
 * are in `scripts/admin-openapi/components.ts`.
 */

/** A UUID in lower case. */
export type Uuid = string;

/** An integer, 0 or more. */
export type Count = number;

/** The id of an environment: up to 64 letters, digits, `-` and `_`. */
export type EnvironmentId = string;
