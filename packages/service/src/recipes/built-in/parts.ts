import type { ArgumentUnit, Recipe, RecipeArgument, RecipeInput } from '@telecine/contract/domain/recipe.ts';

/** Splits the `words` of a recipe at commas: words that people use for the task, and that the recipe does not contain. */
export const phrases = (text: TemplateStringsArray): readonly string[] =>
  text
    .join('')
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));

type NumberArgument = Extract<RecipeArgument, { readonly type: 'number' }>;
/** The default of an argument. `required`: the argument must be sent. `optional`: it has no default. */
type Usual = number | 'required' | 'optional';

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
/** AAC audio in stereo. Surround sound is mixed down here, because browsers mix it in different ways. */
export const STEREO_AAC = { ...AAC, 'b:a': '128k', ac: '2' } as const;
export const STEREO_OPUS = { 'c:a': 'libopus', 'b:a': '96k', ac: '2' } as const;

/**
 * The maps and the codec for the subtitles that an output can contain. MP4 can contain only text subtitles. Matroska can contain all kinds
 * except mov_text, which is converted to SRT.
 *
 * @param mp4 The extensions that are treated as MP4: `output.mp4|output.mov`.
 */
export const subtitlesIn = (mp4: string) => {
  const ofMp4 = (text: string): string =>
    `{{#${mp4}}}{{#input.textSubtitles}}${text}{{/input.textSubtitles}}{{/${mp4}}}`;
  return {
    map: `${ofMp4('0:s')}{{#output.mkv}}0:s?{{/output.mkv}}`,
    'c:s': `${ofMp4('mov_text')}{{#output.mkv}}{{#input.movTextSubtitles}}srt{{/input.movTextSubtitles}}{{^input.movTextSubtitles}}copy{{/input.movTextSubtitles}}{{/output.mkv}}`,
  };
};

/** Maps attachments, such as fonts for subtitles. Only Matroska can contain them. */
export const FONTS = '{{#output.mkv}}0:t?{{/output.mkv}}';

/** Lets an MP4 play before it is completely loaded. Other containers ignore it. */
export const FAST_START = { movflags: '+faststart' } as const;

/** The options of an H.264 video with audio. Add filters before them. */
export const H264_VIDEO = { ...H264, ...AAC, ...FAST_START } as const;

export const AUDIO_FILES = ['mp3', 'm4a', 'm4b', 'wav', 'flac', 'opus', 'ogg'] as const;

/** The parts of a recipe that `filteredVideo` and `audioFile` do not add themselves. */
type RecipePart = Omit<Recipe, 'inputs' | 'outputs' | 'arguments' | 'request'> &
  Partial<Pick<Recipe, 'inputs' | 'outputs' | 'arguments'>> & { readonly parameters: Recipe['request']['parameters'] };

/**
 * Defines a recipe that re-encodes a video as H.264 with AAC. Adds the argument `quality`, and appends the encoder options to `parameters`.
 */
export const filteredVideo = ({ inputs = [VIDEO], arguments: own, parameters, ...recipe }: RecipePart): Recipe =>
  inOrder({
    ...recipe,
    inputs,
    outputs: H264_FILES,
    arguments: { ...own, ...H264_QUALITY },
    request: { parameters: { ...parameters, ...H264_VIDEO } },
  });

/** Defines a recipe that writes an audio file. Adds the option that removes video. */
export const audioFile = ({ outputs = AUDIO_FILES, arguments: own = {}, parameters, ...recipe }: RecipePart): Recipe =>
  inOrder({ ...recipe, inputs: [AUDIO], outputs, arguments: own, request: { parameters: { vn: '', ...parameters } } });

/** Sorts the members of a recipe, so that all recipes show them in the same order. */
const inOrder = ({ values, limits, request, ...recipe }: Recipe): Recipe => ({
  ...recipe,
  ...(values && { values }),
  ...(limits && { limits }),
  request,
});

/** Makes width and height even, because 4:2:0 video requires it. Screen recordings often have odd sizes. */
export const EVEN = "scale='trunc(iw/2)*2':'trunc(ih/2)*2'";

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
