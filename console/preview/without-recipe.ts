import type { ConversionRequest, DryRun, Recipe } from '@telecine/client';
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
 * @param plan The dry run of the request, which has the options and inputs of the request and of the recipe together. undefined: it has not
 * ended.
 */
export function withoutRecipe(
  { preset, input, inputs = input === undefined ? [] : [input], ...request }: ConversionRequest,
  recipe: Pick<Recipe, 'inputs' | 'request'> | undefined,
  plan: Pick<DryRun, 'parameters' | 'inputs'> | undefined,
): ConversionRequest | undefined {
  if (recipe === undefined || plan?.parameters === undefined || plan.inputs === undefined) return undefined;
  // An input that is an argument is not among the inputs.
  if (recipe.inputs.some(({ role }) => preset?.arguments?.[role] !== undefined)) return undefined;
  const format = request.format ?? recipe.request.format;
  return {
    ...request,
    inputs: inputs.map((one, index) => withOptions(one, plan.inputs?.[index])),
    ...(format !== undefined && { format }),
    // The dry run hides keys, which only the request has.
    parameters: { ...plan.parameters, ...request.parameters },
  };
}

type Input = NonNullable<ConversionRequest['inputs']>[number];

/** An input of the request with the options of the recipe, from the same input of the dry run. */
function withOptions(input: Input, planned: Input | undefined): Input {
  if (typeof planned !== 'object' || planned.parameters === undefined) return input;
  const own = typeof input === 'string' ? { input } : input;
  return { ...own, parameters: { ...planned.parameters, ...own.parameters } };
}
