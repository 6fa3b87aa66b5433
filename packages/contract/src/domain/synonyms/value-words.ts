import { type Edits, leaveOut, orElse, sendOption } from '../edit.ts';
import type { Members } from '../structured-values.ts';

/*
 * The meanings of values that ffmpeg does not have: words instead of numbers, units, and names of other tools. A value of
 * this table comes before the name that is closest in spelling. It is suggested only if it is valid.
 */

interface ValueMeaning<Send> {
  /** The names of the options, without stream specifiers. */
  readonly options: ReadonlySet<string>;
  readonly values: RegExp;
  readonly send: Send | ((value: string) => Send);
}

const row = <Send>(options: string, values: RegExp, send: ValueMeaning<Send>['send']): ValueMeaning<Send> => ({
  options: new Set(options.split(' ')),
  values,
  send,
});

const kilo = (value: string): string => String(Math.round(Number.parseFloat(value.replace(',', '.')) * 1000));

/** A pixel format by the name of its chroma subsampling: `I420`, `yv12`, `4:2:0`, `YUV 4:2:0`, `420p`. */
const PIXELS = (digits: string): RegExp => {
  const spaced = [...digits].join('[: ]?');
  return new RegExp(`^(?:(?:yuv|ycbcr|i|j)?[ _-]?${spaced}[ _-]?(?:p|planar|sp|8[ _-]?bits?)?)$`, 'i');
};

/** Options of filters that are in milliseconds without a unit (ffmpeg-filters manual). */
const MILLISECONDS = [
  ...['acompressor', 'sidechaincompress', 'agate', 'sidechaingate', 'alimiter'].flatMap((filter) => [
    `${filter}=attack`,
    `${filter}=release`,
  ]),
  ...['dynaudnorm=framelen', 'dynaudnorm=f', 'aphaser=delay', 'flanger=delay', 'flanger=depth', 'stereowiden=delay'],
  ...['haas=left_delay', 'haas=right_delay', 'apulsator=ms', 'adeclick=window', 'adeclick=w', 'adeclip=window'],
].join(' ');

/** How many units make 10⁶ bytes, for each unit. */
const OF_MEGABYTE: Readonly<Record<string, number>> = {
  '': 1e6,
  k: 1e3,
  K: 1e3,
  ki: 977,
  Ki: 977,
  M: 1,
  Mi: 0.9537,
  G: 1e-3,
  Gi: 9.31e-4,
};

/** The fix for a size in `fs`. `fs` cuts the output at this size, but most clients want the whole video. `unit`: `M`, `Ki`, … or ''. */
export function fileSizeFix(digits: string, unit: string): string {
  const size = Number((Number(digits) / (OF_MEGABYTE[unit] ?? 1)).toPrecision(3));
  return `For the whole video in that size, send "preset": {"name":"target-size","arguments":{"size":${size}}} instead. For an output that ends at that size, even in the middle of the video, send "fs": ${JSON.stringify(`${digits}${unit}`)}.`;
}

/** The advice for a time such as "half" or "the middle". */
const TIMES = 'Send the time in seconds: half of the duration, which a probe of the input shows.';

