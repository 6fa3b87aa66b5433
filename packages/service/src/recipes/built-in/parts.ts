import type { Recipe, RecipeArgument, RecipeInput } from '@telecine/contract/domain/recipe.ts';

/* What several recipes share. */

/** The `words` of a recipe, separated by commas: what people say, not what the documentation says. */
export const phrases = (text: TemplateStringsArray): readonly string[] =>
  text
    .join('')
    .split(',')
    .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));

type NumberArgument = Extract<RecipeArgument, { readonly type: 'number' }>;
/** The default of an argument, or whether it has to be sent. */
type Usual = number | 'required' | 'optional';

const defaultOf = (usual: Usual) =>
  typeof usual === 'number' ? { default: usual } : usual === 'required' ? ({ required: true } as const) : {};

/** An argument that is a number. */
export const number = (min: number, max: number, usual: Usual, description: string): NumberArgument => ({
  ...{ type: 'number', min, max },
  ...defaultOf(usual),
  description,
});

/** An argument that is a whole number. */
export const wholeNumber = (min: number, max: number, usual: Usual, description: string): NumberArgument => ({
  ...{ type: 'number', min, max, integer: true },
  ...defaultOf(usual),
  description,
});

/** An argument that is one of a few words. `choices`: the text that each word stands for. */
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

/** The containers for H.264. */
export const H264_FILES = ['mp4', 'mov', 'm4v', 'mkv'] as const;

/** H.264 that every player and browser shows. */
export const H264 = { 'c:v': 'libx264', preset: 'medium', crf: '{{quality}}', pix_fmt: 'yuv420p' } as const;
/** The same without a quality, for recipes that set a bit rate. */
export const H264_WITHOUT_CRF = { 'c:v': H264['c:v'], preset: H264.preset, pix_fmt: H264.pix_fmt } as const;

/** The argument `quality`. `choices`: the option of the encoder that each word stands for. */
export const qualityOf = (choices: Readonly<Record<'small' | 'good' | 'high' | 'best', string>>) =>
  ({
    quality: choice(
      choices,
      'good',
      'The quality of the video. Each step makes the file about one and a half times as large.',
    ),
  }) as const satisfies Readonly<Record<string, RecipeArgument>>;

export const H264_QUALITY = qualityOf({ small: '28', good: '23', high: '19', best: '16' });

/** Audio for players and browsers. The encoder chooses the bit rate: 69k for mono, 128k for stereo, 341k for 5.1 (aac_encode_init). */
export const AAC = { 'c:a': 'aac' } as const;
/** The same in stereo, because each browser mixes surround sound down in another way. */
export const STEREO_AAC = { ...AAC, 'b:a': '128k', ac: '2' } as const;
/** Audio for WebM. */
export const STEREO_OPUS = { 'c:a': 'libopus', 'b:a': '96k', ac: '2' } as const;

/**
 * Maps of the subtitles that the container holds, and their codec. MP4 holds only text. Matroska holds all kinds but mov_text, which
 * becomes SRT.
 *
 * @param mp4 The extensions of MP4 and its kin: `output.mp4|output.mov`.
 */
export const subtitlesIn = (mp4: string) => {
  const ofMp4 = (text: string): string =>
    `{{#${mp4}}}{{#input.textSubtitles}}${text}{{/input.textSubtitles}}{{/${mp4}}}`;
  return {
    map: `${ofMp4('0:s')}{{#output.mkv}}0:s?{{/output.mkv}}`,
    'c:s': `${ofMp4('mov_text')}{{#output.mkv}}{{#input.movTextSubtitles}}srt{{/input.movTextSubtitles}}{{^input.movTextSubtitles}}copy{{/input.movTextSubtitles}}{{/output.mkv}}`,
  };
};

/** Attachments, such as the fonts of subtitles. */
export const FONTS = '{{#output.mkv}}0:t?{{/output.mkv}}';

/** Lets an MP4 play while it loads. Other containers ignore it. */
export const FAST_START = { movflags: '+faststart' } as const;

