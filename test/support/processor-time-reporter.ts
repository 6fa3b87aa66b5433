import type { Reporter, TestModule } from 'vitest/node';
import type { ProcessorTime } from './processor-time.ts';

/** How many files are named. */
const MOST = 12;

const total = ({ own, programs }: ProcessorTime): number => own + programs;

/**
 * Prints how much processor time the run took, and which files took most of it. `npm test` is bound by the processors, so this says, and
 * the time on a clock does not, whether a change makes it slower.
 */
export default class ProcessorTimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.flatMap((module) => {
      const { processorTime } = module.meta();
      return processorTime === undefined ? [] : [{ module, processorTime }];
    });
    const showsAll = process.env['TELECINE_TEST_TIMES'] === 'all';
    // A person who runs few files looks at their tests.
    if (files.length <= MOST && !showsAll) return;
    const sum = (part: (time: ProcessorTime) => number): string =>
      files.reduce((all, { processorTime }) => all + part(processorTime), 0).toFixed(0);
    console.log(
      `\nProcessor time: ${sum(total)} s, ${sum(({ programs }) => programs)} s of it by programs. Most of it:`,
    );
    const shown = showsAll ? files.length : MOST;
    for (const { module, processorTime } of files
      .toSorted((a, b) => total(b.processorTime) - total(a.processorTime))
      .slice(0, shown)) {
      const { own, programs } = processorTime;
      console.log(
        `${total(processorTime).toFixed(1).padStart(7)} s (tests ${own.toFixed(1)}, programs ${programs.toFixed(1)})  ${module.relativeModuleId}`,
      );
    }
  }
}
