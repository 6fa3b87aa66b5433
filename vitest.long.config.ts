import { matchesGlob } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { LONG_FILES } from './test/support/long-files.ts';
import { PROJECTS } from './vitest.config.ts';

/** The test files that `npm test` leaves out, each in its project: `npm run test:long`. */
export default defineConfig({
  test: {
    projects: PROJECTS.flatMap(({ test, ...rest }) => {
      const include = LONG_FILES.filter((file) => test.include.some((pattern) => matchesGlob(file, pattern)));
      return include.length === 0 ? [] : [{ ...rest, test: { ...test, include, exclude: configDefaults.exclude } }];
    }),
  },
});
