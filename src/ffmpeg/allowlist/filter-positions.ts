/**
 * The options that positional values set, for filters whose help does not show that order: some have an order of their
 * own, some have options that the help omits, and some have two options with the same help text. Each was tried with
 * ffmpeg 5.1.
 */
export const FILTER_POSITIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    aiir: 'zeros poles gains dry wet format process precision normalize mix response channel size rate',
    biquad: 'a0 a1 a2 b0 b1 b2 mix channels normalize transform precision',
    blurdetect: 'high low radius block_pct block_width block_height planes',
    cellauto: 'filename pattern rate size rule random_fill_ratio random_seed scroll start_full stitch',
    feedback: 'x y w h',
    fieldmatch: 'order mode ppsrc field mchroma y0 y1 scthresh combmatch combdbg cthresh chroma blockx blocky combpel',
    find_rect: 'object threshold mipmaps xmin ymin xmax ymax discard',
    overlay: 'x y eof_action shortest repeatlast',
    tinterlace: 'mode flags',
    scale: 'w h flags interl size in_color_matrix out_color_matrix in_range out_range',
    scale2ref: 'w h flags interl size in_color_matrix out_color_matrix in_range out_range',
  }).map(([filter, options]) => [filter, options.split(' ')]),
);

/** Text options that filters accept although their help does not list them. */
export const UNLISTED_FILTER_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['scale', new Set(['size', 's'])],
  ['scale2ref', new Set(['size', 's'])],
]);

/** Flags that filters accept although their help does not list the option. ffmpeg would evaluate other text. */
const UNLISTED_FLAGS: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> = new Map([
  ['tinterlace', { flags: ['low_pass_filter', 'vlpf', 'complex_filter', 'cvlpf', 'exact_tb', 'bypass_il'] }],
]);

/** The names of the flags of an option that the help of the filter does not list. Undefined: no such option. */
export const unlistedFlags = (filter: string, option: string): readonly string[] | undefined =>
  UNLISTED_FLAGS.get(filter)?.[option];
