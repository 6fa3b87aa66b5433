import type { ReadOption } from './read-options.ts';

/** What is legal but probably not meant. */
export function warningsOf(output: readonly ReadOption[], twoPass: boolean): readonly string[] {
  const warnings: string[] = [];
  const has = (key: string): boolean => output.some((option) => option.key === key);
  if (has('t') && has('to')) warnings.push('"t" and "to" both say where the output ends; ffmpeg goes by "t".');
  if (twoPass && output.some(({ name, values }) => name.name === 'c' && values.includes('libx265')))
    warnings.push('libx265 does not take part in "pass": its passes are set by "x265-params".');
  return warnings;
}
