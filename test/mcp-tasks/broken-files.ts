/** Broken files, and the words that name their fault. `whole.mkv` has none. */
export const BROKEN_FILES: Readonly<Record<string, RegExp | undefined>> = {
  'broken/cut.mp4': /cut off/,
  'broken/download.mp4': /HTML page/,
  'broken/empty.mp4': /empty/,
  'broken/noise.mkv': /damaged/,
  'broken/unfinished.mp4': /index|moov|cut off|incomplete|not complete/,
  'broken/voice.pcm': /raw audio without a header/,
  'broken/whole.mkv': undefined,
};
