import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type ArgvOption, lastValue, readTrim } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

const seconds = (value: number): string => String(Number(value.toFixed(6)));

/**
 * Warns about `to` of the output beside `ss` of an input: ffmpeg counts it from the start of the output, which is at `ss`,
 * so it is a duration. People mean a position in the input if it is after `ss`.
 */
export function endAfterSeek(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const to = options.find(({ key }) => key === 'to');
  const { start: ownStart, duration, end } = readTrim(options);
  // With `copyts`, the times of the input go on in the output.
  if (to === undefined || end === undefined || duration !== undefined || ownStart !== undefined) return [];
  if (options.some(({ key }) => key === 'copyts')) return [];
  const starts = new Set(inputs.flatMap((input) => lastValue('ss', input.options) ?? []));
  const input = inputs.find((one) => lastValue('ss', one.options) !== undefined);
  const trim = readTrim(input?.options ?? []);
  if (input === undefined || starts.size !== 1 || trim.start === undefined || trim.start <= 0) return [];
  if (trim.duration !== undefined || trim.end !== undefined || end <= trim.start) return [];
  const { path } = input.source;
  return [
    {
      field: to.field,
      code: 'UNUSUAL_VALUE',
      message: `"to" counts from the start of the output, which is at ${seconds(trim.start)} s of "${path}" (its "ss"), so the output ends at ${seconds(trim.start + end)} s of it. For a duration, send "t".`,
      fix: sendOption('t', seconds(end - trim.start)),
    },
  ];
}
