import "./generate-fixtures.js";
import "./generate-fixture-schema.js";
import "./generate-assumptions.js";
import "./generate-config-schema.js";
import "./generate-openapi.js";
