import type { ForcedKeyFrames } from '@telecine/contract/domain/chunks.ts';
import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { type ArgvOption, hasKey, lastValue, mapsOf } from '../plan/request/argv-option.ts';
import { isFmp4, readHlsFlags } from '../values/hls-values.ts';
import { readNumber } from '../values/number.ts';
import { quoted } from '../values/value-error.ts';

/** The muxers that write segments and a manifest. */
export type ManifestMuxer = 'hls' | 'dash';

export const isManifestMuxer = (muxer: string): muxer is ManifestMuxer => muxer === 'hls' || muxer === 'dash';

/** Options by which segments and manifests depend on the packets alone, which are the same in the join. */
const OPTIONS: Readonly<Record<ManifestMuxer, ReadonlySet<string>>> = {
  hls: new Set(
    (
      'hls_time hls_list_size hls_segment_filename hls_segment_type hls_fmp4_init_filename hls_playlist_type hls_base_url ' +
      'hls_allow_cache hls_flags hls_start_number_source start_number master_pl_name var_stream_map'
    ).split(' '),
  ),
  dash: new Set(
    'seg_duration adaptation_sets init_seg_name media_seg_name use_template use_timeline dash_segment_type'.split(' '),
  ),
};

/** Flags of the HLS muxer that change only tags of the playlist or names. */
const HLS_FLAGS: ReadonlySet<string> = new Set([
  'independent_segments',
  'round_durations',
  'omit_endlist',
  'temp_file',
]);

export const isManifestOption = (muxer: ManifestMuxer, name: string): boolean => OPTIONS[muxer].has(name);

/** Why an option of `isManifestOption` may give other segments than the whole conversion: the end of a sentence. undefined: it gives the same. */
export function rejectManifestOption({ name: { name }, values: [value = ''] }: ArgvOption): string | undefined {
  if (name === 'hls_flags') {
    const other = [...readHlsFlags(value)].find((flag) => !HLS_FLAGS.has(flag));
    return other && `has the flag ${quoted(other)}, which is not known to give the same segments.`;
  }
  if (name === 'hls_start_number_source' && !['generic', '0'].includes(value))
    return 'counts from a time of the clock.';
  if (name === 'var_stream_map' && /(?:^|[\s,])s:|sgroup/.test(value)) return 'has subtitles.';
  if (name === 'dash_segment_type' && value !== 'mp4') return 'is not known to give the same segments.';
  return undefined;
}

/** Why an output of segments cannot be joined from chunks, by its encoders. undefined: it can. */
export function rejectManifestEncoders(
  muxer: ManifestMuxer,
  encoder: string,
  audio: readonly (string | undefined)[],
): string | undefined {
  if (encoder !== 'libx264') return `${quoted(encoder)} is not known to begin the same segments of ${quoted(muxer)}.`;
  const other = audio.find((name) => name !== 'aac');
  if (other !== undefined) return `The audio encoder ${quoted(other)} is not known to give the same segments.`;
  return audio.includes(undefined) ? 'Copied audio is not known to give the same segments.' : undefined;
}

