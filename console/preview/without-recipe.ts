import type { ConversionRequest, Recipe } from '@telecine/client';
import { PARTS } from './part-options.ts';

/**
 * Whether a recipe can have a preview: it reads one file, writes one file, and consists only of options. If it chooses a part of the source,
 * the preview chooses another part.
 */
export function hasPreview({ inputs, outputs, request }: Pick<Recipe, 'inputs' | 'outputs' | 'request'>): boolean {
  const [input] = inputs;
  return (
    inputs.length === 1 &&
    input?.many !== true &&
    Object.keys(input?.parameters ?? {}).every((name) => PARTS.includes(name)) &&
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
  { preset: _, ...request }: ConversionRequest,
  recipe: Pick<Recipe, 'request'> | undefined,
  parameters: ConversionRequest['parameters'],
): ConversionRequest | undefined {
  if (recipe === undefined || parameters === undefined) return undefined;
  const format = request.format ?? recipe.request.format;
  return { ...request, ...(format !== undefined && { format }), parameters };
}
