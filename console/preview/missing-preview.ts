import type { ConversionRequest, Recipe } from '@telecine/client';
import { isStored } from '../media/media-address.ts';
import { hasPreview } from './without-recipe.ts';

/** The path of the first input of a request. undefined: there is no input, or a filtergraph makes it. */
export function firstSource({ input, inputs }: ConversionRequest): string | undefined {
  const [first] = inputs ?? [];
  return input ?? (typeof first === 'string' ? first : first?.input);
}

/** The reason why a request has no preview, and what to do. undefined: there is a preview. */
export function missingPreviewText(request: ConversionRequest, recipe?: Recipe): string | undefined {
  if (recipe !== undefined && !hasPreview(recipe))
    return 'There is no preview of a recipe that reads any number of files, or writes several. Convert the file to see the result.';
  if (request.join !== undefined)
    return 'There is no preview of joined sources. Convert each source by itself to see a preview of the first one.';
  if (!isStored(firstSource(request) ?? ''))
    return 'There is no preview of a source that the service does not store. Upload the file to see a preview.';
  return undefined;
}
