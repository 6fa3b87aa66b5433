/**
 * Filter options as other tools write them, and the ffmpeg options with the same meaning: `crop=640:480` for `crop=640x480`. ffmpeg rejects
 * or misreads the original options.
 */
interface FilterMeaning {
  readonly filters: ReadonlySet<string>;
  /**
   * Matches the text of all options of the filter, such as `start=1:end=2`, without quotes and backslashes, and without colons in values.
   */
  readonly options: RegExp;
  /** The options to send. `$1`, … stand for parts of the match. Empty: no options. */
  readonly send: string | ((...parts: readonly string[]) => string);
}

const row = (filters: string, options: RegExp, send: FilterMeaning['send']): FilterMeaning => ({
  filters: new Set(filters.split(' ')),
  options,
  send,
});

const SECONDS = String.raw`(\d+(?:\.\d+)?)\s*s(?:ecs?|econds?)?`;
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const CENTER = '(?:cent(?:er|re)|middle)';
const CENTER_WORD = new RegExp(`^${CENTER}$`);

/**
 * Expressions for the left and the upper edge of an image or text, by position. `x` and `y`: centred. `own`: the width and height of the
 * image or text.
 */
const placed = (width: string, height: string, own: readonly [string, string]): Readonly<Record<string, string>> => ({
  left: '0',
  top: '0',
  right: `${width}-${own[0]}`,
  bottom: `${height}-${own[1]}`,
  x: `(${width}-${own[0]})/2`,
  y: `(${height}-${own[1]})/2`,
});

const OVERLAY = placed('W', 'H', ['w', 'h']);
const DRAWTEXT = placed('w', 'h', ['text_w', 'text_h']);
const PAD = placed('ow', 'oh', ['iw', 'ih']);

const POSITIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  overlay: OVERLAY,
  drawtext: DRAWTEXT,
  pad: PAD,
  crop: placed('iw', 'ih', ['ow', 'oh']),
  drawbox: placed('iw', 'ih', ['w', 'h']),
  zoompan: placed('iw', 'ih', ['iw/zoom', 'ih/zoom']),
};

/** The expression for `x` or `y` that means a word such as "center", "right" or "bottom-10". undefined for other values. */
export function meantPosition(filter: string, option: string, value: string): string | undefined {
  const positions = option === 'x' || option === 'y' ? POSITIONS[filter] : undefined;
  if (positions === undefined) return undefined;
  const [, word = '', distance = ''] = /^([a-z]+)\s*([-+]\s*\d+)?$/.exec(value.trim().toLowerCase()) ?? [];
  const valid = option === 'x' ? /^(?:left|right)$/ : /^(?:top|bottom)$/;
  const place = CENTER_WORD.test(word) ? positions[option] : valid.test(word) ? positions[word] : undefined;
  if (place === undefined || distance === '') return place;
  return place === '0' ? distance.replace('+', '') : `${place}${distance}`;
}

/** The expressions for `x` and `y` of a position in a corner or in the centre: `top-right`. */
function cornerOf(filter: string, place: string): { readonly x: string; readonly y: string } {
  const positions = POSITIONS[filter] ?? OVERLAY;
  const text = place.toLowerCase();
  const x = positions[/left|right/.exec(text)?.[0] ?? 'x'] ?? '0';
  const y = positions[/top|bottom/.exec(text)?.[0] ?? 'y'] ?? '0';
  return { x, y };
}

const corner = (...parts: readonly string[]): string => {
  const { x, y } = cornerOf('overlay', parts[0] ?? '');
  return `${x}:${y}`;
};

const CORNER = `(?:(?:top|bottom|upper|lower|${CENTER})[-_ ]?(?:left|right|${CENTER})|(?:left|right)[-_ ](?:top|bottom)|${CENTER})`;

interface SentOption {
  readonly key?: string;
  readonly value: string;
}

