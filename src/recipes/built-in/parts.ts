import type { RecipeArgument, RecipeInput } from '../../domain/recipe.ts';

/* What many recipes have in common. */

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

/** The same for numbers without decimals. */
export const wholeNumber = (min: number, max: number, usual: Usual, description: string): NumberArgument => ({
  ...{ type: 'number', min, max, integer: true },
  ...defaultOf(usual),
  description,
});

/** An argument that is one of a few words, with what each stands for. */
export const choice = <C extends string>(
  choices: Readonly<Record<C, string>>,
  usual: NoInfer<C>,
  description: string,
): RecipeArgument => ({ type: 'choice', choices, default: usual, description });

export const FILM = { role: 'film', description: 'A video.' } as const satisfies RecipeInput;
export const SOUND = { role: 'sound', description: 'A sound, or a video with sound.' } as const satisfies RecipeInput;

/** What an H.264 film can be in. */
export const H264_FILES = ['mp4', 'mov', 'm4v', 'mkv'] as const;

/** H.264 that every player and browser shows. */
export const H264 = { 'c:v': 'libx264', preset: 'medium', crf: '{{quality}}', pix_fmt: 'yuv420p' } as const;
/** The same without a quality. */
export const H264_PICTURE = { 'c:v': H264['c:v'], preset: H264.preset, pix_fmt: H264.pix_fmt } as const;

/** The argument `quality`, with what its choices stand for in an encoder. */
export const qualityOf = (choices: Readonly<Record<'small' | 'good' | 'high' | 'best', string>>) =>
  ({
    quality: choice(
      choices,
      'good',
      'The quality of the picture. Each step makes the file about one and a half times as large.',
    ),
  }) as const satisfies Readonly<Record<string, RecipeArgument>>;

export const H264_QUALITY = qualityOf({ small: '28', good: '23', high: '19', best: '16' });

/**
 * Sound for film players and browsers. Without a bit rate, the encoder takes one by the channels: 69k for mono, 128k for stereo, 341k
 * for 5.1 (aac_encode_init in aacenc.c).
 */
export const AAC = { 'c:a': 'aac' } as const;
/** The same without surround, which browsers mix down themselves, each in another way. */
export const STEREO_AAC = { ...AAC, 'b:a': '128k', ac: '2' } as const;
/** Sound for WebM. */
export const STEREO_OPUS = { 'c:a': 'libopus', 'b:a': '96k', ac: '2' } as const;

/**
 * Maps of the subtitles that the container holds, and their codec. Films like MP4 hold only those that are text, Matroska all but those
 * of MP4, which become SRT.
 *
 * @param mp4 The extensions like MP4: `output.mp4|output.mov`.
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

/** An MP4 that plays while it loads. Other containers ignore it. */
export const FAST_START = { movflags: '+faststart' } as const;

/** An H.264 film with sound. The filters come before it. */
export const H264_FILM = { ...H264, ...AAC, ...FAST_START } as const;

/** What sound alone can be in. */
export const SOUND_FILES = ['mp3', 'm4a', 'wav', 'flac', 'opus', 'ogg'] as const;

/** The film with even sides, which 4:2:0 needs. Screen recordings often have odd ones. */
export const EVEN = "scale='trunc(iw/2)*2':'trunc(ih/2)*2'";

/**
 * Scales to a width in square pixels. Viewers of pictures and animations know no others, so a film whose pixels are not square,
 * such as that of a DVD, would look squeezed.
 *
 * @param options Further options of `scale`, with a colon before each.
 */
export const toSquarePixels = (width: string, options = ''): string =>
  `scale=${width}:'max(2,2*round(ow/dar/2))'${options},setsar=1`;

/** At most so high, with even sides. */
export const TO_HEIGHT = "scale=-2:'trunc(min({{height}},ih)/2)*2'";

export const HEIGHT = {
  height: wholeNumber(16, 4320, 'optional', 'The height in pixels. A lower film keeps its height. Default: as it is.'),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** What `HEIGHT` does. */
export const FIT_HEIGHT = { vf: { when: 'height', value: TO_HEIGHT, otherwise: EVEN } } as const;

/** The places of a small picture on a large one, for `overlay`. */
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

/** Formulas of the heights of a ladder: that of the film or of the argument `top`, two thirds and a third of it, all even. */
export const ladderHeights = ({ high, middle, low }: HeightNames): Readonly<Record<string, string>> => ({
  [high]: '2 * floor(min(top, input.height) / 2)',
  [middle]: `2 * round(${high} / 3)`,
  [low]: `2 * round(${high} / 6)`,
});

/**
 * The formula of a bit rate in kbit/s that suits pictures of a height in the shape of the film: 5000 for 1920x1080, 2200 for
 * 1280x720, 560 for 640x360.
 */
export const usualKilobits = (height: string): string =>
  `max(20, round(0.00242 * ${height} * ${height} * input.width / input.height))`;
