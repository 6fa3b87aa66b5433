import { type ArgvOption, lastValue } from '../plan/request/argv-option.ts';
import { valueForVideo } from '../plan/request/video-options.ts';
import { isFmp4, readHlsFlags } from '../values/hls-values.ts';
import { readNumber } from '../values/number.ts';
import { quoted } from '../values/value-error.ts';

/** Whether a muxer writes segments and a manifest. */
export const isManifestMuxer = (muxer: string): boolean => muxer === 'hls' || muxer === 'dash';

/** Flags of the HLS muxer that change only tags of the playlist or names. */
const HLS_FLAGS: ReadonlySet<string> = new Set([
  ...['independent_segments', 'round_durations', 'omit_endlist', 'temp_file'],
]);

/** Why an option of segments is not carried out in the join: the end of a sentence. undefined: it is, or is another option. */
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

/**
 * The arguments of the join with which a manifest states the bit rates that were asked for. Without them, it states what the muxer of the chunks has
 * measured, and the HLS muxer of ffmpeg 5 finds no `CODECS` of H.264 in the headers of MP4.
 */
export function manifestArgs(
  muxer: string,
  options: readonly ArgvOption[],
  { encoder, videos }: { readonly encoder: string; readonly videos: number },
): readonly string[] {
  const rates = Array.from({ length: videos }, (_, video) => {
    const asked = ['maxrate', 'b'].map((name) => readNumber(valueForVideo(options, name, video) ?? '') ?? 0);
    return [`-b:v:${video}`, `${asked.find((rate) => rate > 0) ?? 0}`];
  }).flat();
  if (muxer === 'dash' || !encoder.startsWith('libx264')) return rates;
  const isMp4 = isFmp4(lastValue('hls_segment_type', options) ?? '');
  if (!isMp4) return [...rates, '-bsf:v', TO_ANNEX_B];
  // Segments of MP4 have the headers in their init segment only.
  const hasMaster = lastValue('master_pl_name', options) !== undefined;
  return hasMaster ? [...rates, '-bsf:v', `${TO_ANNEX_B},filter_units=remove_types=7-8`] : rates;
}

const TO_ANNEX_B = 'h264_mp4toannexb';