/** Options of other tools for a position. ffmpeg has "x" and "y" instead. */
const PLACE_OPTION = /^(?:x|y|pos(?:ition)?|place(?:ment)?|location|gravity|align(?:ment)?|anchor)$/i;
const AXIS_OPTION = /^(?:(h(?:orizontal)?)|v(?:ertical)?)_?(?:align(?:ment)?|pos(?:ition)?)$/i;

const VERTICAL: Readonly<Record<string, string>> = { top: 'top', upper: 'top', bottom: 'bottom', lower: 'bottom' };

/** The edges of a position: `{ x: 'right', y: 'top' }` for `top-right`. The middle is `x: 'x'` or `y: 'y'`. undefined for other texts. */
function edgesOf(key: string, value: string): { readonly x?: string; readonly y?: string } | undefined {
  const text = value.trim().toLowerCase();
  // Subtitle styles number positions like a numeric keypad: 1 is at the bottom left.
  if (/^align(?:ment)?$/i.test(key) && /^[1-9]$/.test(text)) {
    const at = Number(text) - 1;
    return { x: ['left', 'x', 'right'][at % 3] ?? 'x', y: ['bottom', 'y', 'top'][Math.floor(at / 3)] ?? 'y' };
  }
  const words = text.match(/top|bottom|upper|lower|left|right|cent(?:er|re)|middle/g) ?? [];
  if (words.length === 0 || words.length > 2 || text.replaceAll(/[-_ ]/g, '') !== words.join('')) return undefined;
  const x = words.filter((word) => /left|right/.test(word));
  const y = words.flatMap((word) => VERTICAL[word] ?? []);
  if (x.length > 1 || y.length > 1) return undefined;
  const axis = AXIS_OPTION.exec(key);
  if (axis !== null) {
    if (words.length > 1 || (axis[1] === undefined ? x : y).length > 0) return undefined;
    return axis[1] === undefined ? { y: y[0] ?? 'y' } : { x: x[0] ?? 'x' };
  }
  // ffmpeg has no words for positions, but `meantPosition` reads a single word of the right axis, such as `x=right`.
  if (/^[xy]$/i.test(key) && words.length === 1 && (x.length > 0 || y.length > 0)) return undefined;
  return { x: x[0] ?? 'x', y: y[0] ?? 'y' };
}

/**
 * The options of a filter with "x" and "y" instead of words such as `x=top-right` and `halign=center`. undefined: there are no such words.
 */
export function withPlace(filter: string, options: readonly SentOption[]): readonly SentOption[] | undefined {
  const positions = POSITIONS[filter];
  if (positions === undefined) return undefined;
  const edges = options.map(({ key = '', value }) =>
    PLACE_OPTION.test(key) || AXIS_OPTION.test(key) ? edgesOf(key, value) : undefined,
  );
  const first = edges.findIndex((one) => one !== undefined);
  if (first < 0) return undefined;
  const isSent = (side: string): boolean => options.some(({ key }, at) => key === side && edges[at] === undefined);
  // If `x` and `y` are both set, a single word applies to its own option only, and `meantPosition` reads it.
  const own = options[first]?.key ?? '';
  if (/^[xy]$/.test(own) && isSent(own === 'x' ? 'y' : 'x') && /^\W*[a-z]+\W*$/i.test(options[first]?.value ?? ''))
    return undefined;
  const meant = { x: undefined, y: undefined, ...Object.assign({}, ...edges) } as Readonly<
    Record<'x' | 'y', string | undefined>
  >;
  const placed = (['x', 'y'] as const).flatMap((side) => {
    const edge = meant[side];
    return edge === undefined || isSent(side) ? [] : [{ key: side, value: positions[edge] ?? '0' }];
  });
  return options.flatMap((option, at) => (at === first ? placed : edges[at] === undefined ? [option] : []));
}

/** A corner and the distance from it: `top-right:10`. */
const cornerAt = (_all = '', place = '', margin = '0'): string => {
  const x = /right/i.test(place) ? `W-w-${margin}` : margin;
  const y = /bottom/i.test(place) ? `H-h-${margin}` : margin;
  return `${x}:${y}`;
};

