import type {
  ArgumentUnit,
  Recipe,
  RecipeArgument,
  RecipeInput,
  RecipeResult,
} from '@telecine/contract/domain/recipe.ts';

/** Splits the `words` of a recipe at commas: words that people use for the task, and that the recipe does not contain. */
export const phrases = (text: TemplateStringsArray): readonly string[] =>
  text
    .join('')
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));

type NumberArgument = Extract<RecipeArgument, { readonly type: 'number' }>;
/** The default of an argument. `required`: the argument must be sent. `optional`: it has no default. */
type Usual = number | 'required' | 'optional';

/** What a video is that is encoded. Without a map, the default track of the audio. */
export const ENCODED = {
  keeps: ['picture', 'sound', 'languages', 'subtitles', 'chapters', 'tags'],
} as const satisfies RecipeResult;
/** For recipes that write several tracks of pictures, or whose subtitles would not fit. */
export const WITHOUT_SUBTITLES = {
  keeps: ['picture', 'sound', 'languages', 'chapters', 'tags'],
} as const satisfies RecipeResult;
/** For recipes that change times. Chapters and subtitles would have those of the source. */
export const PART_OF = { keeps: ['picture', 'sound', 'languages', 'tags'] } as const satisfies RecipeResult;
export const COPIED = {
  keeps: ['picture', 'sound', 'all-sound', 'languages', 'subtitles', 'chapters', 'cover', 'tags', 'hdr', 'alpha'],
} as const satisfies RecipeResult;
/** An audio file. */
export const SOUND = { keeps: ['sound', 'languages', 'chapters', 'cover', 'tags'] } as const satisfies RecipeResult;

const defaultOf = (usual: Usual) =>
  typeof usual === 'number' ? { default: usual } : usual === 'required' ? ({ required: true } as const) : {};

export const number = (
  min: number,
  max: number,
  usual: Usual,
  description: string,
  unit?: ArgumentUnit,
): NumberArgument => ({
  ...{ type: 'number', min, max },
  ...(unit && { unit }),
  ...defaultOf(usual),
  description,
});

export const wholeNumber = (...definition: Parameters<typeof number>): NumberArgument => ({
  ...number(...definition),
  integer: true,
});

/** Declares that a height has no effect above that of the input. The templates and formulas of the recipe must limit it. */
export const atMostInput = (height: NumberArgument): NumberArgument => ({ ...height, cap: 'input.height' });

/** Defines an argument with a few allowed words. `choices`: the template text for each word. */
export const choice = <C extends string>(
  choices: Readonly<Record<C, string>>,
  usual: NoInfer<C>,
  description: string,
): RecipeArgument => ({ type: 'choice', choices, default: usual, description });

export const VIDEO = { role: 'film', description: 'A video.' } as const satisfies RecipeInput;
export const AUDIO = {
  role: 'sound',
  description: 'An audio file, or a video with audio.',
} as const satisfies RecipeInput;

export const H264_FILES = ['mp4', 'mov', 'm4v', 'mkv'] as const;

/** The options of H.264 that every player and browser can decode. */
export const H264 = { 'c:v': 'libx264', preset: 'medium', crf: '{{quality}}', pix_fmt: 'yuv420p' } as const;
/** The options of `H264` without `crf`, for recipes that set a bit rate. */
export const H264_WITHOUT_CRF = { 'c:v': H264['c:v'], preset: H264.preset, pix_fmt: H264.pix_fmt } as const;

/** Defines the argument `quality`. `choices`: the encoder option for each word. */
export const qualityOf = (choices: Readonly<Record<'small' | 'good' | 'high' | 'best', string>>) =>
  ({
    quality: choice(
      choices,
      'good',
      'The quality of the video. Each step makes the file about one and a half times as large.',
    ),
  }) as const satisfies Readonly<Record<string, RecipeArgument>>;

export const H264_QUALITY = qualityOf({ small: '28', good: '23', high: '19', best: '16' });

/**
 * AAC audio for players and browsers. The encoder chooses the bit rate: 69k for mono, 128k for stereo, 341k for 5.1 (`aac_encode_init`).
 */
export const AAC = { 'c:a': 'aac' } as const;
/** A section of a template. */
const section =
  (names: string) =>
  (text: string): string =>
    `{{#${names}}}${text}{{/${names}}}`;

