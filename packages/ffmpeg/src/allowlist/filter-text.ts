/** The kind of text that a filter option of type string accepts. Other options are checked by their type. */
type FilterText =
  /** One expression, or several that are separated by `|`. `calls`: functions that only this filter has. */
  | { readonly kind: 'expression' | 'expressions'; readonly calls: ReadonlySet<string> }
  /** Words, numbers and separators. ffmpeg reads such a value neither as an expression nor as a path. */
  | { readonly kind: 'list' }
  /** One or more words from a list in ffmpeg, such as the names of colours. */
  | KnownWords
  /** Text in which drawtext expands `%{…}`. */
  | { readonly kind: 'expanded' }
  /** Any text. */
  | { readonly kind: 'text' };

export interface KnownWords {
  readonly kind: 'known';
  readonly of: WordKind;
  /** The separator between words. Absent if the option accepts only one word. */
  readonly joined?: RegExp;
  /** More words that this option accepts. */
  readonly also?: readonly string[];
}

export type WordKind =
  | 'color'
  | 'pixel format'
  | 'sample format'
  | 'sample rate'
  | 'frame rate'
  | 'size'
  | 'channel layout'
  /** Names of single channels, with numbers and signs between them: `FL-FR|1-FC`. */
  | 'channels'
  /** A channel layout, then the sum for each of its channels: `stereo|FL=0.5*c0`. */
  | 'mixture'
  | 'scaler flags'
  | 'color matrix'
  | 'color space'
  | 'color range'
  | 'alpha mode';

const none: ReadonlySet<string> = new Set();
const LIST: FilterText = { kind: 'list' };
const TEXT: FilterText = { kind: 'text' };

const table = new Map<string, Map<string, FilterText>>();

/** @param rows One line for each row: `FILTER[,FILTER]: OPTION OPTION`. */
function add(text: FilterText, rows: string): void {
  for (const row of rows.trim().split('\n')) {
    const [filters = '', options = ''] = row.split(':');
    for (const filter of filters.trim().split(',')) {
      const known = table.get(filter) ?? new Map<string, FilterText>();
      for (const option of options.trim().split(' ')) known.set(option, text);
      table.set(filter, known);
    }
  }
}

const expression = (calls = ''): FilterText => ({
  kind: 'expression',
  calls: calls === '' ? none : new Set(calls.split(' ')),
});

add(
  expression(),
  `
  adrc: transfer
  asetpts,setpts: expr
  asettb,settb: expr tb
  ametadata,metadata: expr
  volume: volume
  sine: samples_per_frame
  addroi: x y w h
  blend,tblend: c0_expr c1_expr c2_expr c3_expr all_expr
  boxblur: luma_radius lr chroma_radius cr alpha_radius ar
  crop: out_w w out_h h x y
  dctdnoiz: expr e
  dynaudnorm: curve v
  delogo: x y w h
  drawbox,drawgrid: x y width w height h thickness t
  drawgraph,adrawgraph: fg1 fg2 fg3 fg4
  eq: contrast brightness saturation gamma gamma_r gamma_g gamma_b gamma_weight
  fps: fps
  hue: h s H b
  overlay: x y
  pad: width w height h x y
  perspective: x0 y0 x1 y1 x2 y2 x3 y3
  pseudocolor: c0 c1 c2 c3
  qp: qp
  scale,scale2ref,zscale: w width h height
  scale_cuda,scale_vaapi: w h
  setdar: dar ratio r
  setsar: sar ratio r
  swaprect: w h x1 y1 x2 y2
  vignette: angle a x0 y0
  zoompan: zoom z x y d
  showvolume: c
  `,
);
add(expression('rand'), 'drawtext: x y alpha fontsize');
add(expression('rotw roth'), 'rotate: angle a out_w ow out_h oh');
add(expression('concatdec_select'), 'aselect,select: expr e');
add(expression('clip gammaval gammaval709'), 'lut,lutrgb,lutyuv: c0 c1 c2 c3 y u v r g b a');
add(expression(), 'lut2,tlut2: c0 c1 c2 c3');
add(
  expression('lum cb cr alpha r g b p lumsum cbsum crsum alphasum rsum gsum bsum psum'),
  'geq: lum_expr lum cb_expr cb cr_expr cr alpha_expr a red_expr r green_expr g blue_expr b',
);
add(expression('weight_Y weight_U weight_V'), 'fftfilt: weight_Y weight_U weight_V');
add(expression('a0 a1 a2 a3 b0 b1 b2 b3'), 'xfade: expr');
add(expression('entry gain_interpolate cubic_interpolate'), 'firequalizer: gain gain_entry');
add(
  expression('a_weighting b_weighting c_weighting midi r g b'),
  'showcqt: sono_v volume bar_v volume2 tlength fontcolor',
);
add({ kind: 'expressions', calls: new Set(['val']) }, 'aeval: exprs');
add({ kind: 'expressions', calls: none }, 'aevalsrc: exprs');
add({ kind: 'expressions', calls: new Set(['real', 'imag']) }, 'afftfilt: real imag');
add({ kind: 'expanded' }, 'drawtext: text fontcolor_expr');
add(
  LIST,
  `
  acrossover: split gain
  adelay: delays
  aecho: delays decays
  afftdn: band_noise bn
  aiir: zeros z poles p gains k
  amix,mix,tmix: weights
  anequalizer: params
  asegment: timestamps samples
  segment: timestamps frames
  astreamselect,streamselect: map
  chorus: delays decays speeds depths
  compand: attacks decays points
  mcompand: args
  afirsrc: frequency f magnitude m phase p
  convolution: 0m 1m 2m 3m
  curves: master m red r green g blue b all
  detelecine,telecine: pattern
  drawbox: box_source
  drawgraph,adrawgraph: m1 m2 m3 m4
  drawtext: timecode text_source boxborderw
  pp: subfilters
  scale,scale2ref: size s
  selectivecolor: reds yellows greens cyans blues magentas whites neutrals blacks
  shuffleframes: mapping
  subtitles: charenc
  v360: in_forder out_forder in_frot out_frot rorder
  xstack: layout
  cellauto: pattern p
  life: rule
  showcqt: cscheme
  flite: voice v
  `,
);
const BAR = /\|/;

