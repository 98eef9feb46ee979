/** Acts with variables set for the sandboxes of this process and of those below it. */
export async function withVariables<Result>(
  variables: Readonly<Record<string, string>>,
  act: () => Promise<Result>,
): Promise<Result> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await act();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