/**
 * Limits the peaks of a mix to -2 dBTP, at 192 kHz, where the highest sample is close to the true peak. Encoders at the bit rates of recipes
 * exceed what they get by up to 2 dB (AES TD1008). What is quieter keeps the levels of ITU-R BS.775.
 */
const LIMIT = 'aresample=192000,alimiter=limit=0.794:level=0:latency=1,aresample=48000';
/**
 * The sample format of the limiter. As floating point, a mix above full scale reaches the limiter whole. With another format, ffmpeg 5.1 would
 * convert before the limiter, and then it cannot choose between two layouts.
 */
const mixTo = (layouts: string): string => `aformat=sample_fmts=dbl:channel_layouts=${layouts}`;

/** Mixes surround sound to stereo without clipping. Audio of unknown channels only gets a limiter at full scale, without effect on stereo. */
export const TO_STEREO = `{{#input.surround}}${mixTo('stereo')},${LIMIT}{{/input.surround}}`;
const MAYBE_TO_STEREO = `${TO_STEREO}{{^input.channels}}${mixTo('stereo|mono')},alimiter=limit=1:level=0:latency=1{{/input.channels}}`;
/** Mixes all channels to one without clipping. */
export const TO_MONO = `{{^input.mono}}${mixTo('mono')},${LIMIT}{{/input.mono}}`;

/** At most two channels: browsers mix surround sound in different ways. Mono stays mono, with the bit rate that the encoder chooses for it. */
const stereo = (bitRate: string) =>
  ({
    'b:a': { when: 'input.mono', otherwise: bitRate },
    ac: { when: 'input.mono', otherwise: '2' },
    af: MAYBE_TO_STEREO,
  }) as const;
export const STEREO_AAC = { ...AAC, ...stereo('128k') } as const;
export const STEREO_OPUS = { 'c:a': 'libopus', ...stereo('96k') } as const;
/** The same for videos that may have no audio at all. Mono has the rate that ffmpeg sets by default, because manifests of chunks state it. */
export const STEREO_AAC_IF_ANY = {
  'c:a': { when: 'input.sounds', value: AAC['c:a'] },
  'b:a': '{{#input.sounds}}{{^input.mono}}128k{{/input.mono}}{{#input.mono}}69k{{/input.mono}}{{/input.sounds}}',
  ac: '{{#input.sounds}}{{^input.mono}}2{{/input.mono}}{{/input.sounds}}',
  af: TO_STEREO,
} as const;

/**
 * The maps and the codec for the subtitles that an output can contain. MP4 and WebM can contain only text. Matroska can contain all kinds
 * except mov_text, which is converted to SRT.
 *
 * @param mp4 The extensions that are treated as MP4: `output.mp4|output.mov`.
 */
export const subtitlesIn = (mp4: string, codec = 'mov_text') => {
  const inMp4 = section(mp4);
  const text = section('input.textTracks');
  const inMkv = section('output.mkv');
  return {
    map: `${inMp4(text('{{input.textTracks}}'))}${inMkv('0:s?')}`,
    'c:s': `${inMp4(text(codec))}${inMkv('{{#input.movTextSubtitles}}srt{{/input.movTextSubtitles}}{{^input.movTextSubtitles}}copy{{/input.movTextSubtitles}}')}`,
    /** A text for the case that the input has subtitles that the output can contain. */
    ifAny: (what: string): string => `${inMp4(text(what))}${inMkv(section('input.subtitles')(what))}`,
  };
};

/** Keeps the subtitles of a video that is encoded as it is. Without subtitles, ffmpeg selects the streams itself. */
const keptSubtitles = (...outputs: Parameters<typeof subtitlesIn>) => {
  const { map, 'c:s': codec, ifAny } = subtitlesIn(...outputs);
  return {
    map: [ifAny('{{input.shown}}'), ifAny('{{#input.heard}}{{input.heard}}{{/input.heard}}'), ifAny(map)],
    'c:s': ifAny(codec),
  };
};
export const WITH_SUBTITLES = keptSubtitles('output.mp4|output.mov|output.m4v');
export const WITH_WEBVTT = keptSubtitles('output.webm', 'webvtt');
const OWN_TEXT = '{{^output.webm}}mov_text{{/output.webm}}{{#output.webm}}webvtt{{/output.webm}}';
export const WITH_TEXT = keptSubtitles('output.mp4|output.webm', OWN_TEXT);
/** The subtitles that a copy in any container for videos can contain. */
export const COPIED_SUBTITLES = subtitlesIn('output.mp4|output.mov|output.m4v|output.webm', OWN_TEXT);