/** True if a value of `map` may select audio. The filtergraphs of chunks have videos only. */
const mayBeAudio = (map: string): boolean => !/^(?:\[|0:[vVsdt])/.test(map);

/** False if the options of an output leave out all audio of the input. */
export function mayHaveAudio(options: readonly ArgvOption[]): boolean {
  const maps = mapsOf(options);
  return !hasKey(options, 'an') && (maps.length === 0 || maps.some(mayBeAudio));
}

/** Why a manifest might state another bit rate of the audio than the encoder of the whole conversion would. undefined: it states the same. */
export function rejectAudioRates(
  muxer: ManifestMuxer,
  options: readonly ArgvOption[],
  audio: readonly (string | undefined)[],
): string | undefined {
  const statesRates = muxer === 'dash' || lastValue('master_pl_name', options) !== undefined;
  if (!statesRates || audio.length === 0 || hasKey(options, 'b:a')) return undefined;
  const maps = mapsOf(options).filter(mayBeAudio);
  const isSet = maps.length > 0 && maps.every((map, at) => /^0:a:\d+$/.test(map) && hasKey(options, `b:a:${at}`));
  return isSet ? undefined : 'The manifest states the bit rate of the audio. Send "b:a", so that it is known.';
}

/**
 * True if limits of the bit rate hold in segments of HLS without a check: each chunk begins with a segment. libx264 begins a chunk with a buffer that
 * is nearly full, as it may be at any segment of the whole. In DASH, a segment lasts from the last one, so that a key frame which comes one frame
 * early begins none.
 */
export function keepsLimits(
  muxer: ManifestMuxer | undefined,
  options: readonly ArgvOption[],
  forced: ForcedKeyFrames | undefined,
): boolean {
  if (muxer !== 'hls') return false;
  const segment = micros(parseDuration(lastValue('hls_time', options) ?? '2') ?? 0);
  const every = forced !== undefined && 'everySeconds' in forced ? micros(forced.everySeconds) : 0;
  return every > 0 && segment > 0 && every % segment === 0;
}

const micros = (seconds: number): number => Math.round(seconds * 1e6);

/** The values of an encoder by which key frames have known times. */
export interface KeyFrameOptions {
  readonly distance: number | undefined;
  readonly isForced: boolean;
  readonly sceneCut: string | undefined;
  readonly openGop: string | undefined;
}

/**
 * Why the times of key frames, at which segments begin, are not known before the video is encoded. undefined: they are. Chunks must begin at
 * these times, because one more key frame could begin another segment.
 */
export function rejectKeyFrames({ distance, isForced, sceneCut, openGop }: KeyFrameOptions): string | undefined {
  if (openGop !== undefined && openGop !== '0') return 'Segments with an open GOP differ at the ends of chunks.';
  // Even with "keyint_min" equal to "g", libx264 adds key frames at scene changes from half of the distance on.
  const isFixed = readNumber(sceneCut ?? '') === 0 && (distance !== undefined || isForced);
  return isFixed
    ? undefined
    : 'Segments begin at key frames. Send "sc_threshold": "0" with "force_key_frames" or "g", so that their times are known.';
}

/**
 * The arguments of the join with which a manifest states what the encoder would state. Without them, it states what the muxer of the chunks
 * has measured, and the HLS muxer of ffmpeg 5 finds no `CODECS` in the headers of MP4.
 *
 * @param limits The maximum bit rate of each video, as the client wrote it. undefined: there is none.
 * @param averageRates The average bit rate of each video. Absent: there is none.
 */
export function manifestArgs(
  muxer: ManifestMuxer,
  options: readonly ArgvOption[],
  {
    limits,
    averageRates = [],
  }: { readonly limits: readonly (string | undefined)[]; readonly averageRates?: readonly number[] | undefined },
): readonly string[] {
  if (muxer === 'dash' && averageRates.length === 0) return ['-b:v', '0'];
  const rates = limits.flatMap((limit, video) => [
    `-b:v:${video}`,
    `${wholeKilobits(averageRates[video] ?? readNumber(limit ?? ''))}`,
  ]);
  if (muxer === 'dash') return rates;
  const isMp4 = isFmp4(lastValue('hls_segment_type', options) ?? '');
  const hasMaster = lastValue('master_pl_name', options) !== undefined;
  if (isMp4 && !hasMaster) return rates;
  // Segments of MP4 have the headers in their init segment only.
  return [...rates, '-bsf:v', isMp4 ? `${TO_ANNEX_B},filter_units=remove_types=7-8` : TO_ANNEX_B];
}

/** Bits per second, as libx264 reads a limit. */
const wholeKilobits = (rate = 0): number => Math.floor(rate / 1000) * 1000;

const TO_ANNEX_B = 'h264_mp4toannexb';