const GRAY = '(?:gr[ae]y(?:[-_ ]?scale)?|mono(?:chrome)?|bw|b&w|black ?(?:and|&) ?white)';
const SIGNED = String.raw`-?(?:\d+(?:\.\d+)?|\.\d+)`;

/** The area of `delogo` without its first column or row, if that column or row is at the edge of the frame. */
function insideBorder(options: string): string {
  const parts = options.split(':').map((part, at) => {
    const [key, value] = part.includes('=') ? part.split('=') : ['xywh'.charAt(at), part];
    return { key: key ?? '', value: value ?? '', isNamed: part.includes('=') };
  });
  const isEdge = (side: string): boolean => parts.some(({ key, value }) => key === side && /^0+$/.test(value));
  return parts
    .map(({ key, value, isNamed }) => {
      const edge = isEdge(key === 'w' ? 'x' : key === 'h' ? 'y' : key);
      const isLength = (key === 'w' || key === 'h') && Number(value) > 1;
      const meant = !edge ? value : key === 'x' || key === 'y' ? '1' : isLength ? String(Number(value) - 1) : value;
      return isNamed ? `${key}=${meant}` : meant;
    })
    .join(':');
}

/** Replaces a position in words after a size: the last part of `crop=100:100:top-right`. */
const placeAfterSize = (filter: string): FilterMeaning =>
  row(filter, new RegExp(`^([^:]+:[^:]+):(${CORNER})$`, 'i'), (_all, size, place = '') => {
    const { x, y } = cornerOf(filter, place.replace(/upper/i, 'top').replace(/lower/i, 'bottom'));
    return `${size}:${x}:${y}`;
  });

/** Options of `drawtext`, and the names that ASS styles have for them. */
const STYLES: readonly (readonly [options: RegExp, style: string])[] = [
  [/^(?:font_?)?size$/, 'FontSize'],
  [/^(?:font_?|text_?|primary_?)?colou?r$/, 'PrimaryColour'],
  [/^(?:outline|border|stroke)_?colou?r$/, 'OutlineColour'],
  [/^font(?:_?name|_?family)?$/, 'FontName'],
  [/^(?:outline|border(?:w|_?width)?|stroke)$/, 'Outline'],
  [/^shadow$/, 'Shadow'],
  [/^bold$/, 'Bold'],
  [/^margin_?v$/, 'MarginV'],
];

/** Colours by name, in the byte order of ASS: blue, green, red. */
const ASS_COLOURS: Readonly<Record<string, string>> = {
  white: 'FFFFFF',
  black: '000000',
  yellow: '00FFFF',
  red: '0000FF',
  green: '008000',
  lime: '00FF00',
  blue: 'FF0000',
  cyan: 'FFFF00',
  magenta: 'FF00FF',
  orange: '00A5FF',
};

