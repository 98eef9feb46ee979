import { defineConfig } from "vitest/config";
import config from "../vitest.config.ts";

/** The fast tests as Stryker runs them: in a process, because a thread cannot change its working directory. */
export default defineConfig({
  ...config,
  plugins: [{ name: "forks", configureVitest: ({ project }) => void (project.config.pool = "forks") }],
  test: { ...config.test, projects: config.test?.projects?.slice(0, 1) ?? [] },
});