const known = (of: WordKind, more: Omit<KnownWords, 'kind' | 'of'> = {}): FilterText => ({
  kind: 'known',
  of,
  ...more,
});

add(known('color', { also: ['invert'] }), 'drawbox,drawgrid: color c');
add(
  known('color', { also: ['none'] }),
  `
  aphasemeter: mpc
  rotate,shear: fillcolor c
  xstack: fill
  `,
);
add(known('color', { joined: /[ |]/ }), 'abitscope,anequalizer,showfreqs,showwaves,showwavespic: colors');
add(known('pixel format', { joined: BAR }), 'format,noformat: pix_fmts');
add(known('pixel format'), 'scale_vaapi: format');
add(known('color space', { joined: BAR }), 'format,noformat: color_spaces');
add(known('color range', { joined: BAR }), 'format,noformat: color_ranges');
add(known('alpha mode', { joined: BAR }), 'format,noformat: alpha_modes');
add(known('sample format', { joined: BAR }), 'aformat: sample_fmts f');
add(known('sample rate', { joined: BAR }), 'aformat: sample_rates r');
add(known('channel layout', { joined: BAR }), 'aformat: channel_layouts cl');
add(
  known('sample rate'),
  `
  aevalsrc: sample_rate s
  anullsrc: sample_rate r
  `,
);
add(
  known('channel layout'),
  `
  aevalsrc: channel_layout c
  anullsrc: channel_layout cl
  channelmap,channelsplit,join: channel_layout
  surround: chl_out chl_in
  `,
);
add(known('channel layout', { also: ['same'] }), 'aeval: channel_layout c');
add(
  known('channel layout', { also: ['all'] }),
  `
  allpass,bandpass,bandreject,bass,biquad,equalizer,highpass,highshelf,lowpass,lowshelf,tiltshelf,treble: channels c
  adrc,asubboost,channelsplit,showfreqs: channels
  dynaudnorm,speechnorm: channels h
  `,
);
add(
  known('channels'),
  `
  channelmap,headphone,join: map
  sofalizer: speakers
  `,
);
add(known('mixture'), 'pan: args');
add(known('scaler flags'), 'scale,scale2ref: flags');
add(known('color matrix'), 'scale,scale2ref: in_color_matrix out_color_matrix');
add(known('size'), 'zscale: size s');
add(
  known('frame rate', { also: ['auto'] }),
  `
  showspectrum: fps
  showcwt: rate r
  `,
);
add(
  TEXT,
  `
  ametadata,metadata: key value
  drawtext: font
  flite: text
  showcqt: font
  subtitles: force_style
  `,
);

/** The kind of text that a filter option accepts. undefined: the option was not reviewed, so it is rejected. */
export const filterText = (filter: string, option: string): FilterText | undefined => table.get(filter)?.get(option);

/** The order of values without names (`scale=640:360`), for filters whose help shows another order. Tried with ffmpeg 5.1. */
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

/** Text options that a filter accepts although its help does not list them. */
export const UNLISTED_FILTER_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['scale', new Set(['size', 's'])],
  ['scale2ref', new Set(['size', 's'])],
]);

/** Flags that no help lists. Any text that is not a known flag is rejected: ffmpeg would evaluate it as an expression. */
const UNLISTED_FLAGS: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> = new Map([
  ['tinterlace', { flags: ['low_pass_filter', 'vlpf', 'complex_filter', 'cvlpf', 'exact_tb', 'bypass_il'] }],
]);

export const unlistedFlags = (filter: string, option: string): readonly string[] | undefined =>
  UNLISTED_FLAGS.get(filter)?.[option];