/** Maps attachments, such as fonts for subtitles. Only Matroska can contain them. */
export const FONTS = '{{#output.mkv}}0:t?{{/output.mkv}}';

/**
 * Copies all tracks that the output can contain. Without maps, ffmpeg copies one of each kind.
 *
 * @param tracks The tracks of video and audio, as values of `map`.
 */
export const copyTracks = (...tracks: readonly string[]) => ({
  map: [...tracks, COPIED_SUBTITLES.map, FONTS],
  c: 'copy',
  'c:s': COPIED_SUBTITLES['c:s'],
});

/** Lets an MP4 play before it is completely loaded. Other containers ignore it. */
export const FAST_START = { movflags: '+faststart' } as const;

/** The options of an H.264 video with audio. Add filters before them. */
export const H264_VIDEO = { ...H264, ...AAC, ...FAST_START } as const;

export const AUDIO_FILES = ['mp3', 'm4a', 'm4b', 'wav', 'flac', 'opus', 'ogg'] as const;

/** A result with other times has no chapters: ffmpeg keeps their times, also after its end, so that the file seems longer. */
export const NO_CHAPTERS = { map_chapters: { when: 'input.chapterCount', value: '-1' } } as const;

/** The same for subtitles, which ffmpeg keeps in MKV by itself. */
export const NO_SUBTITLES = { sn: { when: 'output.mkv', value: '' } } as const;

/** The parts of a recipe that `filteredVideo` and `audioFile` do not add themselves. */
type RecipePart = Omit<Recipe, 'inputs' | 'outputs' | 'arguments' | 'request'> &
  Partial<Pick<Recipe, 'inputs' | 'outputs' | 'arguments'>> & { readonly parameters: Recipe['request']['parameters'] };

/**
 * Defines a recipe that re-encodes a video as H.264 with AAC. Adds the argument `quality`, and appends the encoder options to `parameters`.
 * Keeps the subtitles if the result says so; a recipe with maps has its own.
 */
export const filteredVideo = ({
  inputs = [VIDEO],
  arguments: own,
  parameters,
  result = ENCODED,
  ...recipe
}: RecipePart): Recipe =>
  inOrder({
    ...recipe,
    result,
    inputs,
    outputs: H264_FILES,
    arguments: { ...own, ...H264_QUALITY },
    request: {
      parameters: {
        ...parameters,
        ...(result.times && NO_CHAPTERS),
        ...H264_VIDEO,
        ...(result.keeps.includes('subtitles') ? WITH_SUBTITLES : result.times && NO_SUBTITLES),
      },
    },
  });

/** The tags of files in Ogg, which are those of their stream. */
export const TAGS_OF_OGG = section('input.taggedStream')('{{input.taggedStream}}');

/** The formats of ffmpeg that hold covers. */
const ALBUM = ['mp3', 'm4a', 'm4b', 'flac'];

/**
 * Defines a recipe that writes an audio file. Keeps the audio that ffmpeg selects, the covers that the output holds, the tags of Ogg, and 16 bits.
 * For MP3, the recipe mixes to stereo before the encoder, because the mix of the encoder would clip.
 */
export const audioFile = ({
  outputs = AUDIO_FILES,
  arguments: own = {},
  parameters,
  result = SOUND,
  ...recipe
}: RecipePart): Recipe => {
  const { af, ...others } = parameters;
  const inThese = (formats: readonly string[], text: string): readonly string[] => {
    const these = outputs.filter((one) => formats.includes(one));
    return these.length === 0 ? [] : [section(these.map((one) => `output.${one}`).join('|'))(text)];
  };
  const covers = inThese(ALBUM, '{{#input.covers}}{{input.covers}}{{/input.covers}}');
  const filters = [
    section('input.missingLayout')('aformat=channel_layouts={{input.missingLayout}}'),
    ...inThese(['mp3'], TO_STEREO.replace('aformat', ',aformat')),
    ...(typeof af === 'string' ? [`,${af}`] : []),
    ...inThese(
      ['opus', 'ogg', 'm4a', 'm4b'],
      section('input.opusLayout')(',aformat=channel_layouts={{input.opusLayout}}'),
    ),
  ];
  const [sixteenBits] = af === undefined ? [] : inThese(['flac'], section('input.sixteenBits')('s16'));
  return inOrder({
    ...recipe,
    result,
    inputs: [AUDIO],
    outputs,
    arguments: own,
    request: {
      parameters: {
        ...(covers.length === 0
          ? // The condition makes a lost cover known.
            { vn: { when: 'input.covers', value: '', otherwise: '' } }
          : {
              vn: { when: 'input.covers', otherwise: '' },
              map: ['{{#input.covers}}{{input.heard}}{{/input.covers}}', ...covers],
              'c:v': section('input.covers')('copy'),
            }),
        map_metadata: TAGS_OF_OGG,
        // A map of tags ends the copies of those of streams, such as languages.
        'map_metadata:s:a': TAGS_OF_OGG,
        af: filters.join(''),
        ...(sixteenBits && { sample_fmt: sixteenBits }),
        ...(result.times && NO_CHAPTERS),
        ...others,
      },
    },
  });
};