/** The value of a style. Accepts a colour by name or as RRGGBB, a number or a name. undefined for other values. */
function styleValue(style: string, value: string): string | undefined {
  if (!style.endsWith('Colour')) return /^[\w. -]+$/.test(value) ? value : undefined;
  const [, red = '', green = '', blue = ''] = /^(?:#|0x)?([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(value) ?? [];
  const name = value.toLowerCase();
  const hex = blue !== '' ? `${blue}${green}${red}` : Object.hasOwn(ASS_COLOURS, name) ? ASS_COLOURS[name] : undefined;
  return hex === undefined ? undefined : `&H${hex.toUpperCase()}`;
}

/** The options of `subtitles` with ASS styles in place of options of `drawtext`. Unchanged if an option has no style. */
function styledSubtitles(all: string, file: string, options: string): string {
  const sent = options.split(':');
  const styles = sent.flatMap((option) => {
    const [name = '', value = ''] = option.split('=');
    if (OF_SUBTITLES.test(name)) return [];
    const style = STYLES.find(([names]) => names.test(name.toLowerCase()))?.[1];
    const read = style === undefined ? undefined : styleValue(style, value.trim());
    return [read === undefined ? undefined : `${style}=${read}`];
  });
  const own = sent.filter((option) => OF_SUBTITLES.test(option.split('=')[0] ?? ''));
  return styles.length === 0 || styles.includes(undefined)
    ? all
    : [file, ...own, `force_style=${styles.join(',')}`].join(':');
}

/** Options of the filter `subtitles` itself. Other names in its options are meant as ASS styles. */
const OF_SUBTITLES = /^(?:f|filename|charenc|si|stream_index|alpha|original_size|fontsdir)$/;

const ROWS: readonly FilterMeaning[] = [
  row(
    'subtitles',
    /^([^=:]+|f(?:ilename)?=[^:]+):((?!.*force_style=)\w+=[^:=]+(?::\w+=[^:=]+)*)$/i,
    (all = '', file = '', options = '') => styledSubtitles(all, file, options),
  ),
  ...['pad', 'crop'].map(placeAfterSize),
  row('overlay', new RegExp(`^(?:${CENTER}|top|bottom)(?:[-_ :](?:${CENTER}|left|right))?$`, 'i'), corner),
  row(
    'overlay',
    new RegExp(`^(left|right|${CENTER}):(top|bottom|${CENTER}):(\\d+)$`, 'i'),
    (_all, x = '', y = '', margin = '') => {
      const at = cornerOf('overlay', `${y}-${x}`);
      const inside = (edge: string, side: string): string =>
        /left|top/i.test(side) ? margin : /right|bottom/i.test(side) ? `${edge}-${margin}` : edge;
      return `${inside(at.x, x)}:${inside(at.y, y)}`;
    },
  ),
  row(
    'drawtext overlay drawbox',
    /^((?:.*?:)?)(?:start|st|from|start_time)=([\d.]+)s?:(?:end|to|until|stop|end_time)=([\d.]+)s?(?=:|$)(.*)$/i,
    (...parts) => `${parts[1]}enable=between(t,${parts[2]},${parts[3]})${parts[4]}`,
  ),
  // The second value probably means a gain in dB. ffmpeg reads it as a width type, a number from 1 to 5.
  row('equalizer', /^(\d{2,5}):(?!\+?[1-5](?:\.\d+)?$)([-+]?\d{1,2}(?:\.\d+)?)(?:dB)?$/i, 'f=$1:g=$2'),
  // ffmpeg reads the first value of these filters as a frequency, not as a gain in dB.
  row('bass treble', /^([-+]?\d+(?:\.\d+)?)\s*dB$/i, 'g=$1'),
  row('xfade', /^((?:.*:)?transition=)cross-?fade(?=:|$)(.*)$/i, '$1fade$2'),
  // `pitch` is a factor. A number of semitones has a unit (`3 semitones`), or is a whole number with a sign (`+3`).
  row(
    'rubberband',
    /^((?:.*:)?pitch=)(?:([+-]?\d{1,2}(?:\.\d+)?)\s*(?:st|semitones?)|([+-]\d{1,2}))(?=:|$)(.*)$/i,
    (...parts) => {
      const factor = Number((2 ** (Number(parts[2] ?? parts[3]) / 12)).toFixed(4));
      return `${parts[1]}${factor}${parts[4]}`;
    },
  ),
  row('drawtext', /^((?:.*:)?)font=([^:]*[\\/])?([\w -]+)\.(?:ttf|otf|ttc)(?=:|$)(.*)$/i, (...parts) => {
    const family = (parts[3] ?? '').replace(/-(?:regular|bold|italic)$/i, '');
    return `${parts[1]}font=${family.charAt(0).toUpperCase()}${family.slice(1)}${parts[4]}`;
  }),
  row('overlay', /^((?:top|bottom)[-_ ](?:left|right)|(?:left|right)[-_ ](?:top|bottom)):(\d+)$/i, cornerAt),
  row('overlay', /^(?:left|right)(?:[-_ :](?:top|bottom|cent(?:er|re)|middle))?$/i, corner),
  row('crop pad', /^(\d+)\s*[x×]\s*(\d+)$/i, '$1:$2'),
  row('crop', /^(\d+)x(\d+)\+(\d+)\+(\d+)$/i, '$1:$2:$3:$4'),
  row('trim atrim', new RegExp(`^${NUMBER}s?\\s*(?:-|to|\\.\\.)\\s*${NUMBER}s?$`), 'start=$1:end=$2'),
  row('scale', /^(?:w(?:idth)?=)?(\d+)(?:px)?$/, '$1:-2'),
  row('scale', /^h(?:eight)?=(\d+)px$/, '-2:$1'),
  row('scale', /^(\d+)\s*%(?::\d+\s*%)?$/, 'iw*$1/100:-2'),
  row('scale', /^half$/i, 'iw/2:-2'),
  row('scale', /^((?:w(?:idth)?=)?\d+:(?:h(?:eight)?=)?)(?:auto|\?|any|keep)(?=:|$)(.*)$/i, '$1-2$2'),
  row('scale', /^((?:w(?:idth)?=)?)(?:auto|\?|any|keep)(?=:)(.*)$/i, '$1-2$2'),
  row(
    'fade afade',
    new RegExp(`^(in|out):(?:${SECONDS}|0):${SECONDS}$`, 'i'),
    (_all, type, start = '0', length) => `t=${type}:st=${start}:d=${length}`,
  ),
  // ffmpeg cannot count the start of a fade from the end. Leave the start out: a dry run then warns, and names the start that fits the
  // input.
  row(
    'fade afade',
    new RegExp(
      `^(?:t(?:ype)?=)?out:(?:(?:st|start_time|s|start_frame|ss)=)?(?:end|last|-\\d[^:]*|end\\s*-[^:]*|duration\\s*-[^:]*)(?::(?:d(?:uration)?=)?${NUMBER}\\s*(?:s(?:ecs?|econds?)?)?)?$`,
      'i',
    ),
    (_all, length) => (length === undefined ? 't=out' : `t=out:d=${length}`),
  ),
  row(
    'hqdn3d nlmeans unsharp deband vaguedenoiser atadenoise afftdn bm3d',
    /^(?:medium|normal|default|auto|standard|on|true|yes)$/i,
    '',
  ),
  row('tile', /^(\d+)\s*:\s*(\d+)$/, '$1x$2'),
  row('hflip vflip reverse areverse negate yadif bwdif', /^(?:true|yes|on|enabled?)$/i, ''),
  row('hflip vflip reverse areverse', /^1$/, ''),
  row('drawtext', /^((?:(?!\.(?:ttf|otf|ttc)$)[^:=/])+)$/i, 'text=$1'),
  row('volume', /^(?:volume=)?(?:mute|muted|silent|off|none)$/i, '0'),
  row('volume', /^(?:volume=)?(?:double)$/i, '2'),
  row('volume', /^(?:volume=)?(?:half)$/i, '0.5'),
  row('atempo', /^(?:tempo=)?(\d+(?:\.\d+)?)\s*x$/i, '$1'),
  row('atempo', /^(?:tempo=)?(\d+(?:\.\d+)?)\s*%$/, (_all, percent) => String(Number(percent) / 100)),
  row('setpts', /^(?:expr=)?(\d+(?:\.\d+)?)\s*x$/i, 'PTS/$1'),
  row('setpts asetpts', /^(?:expr=)?((?:\d*\.)?\d+)\s*pts$/i, '$1*PTS'),
  row('setpts asetpts', /^(?:expr=)?((?:\d*\.)?\d+)\s*\*\s*pts$/, '$1*PTS'),
  row('setpts asetpts', /^(?:expr=)?pts\s*([*/])\s*((?:\d*\.)?\d+)x?$/, 'PTS$1$2'),
  row('setpts asetpts', /^(?:expr=)?PTS\s*([*/])\s*((?:\d*\.)?\d+)x$/, 'PTS$1$2'),
  row('select', /^(?:expr=)?n==(\d+)$/, 'eq(n,$1)'),
  row('select', /^(?:expr=)?every\s+(\d+)(?:th|nd|rd)?(?:\s+frames?)?$/i, 'not(mod(n,$1))'),
  row('aformat', /^(mono|stereo|\d\.\d)$/, 'channel_layouts=$1'),
  row('thumbnail', new RegExp(`^(?:${SECONDS}|[\\d.]*:[\\d:.]+)$`), ''),
  row('fps', /^(?:fps=)?(?:ntsc[ _-]film|film[ _-]ntsc)$/i, 'ntsc_film'),
  row('hue', new RegExp(`^(?:[hs]=)?${GRAY}$`, 'i'), 's=0'),
  row('eq', new RegExp(`^(?:(?:contrast|saturation)=)?${GRAY}$`, 'i'), 'saturation=0'),
  // delogo rejects an area at the edge of the frame: one pixel of the frame must be around the area.
  row('delogo', /^(?=(?:.*:)?[xy]=0+(?::|$)|0+:|\d+:0+(?::|$)).*$/, (all) => insideBorder(all)),
  row(
    'amix mix tmix',
    new RegExp(`^((?:.*:)?weights=)(${SIGNED}(?:\\s*[,;]\\s*${SIGNED})+)(?=:|$)(.*)$`),
    (...parts) =>
      `${parts[1]}${(parts[2] ?? '')
        .split(/[,;]/)
        .map((one) => one.trim())
        .join(' ')}${parts[3]}`,
  ),
  row('loudnorm', /^(?:I=)?(-\d+(?:\.\d+)?)\s*(?:lufs|lkfs|db)$/i, 'I=$1'),
];

/** The maximum length of options that are read, in characters. Some patterns take quadratic time, and no useful fix is longer. */
const MAX_OPTIONS = 500;

/** The rows for each filter, in the order of the table. */
const ROWS_OF: ReadonlyMap<string, readonly FilterMeaning[]> = new Map(
  [...new Set(ROWS.flatMap(({ filters }) => [...filters]))].map((filter) => [
    filter,
    ROWS.filter(({ filters }) => filters.has(filter)),
  ]),
);

/** Whether the table has a row for a filter. */
export const mayMeanOtherText = (filter: string): boolean => ROWS_OF.has(filter);

/** The ffmpeg options that mean the same as the options a client sent. undefined: no row of the table matches. */
export function meantFilterText(filter: string, options: string): string | undefined {
  if (options.length > MAX_OPTIONS) return undefined;
  for (const { options: pattern, send } of ROWS_OF.get(filter) ?? []) {
    const match = pattern.exec(options.trim());
    if (match === null) continue;
    return typeof send === 'string' ? options.trim().replace(pattern, send) : send(...match);
  }
  return undefined;
}

const NEUTRAL_AT_ONE = /^(?:volume=volume|hue=s|eq=(?:contrast|saturation|gamma\w*))$/;

/** Whether the option is a factor for which 1 means no change. For such options, `+50%` means 1.5. */
export const isNeutralAtOne = (filter: string, option: string): boolean => NEUTRAL_AT_ONE.test(`${filter}=${option}`);

/** The length that 100% stands for, for options that are lengths in pixels. */
const WHOLES: Readonly<Record<string, readonly [x: string, y: string]>> = {
  overlay: ['W', 'H'],
  drawtext: ['w', 'h'],
  scale: ['iw', 'ih'],
  crop: ['iw', 'ih'],
  pad: ['iw', 'ih'],
  drawbox: ['iw', 'ih'],
  delogo: ['w', 'h'],
};

/** The length in pixels that 100% stands for: `iw` for the width of `crop`. undefined: the percentage is a plain factor. */
export function wholeOf(filter: string, option: string): string | undefined {
  const sides = WHOLES[filter];
  if (filter === 'drawtext' && option === 'fontsize') return 'h';
  if (/^(?:x|w|width|out_w)$/.test(option)) return sides?.[0];
  return /^(?:y|h|height|out_h)$/.test(option) ? sides?.[1] : undefined;
}