/** The values to send. `$1`, … are parts of the sent value. `null`: leave the option out. */
const ROWS: readonly ValueMeaning<string | null>[] = [
  row('b b:v b:a maxrate minrate bufsize', /^\d+(?:\.\d+)?\s*MB\/s$/, (value) => `${Number.parseFloat(value) * 8}M`),
  row(
    'r s ar ac pix_fmt sample_fmt b g aspect fpsmax',
    /^(?:same|source|original|auto|default|keep|copy|input)$/i,
    null,
  ),
  row('hls_list_size', /^(?:all|unlimited|infinite|infinity|inf|max|none|-1)$/i, '0'),
  row('to t', /^(?:(?:the )?end|eof|full|all|auto)$/i, null),
  row('t', /^(?:the )?first\s+(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?$/i, '$1'),
  row('s', /^(?:same(?: (?:as|size).*)?|unchanged|input)$/i, null),
  row('r', /^(?:same(?: as.*)?|unchanged)$/i, null),
  row('r', /^(?:cinema(?:tic)?|film[ _-]?look|movie)$/i, '24'),
  row(
    'r',
    /^(\d{1,5}) ?(?:frames?|images?|pictures?)? ?(?:per|every|\/|each) ?(\d{1,5}(?:\.\d{1,3})?) ?(?:s|secs?|seconds?)$/i,
    '$1/$2',
  ),
  row('r', /^(?:one |1 )?(?:every|each) (\d+(?:\.\d+)?) ?(?:s|secs?|seconds?)$/i, '1/$1'),
  row('aspect', /^(?:vertical|portrait|upright|story|reels?)$/i, '9:16'),
  row('aspect', /^(?:landscape|horizontal)$/i, '16:9'),
  row('pix_fmt', /^(?:yuv|ycbcr)?[ _-]?4:?2:?0[ _-]*(?:p[ _-]?)?10[ _-]*(?:bits?)?(?:le)?$/i, 'yuv420p10le'),
  row('pix_fmt', /^(?:yuv|ycbcr)?[ _-]?4:?2:?2[ _-]*(?:p[ _-]?)?10[ _-]*(?:bits?)?(?:le)?$/i, 'yuv422p10le'),
  row('pix_fmt', /^(?:yuv|ycbcr)?[ _-]?4:?4:?4[ _-]*(?:p[ _-]?)?10[ _-]*(?:bits?)?(?:le)?$/i, 'yuv444p10le'),
  row('crf', /^(?:visually[ _-]?lossless|near[ _-]?lossless|very[ _-]?high|excellent)$/i, '18'),
  row(
    'b b:v b:a maxrate minrate bufsize',
    /^(\d+(?:\.\d+)?)\s*kilo[ -]?bits?(?:\s*(?:per|\/)\s*s(?:ec(?:ond)?)?)?$/i,
    '$1k',
  ),
  row(
    'b b:v b:a maxrate minrate bufsize',
    /^(\d+(?:\.\d+)?)\s*mega[ -]?bits?(?:\s*(?:per|\/)\s*s(?:ec(?:ond)?)?)?$/i,
    '$1M',
  ),
  row('colorspace color_primaries color_trc', /^(?:rec|bt|itu)[ ._-]*709$/i, 'bt709'),
  row('colorspace', /^(?:rec|bt|itu)[ ._-]*2020$/i, 'bt2020nc'),
  row('color_primaries', /^(?:rec|bt|itu)[ ._-]*2020$/i, 'bt2020'),
  row('profile', /^(?:h\.?26[45][ _-]?)?(baseline|main|high)[ _-]?profile$/i, (value) =>
    (/baseline|main|high/i.exec(value)?.[0] ?? value).toLowerCase(),
  ),
  row('ss', /^(?:start|beginning|begin)$/i, null),
  row('map_metadata map_chapters', /^(?:none|no|false|off|strip|remove)$/i, '-1'),
  row('map_metadata map_chapters', /^(?:all|yes|true|on|keep|copy|source)$/i, '0'),
  row('map', /^(video|audio|subtitle)s?$/i, (value) => `0:${value.charAt(0).toLowerCase()}`),
  row('map', /^(\d{1,3})\.(\d{1,3})$/, '$1:$2'),
  row('map', /^(?:all|everything|all streams|\*)$/i, '0'),
  row('hls_playlist_type', /^(?:live|none)$/i, null),
  row('ar', /^\d{1,2}[.,]\d{1,3}$/, kilo),
  row('tune', /^(?:movies?|cinema|video|live[ _-]?action)$/i, 'film'),
  row('tune', /^(?:anime|animated|cartoons?)$/i, 'animation'),
  row('tune', /^(?:streaming|live|low[ _-]?latency|latency|zero|fast)$/i, 'zerolatency'),
  row('tune', /^(?:photos?|picture|stillpicture|slideshow|image)$/i, 'stillimage'),
  row('preset', /^(?:best|highest|high[ _-]?quality|hq|quality|slowest)$/i, 'veryslow'),
  row('preset', /^(?:default|normal|balanced|standard|auto|good)$/i, 'medium'),
  row('preset', /^(?:fastest|speed|low)$/i, 'ultrafast'),
  row('crf', /^(?:high|best|good|hq|high[ _-]?quality)$/i, '18'),
  row('crf', /^(?:medium|normal|default|auto|standard|balanced)$/i, '23'),
  row('crf', /^(?:low|small|low[ _-]?quality)$/i, '28'),
  row('crf', /^lossless$/i, '0'),
  row('b:a', /^(?:high|best|hq)$/i, '192k'),
  row('b:a', /^(?:medium|normal|standard)$/i, '128k'),
  row('b:a', /^low$/i, '96k'),
  row('metadata', /^([\w-]+)\s*:\s*(\S.*)$/s, '$1=$2'),
  row(
    'force_key_frames',
    /^every\s+(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?$|^(\d+(?:\.\d+)?)\s*(?:secs?|seconds?)$/i,
    (value) => `expr:gte(t,n_forced*${/[\d.]+/.exec(value)?.[0] ?? '1'})`,
  ),
  row('force_key_frames', /^every\s+second$/i, 'expr:gte(t,n_forced)'),
  row('pix_fmt', PIXELS('420'), 'yuv420p'),
  row('pix_fmt', PIXELS('422'), 'yuv422p'),
  row('pix_fmt', PIXELS('444'), 'yuv444p'),
  row('pix_fmt', /^(?:yv12|iyuv|yuv|8[ _-]?bits?|4:2:0 8[ -]?bit)$/i, 'yuv420p'),
  row('pix_fmt', /^(?:10[ _-]?bits?|hdr|main10|(?:yuv)?420p?[ _-]?10[ _-]?(?:bits?|le)?)$/i, 'yuv420p10le'),
  row('pix_fmt', /^rgb$/i, 'rgb24'),
  row('pix_fmt', /^(?:grey|grayscale|greyscale|mono|y8)$/i, 'gray'),
  row('timecode', /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[:;.](\d{1,2}))?$/, (value) =>
    [...value.split(/[:;.]/), '0']
      .slice(0, 4)
      .map((part) => part.padStart(2, '0'))
      .join(':'),
  ),
  row('aspect', /^(?:widescreen|wide|hd)$/i, '16:9'),
  row('aspect', /^(?:square)$/i, '1:1'),
  row('aspect', /^(\d+)\s*(?:by|to|-)\s*(\d+)$/i, '$1:$2'),
  row('s', /^(?:hd|hd[ _-]?ready|720)$/i, 'hd720'),
  row('s', /^(?:full[ _-]?hd|fhd|1080)[pi]?$/i, 'hd1080'),
  row('s', /^(?:ultra[ _-]?hd|uhd|2160|uhd[ _-]?4k|4k[ _-]?uhd)p?$/i, 'uhd2160'),
  row('s', /^(?:wqhd|quad[ _-]?hd|1440p?)$/i, '2560x1440'),
  row('s', /^(?:sd|480)$/i, 'hd480'),
  row('s', /^540p?$/i, '960x540'),
  row('s', /^360p?$/i, '640x360'),
  row('s', /^240p?$/i, '426x240'),
  row('s', /^144p?$/i, '256x144'),
  row('s', /^(\d{2,5})(?:\s+|\s*(?:by|×|,|;|-)\s*)(\d{2,5})$/i, '$1x$2'),
  row('sample_fmt', /^(?:16|s16le|16[ _-]?bits?|int16)$/i, 's16'),
  row('sample_fmt', /^(?:24|32|24[ _-]?bits?|32[ _-]?bits?|s24|s24le|s32le|int32)$/i, 's32'),
  row('sample_fmt', /^(?:float|float32|f32|f32le)$/i, 'flt'),
  row('ch_layout channel_layout', /^(\d\.\d)[ _-]?(?:surround|ch|channels?)$/i, '$1'),
  row('ch_layout channel_layout', /^surround$/i, '5.1'),
  row('hls_segment_type', /^(?:ts|mpeg-?2?-?ts|\.ts)$/i, 'mpegts'),
  row('hls_segment_type', /^(?:m4s|cmaf|fragmented|fragmented[ _-]?mp4)$/i, 'fmp4'),
  row('movflags', /^(?:true|yes|on|web|optimi[sz]e|streamable|progressive)$/i, 'faststart'),
  row('color_range', /^(?:limited|studio|video|mpeg)$/i, 'tv'),
  row('color_range', /^(?:full|jpeg)$/i, 'pc'),
  row('fps_mode vsync', /^constant(?:[ _-]?frame[ _-]?rate)?$/i, 'cfr'),
  row('fps_mode vsync', /^variable(?:[ _-]?frame[ _-]?rate)?$/i, 'vfr'),
  row('loop', /^(?:forever|infinite|infinity|inf|always|yes|true)$/i, '0'),
  row('stream_loop', /^(?:forever|infinite|infinity|inf|always)$/i, '-1'),
  row('sc_threshold bf', /^(?:off|none|no|false|disabled?)$/i, '0'),
  row('strict', /^(?:exp|expermental|yes|true|on)$/i, 'experimental'),
  row('frames', /^(\d+)\s*frames?$/i, '$1'),
  row('scale=force_original_aspect_ratio', /^(?:yes|true|on|keep|fit|contain|preserve|inside|y)$/i, 'decrease'),
  row('scale=force_original_aspect_ratio', /^(?:crop|fill|cover|outside)$/i, 'increase'),
  row('scale=force_original_aspect_ratio', /^(?:no|false|off|n|none|ignore|stretch)$/i, 'disable'),
  row('transpose=dir', /^(?:\+?90|-270)(?:°|deg)?$|^(?:clockwise|right|cw)$/i, '1'),
  row('transpose=dir', /^(?:-90|270)(?:°|deg)?$|^(?:counter[ _-]?clockwise|left|ccw)$/i, '2'),
  row('fade=t fade=type afade=t afade=type', /^fade[ _-]?(in|out)$/i, (value) =>
    value.replace(/^fade[ _-]?/i, '').toLowerCase(),
  ),
  row('format=pix_fmts', PIXELS('420'), 'yuv420p'),
  row('format=pix_fmts', /^(?:10[ _-]?bits?)$/i, 'yuv420p10le'),
  row(
    'acompressor=threshold sidechaincompress=threshold agate=threshold sidechaingate=threshold agate=range alimiter=limit acompressor=makeup',
    /^(-\d{1,2}(?:\.\d+)?)\s*(?:db)?$/i,
    '$1dB',
  ),
  row(MILLISECONDS, /^(\d+(?:\.\d+)?)\s*(?:ms|msecs?|milliseconds?)$/i, '$1'),
  row(MILLISECONDS, /^(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)$/i, (value) =>
    String(Math.round(Number.parseFloat(value) * 1000)),
  ),
  row('yadif=mode bwdif=mode', /^(?:on|true|yes|default)$/i, 'send_frame'),
];

/** The advice for values that have several meanings, or no meaning for this option. */
const ADVICE: readonly ValueMeaning<Edits | string>[] = [
  row('ss', /^(?:the )?last\s+(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?$/i, (value) =>
    sendOption('sseof', `-${/\d+(?:\.\d+)?/.exec(value)?.[0]}`),
  ),
  row('ss t to', /^(?:half|(?:the )?(?:middle|mid|centre|center)(?: of .*)?)$/i, TIMES),
  row('ss to t', /^(?:frame ?#?(\d{1,9})|(\d{1,9}) ?frames?)$/i, (value) =>
    /^frame/i.test(value)
      ? `Send the time in seconds: ${/\d+/.exec(value)?.[0]} divided by the frame rate, which a probe of the input shows.`
      : orElse(
          sendOption('frames:v', String(/\d+/.exec(value)?.[0])),
          'the time in seconds: that number divided by the frame rate, which a probe of the input shows',
        ),
  ),
  row('to', /^-\s*(\d+(?:\.\d+)?)$/, 'Send the duration of the input, which a probe shows, minus $1 seconds.'),
  row('s', /^(?:half|half[ _-]?size|50 ?percent)$/i, sendOption('vf', 'scale=iw*50/100:-2')),
  row('s', /^(?:double|twice|2x)$/i, sendOption('vf', 'scale=iw*2:-2')),
  row(
    's',
    /^(?:vertical|portrait|square|story|reels?)$/i,
    'For an upright video, send "preset": {"name": "vertical"} beside "parameters", or for another shape "preset": {"name": "crop-to-aspect", "arguments": {"aspect": "1:1"}}.',
  ),
  row(
    'r',
    /^(?:half|double)$/i,
    (value) => `Send ${/half/i.test(value) ? 'half' : 'twice'} the frame rate of the input, which a probe shows.`,
  ),
  row(
    'b b:v',
    /^(?:very[ _-]?high|high|highest|medium|normal|low|lowest|good|best|max|maximum|hq|small)$/i,
    (value) =>
      `For a quality, send "crf": "${/high|best|good|max|hq/i.test(value) ? '18' : /low|small/i.test(value) ? '28' : '23'}" instead of a bit rate. For H.264, 18 is better and 28 smaller.`,
  ),
  row('fs', /^\d+(?:\.\d+)? ?(?:[kmg]i?(?:b|o)|(?:kilo|mega|giga)?(?: ?bytes?))$/i, (value) => {
    const [, digits = '', letter = '', binary = ''] = /^([\d.]+) ?([kmg]?)(i?)/i.exec(value) ?? [];
    return fileSizeFix(
      digits,
      `${letter.toLowerCase() === 'k' ? 'k' : letter.toUpperCase()}${letter === '' ? '' : binary}`,
    );
  }),
  row('tile=layout untile=layout', /^[1-9]\d?$/, (value) => {
    const side = Math.sqrt(Number(value));
    const [rows, all] = Number.isInteger(side) && side > 1 ? [side, value] : [Number(value), Number(value) ** 2];
    return `Send columns and rows: "${value}x1" for one row, or "${rows}x${rows}" for ${all} images.`;
  }),
  row('metadata', /^(?:none|no|false|off|strip|remove|clear|delete|empty)$/i, sendOption('map_metadata', '-1')),
  row('metadata', /^(?:all|yes|true|on|keep|copy|source|same)$/i, leaveOut()),
  row(
    'c:a',
    /^(?:none|no|off|false|no[ _-]?audio|no[ _-]?sound|mute|silent|disabled?|remove|null)$/i,
    sendOption('an', ''),
  ),
  row('c:v', /^(?:none|no|off|false|no[ _-]?video|disabled?|remove|null)$/i, sendOption('vn', '')),
  row('c:s', /^(?:none|no|off|false|no[ _-]?subtitles?|disabled?|remove|null)$/i, sendOption('sn', '')),
  row(
    'crf q:v',
    /^\d{1,3}(?:\.\d+)?\s*%$/,
    'It is not a percentage. Send "23" for H.264 (18 is better, 28 smaller), or for another encoder a value of its scale.',
  ),
  row(
    'q:a',
    /^\d{1,3}(?:\.\d+)?\s*%$/,
    'It is not a percentage. For MP3, send "0" for the best quality, "2" for a high one or "5" for a smaller file.',
  ),
];

/** The advice for an invalid value of an option. `option`: as for `meantValues`. undefined: nothing is known about the value. */
export function valueAdvice(option: string, value: string): Edits | string | undefined {
  const text = value.trim();
  const found = ADVICE.find(({ options, values }) => options.has(option) && values.test(text));
  if (typeof found?.send === 'function') return found.send(text);
  return typeof found?.send === 'string' ? text.replace(found.values, found.send) : found?.send;
}

/** The values that a client can mean by an invalid value. `option`: a name without specifier, or `FILTER=OPTION`. null: omit the option. */
export const meantValues = (option: string, value: string): readonly (string | null)[] =>
  ROWS.flatMap(({ options, values, send }) => {
    if (!options.has(option) || !values.test(value.trim())) return [];
    return [typeof send === 'string' ? value.trim().replace(values, send) : (send?.(value.trim()) ?? null)];
  });

/** A word without case, spaces, dashes, underscores and dots. */
export const bareWord = (word: string): string => word.toLowerCase().replaceAll(/[\s._-]/g, '');

/** Table rows for words with the same meaning. `words`: separated by spaces. */
export const sameMeaning = <T>(words: string, meaning: T): readonly [string, T][] =>
  words.split(' ').map((word) => [word, meaning]);

/* Words for the size of a frame: one side, or both sides with how the video fits into them. */

/** A side that ffmpeg computes from the other side: `640x?`, `640x-`, `640x-1`, `autox480`. */
const OPEN = '(?:-[12]?|\\?|auto|_)';

/** A width without a height. The first group is the width. */
export const WIDTH_ALONE = new RegExp(`^(\\d{2,5})(?:px|w)?\\s*[x×*:,]\\s*${OPEN}?$`, 'i');

/** A height without a width. The first group is the height. */
export const HEIGHT_ALONE = new RegExp(`^${OPEN}?\\s*[x×*:,]\\s*(\\d{2,5})(?:px|p|h)?$`, 'i');

/** Names that other services have for the way in which a video fits into a size. */
export const FIT_NAME =
  /^(?:crop|fit|mode|c|crop_?mode|fit_?mode|scale_?mode|resize_?(?:mode|strategy)|scaling_?behavior)$/i;

/** The name that other services have for the side that stays when a frame is cut. `g` with a number means the distance of key frames. */
export const GRAVITY_NAME = /^g(?:ravity)?$/i;

/** The `x:y` for "crop" or "pad". The smaller frame is in the middle unless the gravity names a side. */
function placeOf(gravity: string, isCut: boolean): string {
  const [wide, high] = isCut ? ['iw-ow', 'ih-oh'] : ['ow-iw', 'oh-ih'];
  const at = (first: RegExp, last: RegExp, room: string): string =>
    first.test(gravity) ? '0' : last.test(gravity) ? room : `(${room})/2`;
  const place = `${at(/west|left/i, /east|right/i, wide)}:${at(/north|top/i, /south|bottom/i, high)}`;
  return isCut && place === '(iw-ow)/2:(ih-oh)/2' ? '' : `:${place}`;
}

/** The filters that scale a frame to at least `scaled`, and then cut it to `size`. */
const cutFromSize = (scaled: string, size: string, gravity: string): string =>
  `scale=${scaled}:force_original_aspect_ratio=increase,crop=${size}${placeOf(gravity, true)}`;
/** The filters that scale a frame to at most `scaled`, and then add bars up to `size`. */
const paddedToSize = (scaled: string, size: string, gravity: string): string =>
  `scale=${scaled}:force_original_aspect_ratio=decrease,pad=${size}${placeOf(gravity, false)}`;

/** The filters that fit a video into a size, by `mode`: cut, with bars, or inside. `gravity`: the side that stays, such as `north_west`. */
export function fittedSize(width: string, height: string, mode: string, gravity = ''): string | undefined {
  if (![width, height].every((side) => /^\d{1,5}$/.test(side))) return undefined;
  const size = `${width}:${height}`;
  if (/^(?:l?fill|thumb|cover|crop|fillcrop|fill_?and_?crop|outside)$/i.test(mode))
    return cutFromSize(size, size, gravity);
  if (/pad$|^(?:letterbox|bars)$/i.test(mode)) return paddedToSize(size, size, gravity);
  if (/^(?:l?fit|m?fit|limit|inside|contain|min_?fit|max|preserve)$/i.test(mode))
    return `scale=${size}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  return mode === '' || /^(?:scale|stretch(?:_?to_?output)?|exact|distort)$/i.test(mode) ? `scale=${size}` : undefined;
}

/** Calls `fittedSize` with the members of an object. undefined: a side is missing, or the mode is unknown. */
export function fittedSizeOf(step: Members): string | undefined {
  const of = (word: RegExp): string => {
    const [, found] = Object.entries(step).find(([key]) => word.test(key)) ?? [];
    return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  };
  return fittedSize(of(/^w(?:idth)?$/i), of(/^h(?:eight)?$/i), of(FIT_NAME), of(GRAVITY_NAME));
}
