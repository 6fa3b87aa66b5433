import type { Worker } from '@telecine/client';

/** The measured speed of a worker against the estimates: `1.2× slower than estimated, from 35 jobs`. */
export function speedText({ ratio, jobs }: Pick<NonNullable<Worker['speeds']>[number], 'ratio' | 'jobs'>): string {
  const from = jobs === 1 ? 'from one job' : `from ${jobs} jobs`;
  const times = Number((ratio < 1 ? 1 / ratio : ratio).toPrecision(2));
  if (times === 1) return `as estimated, ${from}`;
  return `${times}× ${ratio < 1 ? 'faster' : 'slower'} than estimated, ${from}`;
}
