/**
 * The setting of an encoder that replaces a setting of another encoder. Example: `preset` `p4` of NVENC becomes `preset` `medium` of
 * libx264. Clients keep the old word when they change the encoder. `value` undefined: leave the option out.
 */
export interface MeantSetting {
  readonly option: string;
  readonly value: string | undefined;
}

const SPEEDS = 'ultrafast superfast veryfast faster fast medium slow slower veryslow placebo'.split(' ');

/** By word for a speed: the index of the speed in `SPEEDS`. */
const SPEED_WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(SPEEDS.map((word, at) => [word, at])),
  ...{ p1: 1, p2: 2, p3: 4, p4: 5, p5: 6, p6: 7, p7: 8 },
  ...{ realtime: 2, rt: 2, good: 5, best: 8, speed: 3, balanced: 5, quality: 7, default: 5, normal: 5 },
  ...{ hp: 3, hq: 6, bd: 7, ll: 4, llhp: 2, llhq: 6, fastest: 0, slowest: 8 },
};

/** The speed options of each encoder. The values are in the order of `SPEEDS`, fastest first. */
const SPEED_OPTIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  libx264: { preset: SPEEDS },
  libx264rgb: { preset: SPEEDS },
  libx265: { preset: SPEEDS },
  libsvtav1: { preset: '12 11 10 9 8 7 5 4 3 2'.split(' ') },
  'libvpx-vp9': {
    'cpu-used': '8 7 6 5 4 2 1 1 0 0'.split(' '),
    deadline: 'realtime realtime realtime good good good good good best best'.split(' '),
  },
  libvpx: {
    'cpu-used': '16 12 8 5 4 2 1 1 0 0'.split(' '),
    deadline: 'realtime realtime realtime good good good good good best best'.split(' '),
  },
  'libaom-av1': { 'cpu-used': '8 7 6 5 5 4 3 2 1 0'.split(' ') },
  librav1e: { speed: '10 9 8 7 6 6 4 3 2 0'.split(' ') },
};

const SPEED_NAMES: ReadonlySet<string> = new Set(['preset', 'cpu-used', 'speed', 'deadline', 'quality', 'usage']);

/**
 * Returns the index in `SPEEDS` of a speed option's value. The value is a word or a number, and a higher number is faster: 0 to 13 for
 * `preset`, as in libsvtav1, and 0 to 16 for other options. libx264 and libx265 count the other way: see `presetOfNumber`.
 */
function speedOf(option: string, value: string): number | undefined {
  const word = SPEED_WORDS[value.trim().toLowerCase()];
  if (word !== undefined || !/^\d{1,2}$/.test(value)) return word;
  const number = Number(value);
  if (option === 'preset') return number > 13 ? undefined : Math.round(9 - (number * 9) / 13);
  return number > 16 ? undefined : Math.max(0, 8 - number);
}

/** The speed setting of `encoder` that matches `value` of `option`, a speed option of another encoder. */
function speedFor(encoder: string, option: string, value: string): MeantSetting | undefined {
  const options = SPEED_OPTIONS[encoder];
  const speed = SPEED_NAMES.has(option) ? speedOf(option, value) : undefined;
  if (options === undefined || speed === undefined) return undefined;
  const own = options[option] === undefined ? Object.keys(options)[0] : option;
  return own === undefined ? undefined : { option: own, value: options[own]?.[speed] };
}

/** One replacement. `send`: the value to send instead; null: leave the option out. The last member: another option to send. */
type Row = readonly [encoders: RegExp, option: string, values: RegExp, send: string | null, option?: string];

