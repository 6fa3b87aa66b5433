import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { isMilliseconds } from '../../values/duration.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Seconds of the segments and fragments of streams, which last some seconds, by the muxer that has the option. */
const SECONDS: Readonly<Record<string, readonly string[]>> = {
  hls: ['hls_time', 'hls_init_time'],
  dash: ['seg_duration', 'frag_duration'],
};

/** Muxers whose `frag_duration` counts microseconds. */
const MICROSECONDS: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'ismv', 'f4v', '3gp', '3g2', 'psp']);

/** Fragments shorter than this have one frame at any usual rate. */
const SHORTEST_FRAGMENT = 10_000;
/** Numbers up to this are seconds. Larger ones are milliseconds. */
const MOST_SECONDS = 60;

/** Durations of segments in milliseconds where ffmpeg reads seconds, and of fragments in other units than microseconds. */
export const segmentUnits = (options: readonly ArgvOption[], muxer: string): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, values, field } = option;
    const value = /^\d+(?:\.0*)?$/.test(values[0] ?? '') ? Number(values[0]) : Number.NaN;
    const shown = sentName(option);
    if (SECONDS[muxer]?.includes(name.name) === true && isMilliseconds(value))
      return [
        {
          field,
          code: 'UNUSUAL_VALUE',
          message: `"${shown}" is in seconds, not in milliseconds: ${value} asks for segments of ${Math.round(value / 60)} minutes.`,
          fix: sendOption(shown, String(value / 1000)),
        },
      ];
    if (name.name === 'frag_duration' && MICROSECONDS.has(muxer) && value > 1 && value < SHORTEST_FRAGMENT)
      return [
        {
          field,
          code: 'UNUSUAL_VALUE',
          message: `"${shown}" of ${muxer} is in microseconds: ${value} makes a fragment of each frame.`,
          fix: sendOption(shown, String(value * (value <= MOST_SECONDS ? 1_000_000 : 1000))),
        },
      ];
    return [];
  });
