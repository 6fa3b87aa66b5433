import { addOption, leaveOut, orElse } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** Encoders that limit the bit rate only if they get both the highest rate and the size of the buffer. */
const NEED_BOTH: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);

/** Parameter strings, which can set both in the names of the library. */
const LIBRARY_LIMITS = /(?:^|:)vbv-/;

/** Warns about `maxrate` without `bufsize`, or the reverse, for encoders that then ignore it. */
export function ignoredRateLimits(options: readonly ArgvOption[], encoders: StreamEncoders): readonly Warning[] {
  const encoder = encoders.of('v').find((stream) => NEED_BOTH.has(stream.encoder ?? ''))?.encoder;
  const isVideo = ({ name }: ArgvOption): boolean => /^(?:$|[vV])/.test(name.specifier ?? '');
  const [maxrate, bufsize] = ['maxrate', 'bufsize'].map((wanted) =>
    options.find((option) => option.name.name === wanted && isVideo(option)),
  );
  const only = maxrate ?? bufsize;
  if (encoder === undefined || only === undefined || (maxrate !== undefined && bufsize !== undefined)) return [];
  if (options.some(({ name, values }) => /params|opts$/.test(name.name) && LIBRARY_LIMITS.test(values[0] ?? '')))
    return [];
  const missing = only === maxrate ? 'bufsize' : 'maxrate';
  const specifier = only.name.specifier === undefined ? '' : `:${only.name.specifier}`;
  // A highest rate below the average one would lower the quality that was asked for.
  const average = options.findLast((option) => option.name.name === 'b' && isVideo(option))?.values[0];
  const value = missing === 'bufsize' ? twice(only.values[0] ?? '') : (average ?? half(only.values[0] ?? ''));
  const fix = addOption(`${missing}${specifier}`, value);
  return [
    {
      field: only.field,
      code: 'NO_EFFECT',
      message: `"${only.key}" has no effect: ${encoder} limits the bit rate only with "maxrate" and "bufsize" together.`,
      fix: missing === 'maxrate' ? orElse(fix, leaveOut(only.key)) : fix,
    },
  ];
}

const NUMBER = /^(\d+(?:\.\d+)?)([kKM]?)$/;

/** The usual buffer holds two seconds of the highest rate. */
const twice = (value: string): string => value.replace(NUMBER, (_all, digits, unit) => `${Number(digits) * 2}${unit}`);
const half = (value: string): string => value.replace(NUMBER, (_all, digits, unit) => `${Number(digits) / 2}${unit}`);
