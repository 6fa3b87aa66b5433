import { type ArgvOption, lastValue } from '../plan/request/argv-option.ts';
import { isFmp4 } from '../values/hls-values.ts';
import type { ManifestMuxer } from './manifest-outputs.ts';

type Release = readonly [major: number, minor: number];

/**
 * The releases whose copies of audio were compared with the whole conversion. Earlier ones than 6 count as 5.1. Later ones than 7.1 were not compared:
 * they count as 7.1, whose way to write times (`mux_fixup_ts`) they have. undefined: a release that is unknown, or 6, which has parts of both ways.
 */
function comparedRelease(release: Release | undefined): '5.1' | '7.1' | undefined {
  if (release === undefined || release[0] === 6) return undefined;
  return release[0] < 6 ? '5.1' : '7.1';
}

/**
 * How the join must copy the audio of an output of segments to keep its times exact. `unknown`: no exact way is known with this release. A copy into the coarser
 * times of MPEG-TS smooths those of audio since release 7, by a sample where the input has milliseconds.
 */
export function segmentCopyOf(
  muxer: ManifestMuxer | undefined,
  options: readonly ArgvOption[],
  release: Release | undefined,
): 'as it is' | 'with finer times' | 'unknown' {
  const isMpegTs = muxer === 'hls' && !isFmp4(lastValue('hls_segment_type', options) ?? '');
  if (!isMpegTs) return 'as it is';
  const compared = comparedRelease(release);
  if (compared === undefined) return 'unknown';
  return compared === '5.1' ? 'as it is' : 'with finer times';
}

/**
 * What a copy does to the times of audio that is encoded into Matroska, if libopus is one of its encoders. `unknown`: no exact copy is known. 5.1 shifts
 * those of Opus only, and the correction is for all audio.
 */
export function opusCopyOf(encoders: number, release: Release | undefined): 'as it is' | 'shifted' | 'unknown' {
  const compared = comparedRelease(release);
  if (compared === '7.1') return 'as it is';
  return compared === undefined || encoders > 1 ? 'unknown' : 'shifted';
}
