// Writes every generated file that is checked in, one after the other: some are made from others.
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
