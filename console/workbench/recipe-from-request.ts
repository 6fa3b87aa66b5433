import type { ConversionRequest, RecipeDefinition } from '@telecine/client';

type Input = NonNullable<ConversionRequest['inputs']>[number];

/** The members of a request that a recipe can contain. */
export type RecipeSource = Pick<
  ConversionRequest,
  'input' | 'inputs' | 'output' | 'outputs' | 'format' | 'join' | 'parameters'
>;

/** Creates a recipe that does with any files what the request does with its files. */
export function recipeFromRequest(
  { inputs = [], output, outputs, format, join, parameters = {} }: RecipeSource,
  { title, version }: { readonly title: string; readonly version: number },
): RecipeDefinition {
  const paths = outputs?.map((one) => one.output) ?? [output ?? ''];
  return {
    version,
    title,
    description: `${title}. Made in the workbench.`,
    words: [],
    inputs: (inputs.length === 0 ? [''] : inputs).map(recipeInput),
    outputs: [extensionOf(paths[0])],
    arguments: {},
    request: {
      ...(format !== undefined && { format }),
      ...(join !== undefined && { join }),
      parameters,
      ...(outputs !== undefined && {
        outputs: outputs.map((one, i) => ({
          role: `output${i + 1}`,
          description: `Output ${i + 1}.`,
          ...(i > 0 && { suffix: `-${i + 1}.${extensionOf(one.output)}` }),
          ...(one.format !== undefined && { format: one.format }),
          parameters: one.parameters ?? {},
        })),
      }),
    },
  };
}

function recipeInput(input: Input, index: number): RecipeDefinition['inputs'][number] {
  const { parameters, duration, crossfade } = typeof input === 'string' ? {} : (input as Exclude<Input, string>);
  return {
    role: index === 0 ? 'source' : `source${index + 1}`,
    description: `Source ${index + 1}.`,
    ...(parameters !== undefined && { parameters }),
    ...(duration !== undefined && { duration }),
    ...(crossfade !== undefined && { crossfade }),
  };
}

const extensionOf = (path = ''): string => /\.([a-z0-9]{1,10})$/i.exec(path)?.[1]?.toLowerCase() ?? 'mp4';

/**
 * Makes the name of a recipe from its title: `For the shop!` becomes `for-the-shop`. A name begins with a letter. '': the title has no
 * letters or digits.
 */
export function recipeName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return /^\d/.test(name) ? `my-${name}` : name;
}
