import type { InSteps } from '../../packages/contract/src/domain/steps.ts';

/** Runs all steps at once, and returns the result. */
export function resultOf<T>(work: InSteps<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
