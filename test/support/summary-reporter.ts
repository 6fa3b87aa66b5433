import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What one run of vitest came to. Times in ms. */
export interface RunSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedTests: readonly string[];
  /** Tests that failed, were run again, and passed. */
  readonly retriedTests: readonly string[];
  readonly slowestFiles: readonly { readonly file: string; readonly ms: number }[];
}

/** The line of the output that has the summary begins with it. */
export const SUMMARY_MARK = 'test-summary: ';

const SLOWEST = 10;

/** Prints a summary of the run for `npm run test:all`, as JSON on a line of its own. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const nameOf = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`;
    const unloaded = modules.filter((module) => module.errors().length > 0);
    const summary: RunSummary = {
      passed: count('passed'),
      failed: count('failed') + unloaded.length + errors.length,
      skipped: count('skipped'),
      failedTests: [
        ...tests.filter((test) => test.result().state === 'failed').map(nameOf),
        ...unloaded.map((module) => `${module.relativeModuleId}: could not be loaded`),
      ],
      retriedTests: tests.filter((test) => test.diagnostic()?.flaky === true).map(nameOf),
      slowestFiles: modules
        .map((module) => ({ file: module.relativeModuleId, ms: Math.round(module.diagnostic().duration) }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST),
    };
    console.log(`\n${SUMMARY_MARK}${JSON.stringify(summary)}`);
  }
}
