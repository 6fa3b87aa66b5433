/** Default names of the main file, for formats that write several files. */
const NAMES: Readonly<Record<string, string>> = {
  hls: 'index.m3u8',
  m3u8: 'index.m3u8',
  dash: 'index.mpd',
  mpd: 'index.mpd',
  segment: 'part_%03d.mp4',
  image2: 'frame_%04d.png',
};
/** The format that option names imply: `hls` for `hls_time`. undefined: they imply no format. */
export const formatOfOptions = (names: readonly string[]): string | undefined =>
  names.some((name) => name.startsWith('hls_')) ? 'hls' : undefined;

/** Usual extensions of formats whose name is not an extension. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  matroska: 'mkv',
  mpegts: 'ts',
  ipod: 'm4a',
  adts: 'aac',
  libmp3lame: 'mp3',
};

/** A file name for an output if the client sent only a folder. `input`: the path of the first input. */
export function nameInFolder(format: string | undefined, input: string | undefined): string {
  const name = format?.toLowerCase() ?? 'mp4';
  const stem = /([\w -]{1,60})(?:\.\w{1,5})?$/.exec(input ?? '')?.[1] ?? 'movie';
  const isExtension = /^[a-z\d]{2,5}$/.test(name);
  return NAMES[name] ?? `${stem}.${EXTENSIONS[name] ?? (isExtension ? name : 'mp4')}`;
}