const ROWS: readonly Row[] = [
  [/^libx26/, 'tune', /^(?:u?ll|low[ _-]?latency|ultra[ _-]?low[ _-]?latency)$/i, 'zerolatency'],
  [/^libx265$/, 'tune', /^(grain|animation|zerolatency|fastdecode|psnr|ssim)[,+ ].*$/i, '$1'],
  [/^libx26|^libaom|^librav1e/, 'tune', /^.*$/, null],
  [/^libvpx/, 'tune', /^(film|screen)$/i, '$1', 'tune-content'],
  [/^libvpx/, 'tune', /^.*$/, null],
  [/^libx264/, 'lossless', /^(?:1|true|yes|on)$/i, '0', 'qp'],
  [/^libx264/, 'profile', /^(?:main|high?)[ _-]?10(?:p|le)?$|^hi10p?$/i, 'high10'],
  [/^libx264/, 'profile', /^(?:main|high?)[ _-]?422.*$/i, 'high422'],
  [/^libx264/, 'profile', /^(?:main|high?)[ _-]?444.*$/i, 'high444'],
  [/^libx264/, 'profile', /^constrained[ _-]?(?:baseline|high)$|^cbp$/i, 'baseline'],
  [/^libx264/, 'profile', /^progressive[ _-]?high$/i, 'high'],
  [/^libx26[45]/, 'profile', /^(?:asp|sp|simple|advanced.*|\d+)$/i, null],
  [/^libx265$/, 'profile', /^(?:constrained[ _-]?)?(?:baseline|high)$|^main[ _-]?8$/i, 'main'],
  [/^libx265$/, 'profile', /^high?[ _-]?10.*$|^hi10p?$/i, 'main10'],
  [/^libx265$/, 'profile', /^high?[ _-]?422.*$/i, 'main422-10'],
  [/^libx265$/, 'profile', /^high?[ _-]?444.*$/i, 'main444-8'],
  [/^prores_ks$/, 'profile', /^(?:apple[ _-]*)?(?:prores[ _-]*)?(?:422[ _-]*)?(proxy|lt|standard|hq)$/i, '$1'],
  [/^prores_ks$/, 'profile', /^(?:apple[ _-]*)?(?:prores[ _-]*)?422$|^std$|^normal$/i, 'standard'],
  [/^prores_ks$/, 'profile', /^(?:apple[ _-]*)?(?:prores[ _-]*)?4444[ _-]*xq$|^xq$/i, '4444xq'],
  [/^prores_ks$/, 'profile', /^(?:apple[ _-]*)?(?:prores[ _-]*)?4444$/i, '4444'],
  [/^prores(?:_aw)?$/, 'profile', /^.*proxy$/i, '0'],
  [/^prores(?:_aw)?$/, 'profile', /^.*lt$/i, '1'],
  [/^prores(?:_aw)?$/, 'profile', /^.*(?:standard|std|normal|422)$/i, '2'],
  [/^prores(?:_aw)?$/, 'profile', /^.*hq$/i, '3'],
  [/^prores(?:_aw)?$/, 'profile', /^.*4444$/i, '4'],
  [/^prores(?:_aw)?$/, 'profile', /^.*xq$/i, '5'],
  [/^dnxhd$/, 'profile', /^(?:dnxhr)?[ _-]*(lb|sq|hqx|hq|444)$/i, 'dnxhr_$1'],
  [/^aac$/, 'profile', /^(?:aac[ _-]?)?(?:lc|low|low[ _-]?complexity)$/i, 'aac_low'],
  [/^aac$/, 'profile', /^.*he.*$|^.*plus.*$|^(?:ld|eld)$/i, null],
  [/^libvpx-vp9$/, 'profile', /^(?:main|profile[ _-]?0)$/i, '0'],
  [/^libvpx-vp9$/, 'profile', /^(?:main[ _-]?10|profile[ _-]?2|10[ _-]?bits?)$/i, '2'],
  [/^lib(?:aom-av1|svtav1)$/, 'profile', /^(?:main|high)[ _-]?10$|^baseline$/i, 'main'],
  // libfdk_aac has levels 1 to 5 for `vbr`. These rows replace the levels by their bit rates for stereo.
  [/^aac$/, 'vbr', /^1$/, '64k', 'b:a'],
  [/^aac$/, 'vbr', /^2$/, '80k', 'b:a'],
  [/^aac$/, 'vbr', /^3$/, '112k', 'b:a'],
  [/^aac$/, 'vbr', /^4$/, '128k', 'b:a'],
  [/^aac$/, 'vbr', /^5$/, '192k', 'b:a'],
  [/^libopus$/, 'application', /^(?:music|default|general|full|stereo)$/i, 'audio'],
  [/^libopus$/, 'application', /^(?:voice|speech|talk|phone|mono)$/i, 'voip'],
  [/^libopus$/, 'application', /^(?:low[ _-]?latency|realtime|live)$/i, 'lowdelay'],
  [/^libopus$/, 'vbr', /^(?:yes|true|1|vbr|enabled?)$/i, 'on'],
  [/^libopus$/, 'vbr', /^(?:no|false|0|cbr|disabled?)$/i, 'off'],
  [/^libopus$/, 'vbr', /^(?:cvbr|constrained[ _-]?vbr)$/i, 'constrained'],
];

const CRF_LIKE: ReadonlySet<string> = new Set(['crf', 'qp', 'cq', 'global_quality', 'qscale', 'cqp', 'q']);

/** Converts a quality of another encoder to the scale of the option `own`: `crf` 23 of libx264 is about `q:v` 4 of MPEG encoders. */
function qualityFor(option: string, value: string, own: string): MeantSetting | undefined {
  const number = Number(value);
  if (!CRF_LIKE.has(option) || !/^\d{1,2}(?:\.\d+)?$/.test(value) || number > 51) return undefined;
  if (own === 'crf') return { option: own, value };
  if (own === 'q:v')
    return { option: own, value: String(Math.max(1, Math.min(31, Math.round(2 ** ((number - 12) / 6))))) };
  if (own === 'qp') return { option: own, value: String(Math.min(255, Math.round(number * 3.5))) };
  return own === 'profile:v' ? { option: own, value: number < 25 ? 'hq' : 'standard' } : undefined;
}

/**
 * The setting of `encoder` that replaces an option or a value of another encoder. undefined: unknown.
 *
 * @param option The name without stream specifier.
 * @param quality The quality option of `encoder`, if it has one.
 */
export function meantSetting(
  encoder: string,
  option: string,
  value: string,
  quality?: string,
): MeantSetting | undefined {
  const speed = speedFor(encoder, option, value);
  if (speed !== undefined) return speed;
  for (const [encoders, name, values, send, other = option] of ROWS) {
    if (name !== option || !encoders.test(encoder) || !values.test(value.trim())) continue;
    return { option: other, value: send === null ? undefined : value.trim().replace(values, send).toLowerCase() };
  }
  return quality === undefined ? undefined : qualityFor(option, value, quality);
}

/**
 * The two presets of libx264 or libx265 that a number can mean, as each encoder numbers its own presets and as libsvtav1 does. Example: 4
 * is `fast` in libx264, and means `slow` if the client thinks of libsvtav1.
 */
export function presetOfNumber(encoder: string, value: string): readonly [name: string, svtav1: string] | undefined {
  if (!/^libx26[45]/.test(encoder) || !/^\d$/.test(value)) return undefined;
  const [name, other] = [SPEEDS[Number(value)], SPEEDS[speedOf('preset', value) ?? 5]];
  return name === undefined || other === undefined || name === other ? undefined : [name, other];
}
