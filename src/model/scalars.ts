/*
 * Names for plain values in the public types. `npm run generate` gives each its constraints in the OpenAPI document of
 * the admin API.
 */

/** A UUID in lower case. */
export type Uuid = string;

/** A whole number from 0. */
export type Count = number;

/** The id of an environment: up to 64 letters, digits, `-` and `_`. */
export type EnvironmentId = string;
