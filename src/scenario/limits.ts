/** How many steps a scenario may play in all its repetitions: enough for a busy week, and done in seconds. */
export const mostPlayedSteps = 50_000;
