/** By option that few encoders or containers accept: their names, as text for a message. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['x264-params', 'libx264'],
  ['x264opts', 'libx264'],
  ['x265-params', 'libx265'],
  ['svtav1-params', 'libsvtav1'],
  ['aom-params', 'libaom-av1'],
  ['rav1e-params', 'librav1e'],
  ['crf', 'libx264, libx265, libvpx-vp9, libaom-av1 and libsvtav1'],
  ['preset', 'libx264, libx265 and libsvtav1'],
  ['tune', 'libx264 and libx265'],
  ['cpu-used', 'libvpx-vp9 and libaom-av1'],
  ['deadline', 'libvpx-vp9'],
  ['row-mt', 'libvpx-vp9 and libaom-av1'],
  ['application', 'libopus'],
  ['vbr', 'libopus and libfdk_aac'],
  ['aac_coder', 'aac'],
  ['movflags', 'mp4, mov and ipod'],
  ['brand', 'mp4 and mov'],
  ['hls_time', 'hls'],
  ['hls_list_size', 'hls'],
  ['hls_playlist_type', 'hls'],
  ['segment_time', 'segment'],
  ['seg_duration', 'dash'],
  ['id3v2_version', 'mp3'],
]);

const PARAMS: Readonly<Record<string, string>> = {
  libx264: 'x264-params',
  libx264rgb: 'x264-params',
  libx265: 'x265-params',
  libsvtav1: 'svtav1-params',
  'libaom-av1': 'aom-params',
  librav1e: 'rav1e-params',
};

const SPEED: Readonly<Record<string, string>> = {
  libx264: 'preset',
  libx265: 'preset',
  libsvtav1: 'preset',
  'libvpx-vp9': 'cpu-used',
  libvpx: 'cpu-used',
  'libaom-av1': 'cpu-used',
  librav1e: 'speed',
};

const QUALITY: Readonly<Record<string, string>> = {
  libx264: 'crf',
  libx265: 'crf',
  libsvtav1: 'crf',
  'libvpx-vp9': 'crf',
  'libaom-av1': 'crf',
  librav1e: 'qp',
  mpeg4: 'q:v',
  mpeg2video: 'q:v',
  mjpeg: 'q:v',
  libxvid: 'q:v',
  libtheora: 'q:v',
  prores_ks: 'profile:v',
};

/** The option for the segment length in seconds, by muxer. */
const SEGMENT_SECONDS: Readonly<Record<string, string>> = {
  hls: 'hls_time',
  dash: 'seg_duration',
  segment: 'segment_time',
  stream_segment: 'segment_time',
};

/**
 * For each option, the option of other encoders or muxers with the same purpose: `preset` of libx264 is `cpu-used` of libvpx-vp9. Such
 * options of muxers take the same values (seconds). Such options of encoders have different values.
 */
const EQUIVALENTS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ...['x264-params', 'x264opts', 'x265-params', 'svtav1-params', 'aom-params', 'rav1e-params'].map(
    (name) => [name, PARAMS] as const,
  ),
  ...['preset', 'cpu-used', 'speed', 'deadline'].map((name) => [name, SPEED] as const),
  ...['crf', 'qp'].map((name) => [name, QUALITY] as const),
  ...['hls_time', 'seg_duration', 'segment_time'].map((name) => [name, SEGMENT_SECONDS] as const),
]);

/** The encoders or containers that accept `option`, as text for a message. */
export const encodersWithOption = (option: string): string | undefined => OWNERS.get(option);

/** The option of the encoder or muxer `owner` with the same purpose as `option` of another. undefined: unknown, or `option` itself. */
export function equivalentOption(option: string, owner: string): string | undefined {
  const name = EQUIVALENTS.get(option)?.[owner];
  return name === option ? undefined : name;
}
