import type { ConversionRequest, Recipe } from '@telecine/client';
import { PARTS } from './part-options.ts';

/**
 * Whether a recipe can have a preview: it writes one file, and consists only of options. If it chooses a part of the source, the preview
 * chooses another part. Further files, such as subtitles or a logo, are read as they are.
 */
export function hasPreview({ inputs, outputs, request }: Pick<Recipe, 'inputs' | 'outputs' | 'request'>): boolean {
  const [input, ...others] = inputs;
  return (
    input !== undefined &&
    inputs.every(({ many, duration, crossfade }) => (many ?? duration ?? crossfade) === undefined) &&
    Object.keys(input.parameters ?? {}).every((name) => PARTS.includes(name)) &&
    others.every(({ parameters }) => parameters === undefined) &&
    request.join === undefined &&
    request.outputs === undefined &&
    request.thumbnailTrack === undefined &&
    request.transcribe === undefined &&
    request.quality === undefined &&
    !outputs.some((extension) => extension === 'm3u8' || extension === 'mpd')
  );
}

/**
 * Converts a request with a recipe to an equal request without one.
 *
 * @param parameters The options of the request and of the recipe together, from a dry run. undefined: the dry run has not ended.
 */
export function withoutRecipe(
  { preset, ...request }: ConversionRequest,
  recipe: Pick<Recipe, 'inputs' | 'request'> | undefined,
  parameters: ConversionRequest['parameters'],
): ConversionRequest | undefined {
  if (recipe === undefined || parameters === undefined) return undefined;
  // An input that is an argument is not among the inputs.
  if (recipe.inputs.some(({ role }) => preset?.arguments?.[role] !== undefined)) return undefined;
  const format = request.format ?? recipe.request.format;
  return { ...request, ...(format !== undefined && { format }), parameters };
}
