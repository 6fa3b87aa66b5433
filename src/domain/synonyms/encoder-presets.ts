/**
 * Values of the option `preset` of encoders: of x264 and x265 by name, of NVENC by name and as `p1` to `p7`, of SVT-AV1 by
 * number. People send them as the name of a recipe, which is called `preset` too.
 */
const ENCODER_PRESET =
  /^(?:(?:ultra|super|very)?fast(?:er|est)?|medium|(?:very)?slow(?:er|est)?|placebo|p[1-7]|hq|hp|ll|llhq|llhp|lossless(?:hp)?|\d{1,2})$/i;

/** Whether a name is that of a preset of an encoder. */
export const isEncoderPreset = (name: string): boolean => ENCODER_PRESET.test(name.trim());

/** What a preset of HandBrake means here, as the "preset" of a request. */
interface RecipeOfPreset {
  readonly name: string;
  readonly arguments: { readonly height: number };
}

/** Recipes by the codec that the name of a preset of HandBrake has. The others write H.264. */
const RECIPES: readonly (readonly [codec: RegExp, recipe: string])[] = [
  [/\bh\.?265\b|\bhevc\b/i, 'web-hevc'],
  [/\bvp9\b/i, 'web-vp9'],
  [/\bav1\b/i, 'web-av1'],
];

/** The recipe that a preset of HandBrake means: `Fast 1080p30`, `H.265 MKV 720p30`. undefined for other names. */
export function recipeOfHandBrake(name: string): RecipeOfPreset | undefined {
  const lines = /^.{1,60}\s(\d{3,4})p\d{2}\b/.exec(name.trim())?.[1];
  if (lines === undefined) return undefined;
  const recipe = RECIPES.find(([codec]) => codec.test(name))?.[1] ?? 'web-h264';
  return { name: recipe, arguments: { height: Number(lines) } };
}
