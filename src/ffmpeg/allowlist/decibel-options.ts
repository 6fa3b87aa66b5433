const row = (filters: string, options: string): readonly [string, readonly string[]][] =>
  filters.split(' ').map((filter) => [filter, options.split(' ')]);

/**
 * The options of filters that are in decibels (ffmpeg-filters manual). Levels of most other filters are factors, for which
 * ffmpeg reads `-6dB` as 0.5.
 */
export const DECIBEL_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ...row('equalizer bass lowshelf treble highshelf tiltshelf', 'gain g'),
  ...row('loudnorm', 'I i TP tp LRA lra offset'),
  ...row('compand', 'gain volume'),
  ...row('afftdn', 'noise_reduction nr noise_floor nf residual_floor rf'),
  ...row('headphone', 'gain lfe'),
  ...row('sofalizer', 'gain lfegain'),
]);
