// Writes everything that is generated and checked in, one after the other: some of it is made from what was written before.
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
