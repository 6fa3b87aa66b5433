import type { ConversionRequest, Recipe } from '@telecine/client';
import { PARTS } from './part-options.ts';

/**
 * Whether a few seconds of what a recipe makes can be converted by options alone: it reads one file and writes one. A part of the
 * source that it chooses does not count, because a preview chooses its own.
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
    !outputs.some((extension) => extension === 'm3u8' || extension === 'mpd')
  );
}

/**
 * The request that does without its recipe what it does with it.
 *
 * @param parameters The options of the request and of the recipe together, as a dry run says them. Undefined while they are not known.
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
