// Writes the generated files that are checked in but for the types, one after the other: some are made from others.
for (const name of [
  "fixtures",
  "fixture-schema",
  "assumptions",
  "config-schema",
  "scenario-schema",
  "scenarios",
  "openapi",
]) {
  await import(`./generate-${name}.js`);
}