/** Sorts the members of a recipe, so that all recipes show them in the same order. */
const inOrder = ({ values, limits, request, ...recipe }: Recipe): Recipe => ({
  ...recipe,
  ...(values && { values }),
  ...(limits && { limits }),
  request,
});

/** Makes width and height even, because 4:2:0 video requires it. Screen recordings often have odd sizes. */
export const EVEN = "scale='trunc(iw/2)*2':'trunc(ih/2)*2'";

/** A text for the case that the output is an MP4 and does not hold the video, such as VP8. */
const ifRejected = (text: string) => ({ when: 'input.mp4Rejects', value: section('output.mp4|output.m4v')(text) });

/** Copies the video. An MP4 that does not hold it gets H.264. */
export const COPIED_VIDEO = {
  'c:v': {
    when: 'input.mp4Rejects',
    value: `${section('output.mp4|output.m4v')('libx264')}{{^output.mp4|output.m4v}}copy{{/output.mp4|output.m4v}}`,
    otherwise: 'copy',
  },
  // A section contains no quotes.
  vf: ifRejected(EVEN.replaceAll("'", '')),
  pix_fmt: ifRejected('yuv420p'),
} as const;

/**
 * Scales to a width with square pixels. Image viewers support no other pixels. `options`: further options of `scale`, each with a colon
 * before it.
 */
export const toSquarePixels = (width: string, options = ''): string =>
  `scale=${width}:'max(2,2*round(ow/dar/2))'${options},setsar=1`;

/** Scales down to a height and makes both sides even. */
export const TO_HEIGHT = "scale=-2:'trunc(min({{height}},ih)/2)*2'";

export const HEIGHT = {
  height: atMostInput(
    wholeNumber(
      16,
      4320,
      'optional',
      'The height in pixels. A lower video keeps its height. Default: the height of the input.',
      'px',
    ),
  ),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** The video filter for the argument `height`. Without the argument, only makes the sides even. */
export const FIT_HEIGHT = { vf: { when: 'height', value: TO_HEIGHT, otherwise: EVEN } } as const;

/** The `overlay` positions of a small video or image on a large video. */
export const OVERLAY_PLACES = {
  'top-left': '{{margin}}:{{margin}}',
  'top-right': 'W-w-{{margin}}:{{margin}}',
  'bottom-left': '{{margin}}:H-h-{{margin}}',
  'bottom-right': 'W-w-{{margin}}:H-h-{{margin}}',
  centre: '(W-w)/2:(H-h)/2',
} as const;

export const MARGIN = {
  margin: wholeNumber(0, 2000, 16, 'The distance from the edges, in pixels.', 'px'),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** The names of the three heights of a ladder, highest first. */
interface HeightNames {
  readonly high: string;
  readonly middle: string;
  readonly low: string;
}

/**
 * Formulas for the heights of a ladder: the full height (at most the argument `top`), two thirds of it, and one third of it. All are even.
 */
export const ladderHeights = ({ high, middle, low }: HeightNames): Readonly<Record<string, string>> => ({
  [high]: '2 * floor(min(top, input.height) / 2)',
  [middle]: `2 * round(${high} / 3)`,
  [low]: `2 * round(${high} / 6)`,
});

/** The formula for the bit rate in kbit/s at a height: 5000 for 1920x1080, 2200 for 1280x720, 560 for 640x360. */
export const usualKilobits = (height: string): string =>
  `max(20, round(0.00242 * ${height} * ${height} * input.width / input.height))`;