/** An H.264 video with audio. The filters come before it. */
export const H264_VIDEO = { ...H264, ...AAC, ...FAST_START } as const;

/** The containers for audio alone. */
export const AUDIO_FILES = ['mp3', 'm4a', 'wav', 'flac', 'opus', 'ogg'] as const;

/** A recipe without what `filteredVideo` or `audioFile` adds. */
type RecipePart = Omit<Recipe, 'inputs' | 'outputs' | 'arguments' | 'request'> &
  Partial<Pick<Recipe, 'inputs' | 'outputs' | 'arguments'>> & { readonly parameters: Recipe['request']['parameters'] };

/**
 * A recipe that re-encodes a video as H.264 with AAC. Adds the argument `quality`, and the options of the encoders after `parameters`.
 */
export const filteredVideo = ({ inputs = [VIDEO], arguments: own, parameters, ...recipe }: RecipePart): Recipe =>
  inOrder({
    ...recipe,
    inputs,
    outputs: H264_FILES,
    arguments: { ...own, ...H264_QUALITY },
    request: { parameters: { ...parameters, ...H264_VIDEO } },
  });

/** A recipe that writes an audio file. Adds the option that leaves video out. */
export const audioFile = ({ outputs = AUDIO_FILES, arguments: own = {}, parameters, ...recipe }: RecipePart): Recipe =>
  inOrder({ ...recipe, inputs: [AUDIO], outputs, arguments: own, request: { parameters: { vn: '', ...parameters } } });

/** The members of a recipe in the order in which all recipes show them. */
const inOrder = ({ values, limits, request, ...recipe }: Recipe): Recipe => ({
  ...recipe,
  ...(values && { values }),
  ...(limits && { limits }),
  request,
});

/** Makes the sides even, which 4:2:0 needs. Screen recordings often have odd sides. */
export const EVEN = "scale='trunc(iw/2)*2':'trunc(ih/2)*2'";

/**
 * Scales to a width in square pixels, the only ones that viewers of images know. `options`: further options of `scale`, with a colon
 * before each.
 */
export const toSquarePixels = (width: string, options = ''): string =>
  `scale=${width}:'max(2,2*round(ow/dar/2))'${options},setsar=1`;

/** Scales down to a height, with even sides. */
export const TO_HEIGHT = "scale=-2:'trunc(min({{height}},ih)/2)*2'";

export const HEIGHT = {
  height: wholeNumber(
    16,
    4320,
    'optional',
    'The height in pixels. A lower video keeps its height. Default: the height of the input.',
  ),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** The filters for the argument of `HEIGHT`. */
export const FIT_HEIGHT = { vf: { when: 'height', value: TO_HEIGHT, otherwise: EVEN } } as const;

/** The places of a small video or image on a large video, for `overlay`. */
export const OVERLAY_PLACES = {
  'top-left': '{{margin}}:{{margin}}',
  'top-right': 'W-w-{{margin}}:{{margin}}',
  'bottom-left': '{{margin}}:H-h-{{margin}}',
  'bottom-right': 'W-w-{{margin}}:H-h-{{margin}}',
  centre: '(W-w)/2:(H-h)/2',
} as const;

export const MARGIN = {
  margin: wholeNumber(0, 2000, 16, 'The distance from the edges, in pixels.'),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** The names of the values that hold the three heights of a ladder. */
interface HeightNames {
  readonly high: string;
  readonly middle: string;
  readonly low: string;
}

/** Formulas of the heights of a ladder: the height of the video or the argument `top`, two thirds and a third of it, all even. */
export const ladderHeights = ({ high, middle, low }: HeightNames): Readonly<Record<string, string>> => ({
  [high]: '2 * floor(min(top, input.height) / 2)',
  [middle]: `2 * round(${high} / 3)`,
  [low]: `2 * round(${high} / 6)`,
});

/** The formula of a bit rate in kbit/s for a height: 5000 for 1920x1080, 2200 for 1280x720, 560 for 640x360. */
export const usualKilobits = (height: string): string =>
  `max(20, round(0.00242 * ${height} * ${height} * input.width / input.height))`;
