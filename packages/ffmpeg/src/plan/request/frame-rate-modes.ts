import type { FrameRateMode } from '@telecine/contract/domain/chunks.ts';
import type { ArgvOption } from './argv-option.ts';
import { videosOf } from './video-options.ts';

/** A frame rate mode that a client can set. `auto`: ffmpeg chooses for the container. `drop`: the container makes new times. */
export type SentRateMode = FrameRateMode | 'auto' | 'drop';

const OPTIONS: ReadonlySet<string> = new Set(['fps_mode', 'vsync']);

/** The modes by the values of both options. Only `vsync` has numbers. */
const MODES: ReadonlyMap<string, SentRateMode> = new Map([
  ['auto', 'auto'],
  ['-1', 'auto'],
  ['passthrough', 'passthrough'],
  ['0', 'passthrough'],
  ['cfr', 'cfr'],
  ['1', 'cfr'],
  ['vfr', 'vfr'],
  ['2', 'vfr'],
  ['drop', 'drop'],
]);

/** True for an option of the frame rate mode. */
export const isRateMode = ({ name: { name } }: Pick<ArgvOption, 'name'>): boolean => OPTIONS.has(name);

/** The mode that a value of `fps_mode` or `vsync` means. undefined: neither has this value. */
export const rateModeOf = (value: string): SentRateMode | undefined => MODES.get(value);

/**
 * The mode that the client sets for a video of an output. `fps_mode` overrides `vsync`. A specifier that may mean any stream, such as a number
 * or a language, counts. undefined: the client sets none.
 */
export function sentRateMode(options: readonly ArgvOption[], video: number): SentRateMode | undefined {
  const lastOf = (wanted: string): string | undefined =>
    options.findLast(({ name: { name, specifier } }) => name === wanted && mayMean(specifier, video))?.values[0];
  return rateModeOf(lastOf('fps_mode') ?? lastOf('vsync') ?? '');
}

/** Matches a specifier that means no video, or one video. */
const KNOWN_STREAM = /^(?:[asdt](?::|$)|[vV]:\d+$)/;

const mayMean = (specifier: string | undefined, video: number): boolean =>
  videosOf(specifier, video + 1)?.includes(video) ?? !KNOWN_STREAM.test(specifier ?? '');

/** True for a mode that keeps the distances between frames. */
export const isVariableRate = (mode: SentRateMode | undefined): mode is 'vfr' | 'passthrough' =>
  mode === 'vfr' || mode === 'passthrough';

/**
 * The arguments that write one file at a constant frame rate, which begins with its first frame. `fps_mode cfr` would repeat this frame for all
 * the time before it. The muxer `segment`, whose only segment is the file, has such a rate by default; `strftime` allows a name without a counter.
 */
export const constantRateContainer = (muxer: string): readonly string[] => [
  ...['-f', 'segment', '-segment_time', '1000000000', '-strftime', '1', '-segment_format', muxer],
];
