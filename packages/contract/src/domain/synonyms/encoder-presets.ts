/** Values of the encoder option `preset`. Clients send them as the name of a recipe, because the request field is also called `preset`. */
const ENCODER_PRESET =
  /^(?:(?:ultra|super|very)?fast(?:er|est)?|medium|(?:very)?slow(?:er|est)?|placebo|p[1-7]|hq|hp|ll|llhq|llhp|lossless(?:hp)?|\d{1,2})$/i;

export const isEncoderPreset = (name: string): boolean => ENCODER_PRESET.test(name.trim());

/** The recipe and arguments for a preset of HandBrake, as the "preset" of a request. */
interface RecipeOfPreset {
  readonly name: string;
  readonly arguments: { readonly height: number };
}

/** Recipes by the codec in the name of a HandBrake preset. Presets without such a codec write H.264. */
const RECIPES: readonly (readonly [codec: RegExp, recipe: string])[] = [
  [/\bh\.?265\b|\bhevc\b/i, 'web-hevc'],
  [/\bvp9\b/i, 'web-vp9'],
  [/\bav1\b/i, 'web-av1'],
];

/** The recipe for a HandBrake preset: `Fast 1080p30`, `H.265 MKV 720p30`. undefined for other names. */
export function recipeOfHandBrake(name: string): RecipeOfPreset | undefined {
  const lines = /^.{1,60}\s(\d{3,4})p\d{2}\b/.exec(name.trim())?.[1];
  if (lines === undefined) return undefined;
  const recipe = RECIPES.find(([codec]) => codec.test(name))?.[1] ?? 'web-h264';
  return { name: recipe, arguments: { height: Number(lines) } };
}

/** Recipes by words in the names of presets of other services. The first matching row counts. */
const BY_WORDS: readonly (readonly [words: RegExp, recipe: string, writes: RegExp])[] = [
  [/\bpodcast\b/, 'podcast', /^mp3$/],
  [/\bmp3\b|\baudio only\b|\b(?:extract|only) audio\b/, 'mp3', /^mp3$/],
  [/\bwav\b/, 'wav', /^wav$/],
  [/\b(?:vertical|reels?|shorts?|stor(?:y|ies)|tiktok|snapchat)\b/, 'vertical', /^(?:mp4|mov|m4v|mkv)$/],
  [/\bthumbnail|\bposter\b|\bscreenshot\b|\bsnapshot\b/, 'poster', /^(?:jpg|png|webp)$/],
  [/\b(?:hevc|h265|x265)\b/, 'web-hevc', /^(?:mp4|mov|m4v|mkv)$/],
  [/\bav1\b/, 'web-av1', /^(?:webm|mkv|mp4)$/],
  [/\b(?:vp9|webm)\b/, 'web-vp9', /^(?:webm|mkv)$/],
  [/\b(?:small|tiny|compressed|low|email|whatsapp)\b/, 'compress', /^(?:mp4|mov|m4v|mkv)$/],
  [
    /\b(?:youtube|vimeo|facebook|instagram|twitter|linkedin|web|social|mp4|h264|x264|hd|fullhd|fhd|uhd|4k|sd|high|medium|default|standard|generic|universal)\b|\b\d{3,4}p?\b/,
    'web-h264',
    /^(?:mp4|mov|m4v|mkv)$/,
  ],
];

const LINES: readonly (readonly [words: RegExp, lines: number])[] = [
  [/\b(?:2160p?|4k|uhd)\b/, 2160],
  [/\b1440p?\b/, 1440],
  [/\b(?:1080p?\d{0,2}|fullhd|fhd)\b/, 1080],
  [/\b720p?\d{0,2}\b/, 720],
  [/\b(?:480p?|sd)\b/, 480],
  [/\b360p?\b/, 360],
  [/\b240p?\b/, 240],
];

/** Recipes that scale the video to a height. */
const SCALES = /^(?:web-|compress$|vertical$)/;

/** The recipe for a preset of another service: `youtube_1080p`, `discord_8mb`. `extension`: the file type that the recipe must write. */
export function recipeOfName(
  name: string,
  extension: string,
): { readonly name: string; readonly arguments?: Readonly<Record<string, number>> } | undefined {
  const words = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\b(full|ultra) hd\b/g, '$1hd')
    .trim();
  const size = /\b(\d{1,4}) ?mb\b/.exec(words)?.[1];
  if (size !== undefined && /^(?:mp4|mov|m4v)$/.test(extension))
    return { name: 'target-size', arguments: { size: Number(size) } };
  const [, recipe, writes] = BY_WORDS.find(([pattern]) => pattern.test(words)) ?? [];
  if (recipe === undefined || writes?.test(extension) !== true) return undefined;
  const lines = SCALES.test(recipe) ? LINES.find(([pattern]) => pattern.test(words))?.[1] : undefined;
  return { name: recipe, ...(lines !== undefined && { arguments: { height: lines } }) };
}
