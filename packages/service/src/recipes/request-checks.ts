import {
  type ConversionRequest,
  type FileSpec,
  optionText,
  REQUEST_LIMITS,
} from '@telecine/contract/domain/conversion.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { countOptions } from '@telecine/contract/domain/option-count.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import { referencesIn } from '@telecine/contract/domain/recipe-template.ts';
import { mayHoldUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { argumentField, type ReadArgument } from './arguments.ts';
import { requiredFactsOf, valuesOf } from './facts.ts';
import type { RoleInput } from './input-roles.ts';

/** What is wrong with a request for a recipe, whatever its options are. */
export const requestErrors = (
  request: ConversionRequest,
  recipe: RecipeDefinition,
  read: ReadonlyMap<string, ReadArgument>,
  inputs: readonly RoleInput[],
): readonly FieldError[] => [
  ...endErrors(recipe, read),
  ...outputErrors(request, recipe),
  ...urlErrors(recipe, inputs),
  ...cutErrors(request, recipe, read),
];

/** The extension of the first output in lower case. `.jpeg` is returned as `.jpg`. */
export function extensionOf({ output, outputs }: Pick<ConversionRequest, 'output' | 'outputs'>): string {
  const sent = extension((output ?? outputs?.[0]?.output ?? '') as MediaPath).toLowerCase();
  return sent === 'jpeg' ? 'jpg' : sent;
}

/** The errors for an end that is not after the start. */
function endErrors(recipe: RecipeDefinition, read: ReadonlyMap<string, ReadArgument>): readonly FieldError[] {
  const [start = { number: 0, value: '0' }, end] = [read.get('start'), read.get('end')];
  if (recipe.arguments['end']?.type !== 'time' || start.number === undefined || end?.number === undefined) return [];
  if (end.number > start.number) return [];
  return [
    {
      field: argumentField('end'),
      code: 'BAD_ARGUMENT',
      message: `"end" ${end.value} is not after "start" ${start.value}: both are times in the input.`,
    },
  ];
}

/** The error for an output that the recipe cannot write. A `format` of the client overrides the extension. */
function outputErrors(request: ConversionRequest, recipe: RecipeDefinition): readonly FieldError[] {
  const { output, outputs: listed } = request;
  const { name, outputs } = recipe;
  if (output === undefined && recipe.request.outputs === undefined) return [severalOutputs(name)];
  const sent = extensionOf(request);
  const format = listed?.[0]?.format ?? request.format;
  if (format !== undefined || outputs.includes(sent)) return masterErrors(request, recipe);
  const allowed = outputs.map((one) => `.${one}`);
  return [
    {
      field: output === undefined ? '/outputs/0/output' : '/output',
      code: 'OTHER_EXTENSION',
      message: `The recipe "${name}" writes ${allowed.join(', ')}, and the output is ${sent === '' ? 'without an extension' : `.${sent}`}.`,
      allowed,
    },
  ];
}

/** The error for an output without `%v` if the recipe writes a master playlist. Each version needs its own playlist. */
function masterErrors(
  { output = '', parameters = {} }: ConversionRequest,
  { name, request }: RecipeDefinition,
): readonly FieldError[] {
  const { var_stream_map: streams, master_pl_name: master } = request.parameters;
  if (streams === undefined || typeof master !== 'string' || output.includes('%v')) return [];
  if (Object.hasOwn(parameters, 'var_stream_map') || Object.hasOwn(parameters, 'master_pl_name')) return [];
  const folder = output.slice(0, output.lastIndexOf('/') + 1);
  if (output === `${folder}${master}`) return [];
  return [
    {
      field: '/output',
      code: 'BAD_FILE_NAME',
      message: `The recipe "${name}" writes several playlists and their master ${JSON.stringify(master)}, so its output needs "%v" in the name.`,
    },
  ];
}

const severalOutputs = (recipe: string): FieldError => ({
  field: '/outputs',
  code: 'EXCLUSIVE',
  message: `The recipe "${recipe}" writes one output, and the request has "outputs".`,
});

/**
 * The errors for inputs that are URLs, if a template contains the path of the input. A filter cannot read a URL, and job views, logs and
 * errors would show its secrets.
 */
function urlErrors(recipe: RecipeDefinition, inputs: readonly RoleInput[]): readonly FieldError[] {
  const { name } = recipe;
  const secret = inputs.filter(({ spec }) => mayHoldUrlSecrets(spec.input));
  if (secret.length === 0) return [];
  const references = new Set(valuesOf(recipe).flatMap((value) => [...referencesIn(value)]));
  return secret
    .filter(({ role }) => references.has(role.role))
    .map(({ role, field }) => ({
      field,
      code: 'NOT_A_FILE',
      message: `The recipe "${name}" needs the input "${role.role}" as a file, but the request has a URL.`,
    }));
}

/** The error for a request with `cut`, if the recipe computes with the length or the chapters of the uncut input. */
function cutErrors(
  { cut }: ConversionRequest,
  recipe: RecipeDefinition,
  read: ReadonlyMap<string, ReadArgument>,
): readonly FieldError[] {
  const required = requiredFactsOf(recipe, (name) => read.has(name));
  if (cut === undefined || !(['duration', 'partDuration', 'chapters'] as const).some((fact) => required.has(fact)))
    return [];
  return [
    {
      field: '/cut',
      code: 'EXCLUSIVE',
      message: `The recipe "${recipe.name}" computes with times of the input, but "cut" changes them. The output of a job with "cut" can be the input of the recipe.`,
    },
  ];
}

/** Checks the limits of a request in the request that runs. `areTooLong`: its texts were not all filled in. */
export function sizeErrors(
  { inputs = [], parameters = {}, outputs = [] }: ConversionRequest,
  { name: recipe }: RecipeDefinition,
  areTooLong: boolean,
): readonly FieldError[] {
  if (areTooLong)
    return [
      {
        field: '/preset',
        code: 'TOO_LONG',
        message: `The recipe "${recipe}" makes the request longer than ${REQUEST_LIMITS.bodyBytes} characters.`,
      },
    ];
  const errors: FieldError[] = [];
  if (inputs.length > REQUEST_LIMITS.inputs)
    errors.push({
      field: '/inputs',
      code: 'TOO_MANY',
      message: `With the inputs in "arguments", the request has ${inputs.length} inputs. At most ${REQUEST_LIMITS.inputs} are allowed.`,
    });
  const count = countOptions({ inputs, parameters, outputs });
  if (count > REQUEST_LIMITS.options)
    errors.push({
      field: '/preset',
      code: 'TOO_MANY',
      message: `With the options of the recipe "${recipe}", the request has ${count} options. At most ${REQUEST_LIMITS.options} are allowed.`,
    });
  const texts = [
    ...textsOf('', { parameters }),
    ...inputs.flatMap((input, index) => (typeof input === 'string' ? [] : textsOf(`/inputs/${index}`, input))),
    ...outputs.flatMap((output, index) => textsOf(`/outputs/${index}`, output)),
  ];
  for (const { at, name, text } of texts)
    if (text.length > REQUEST_LIMITS.optionValueLength)
      errors.push({
        field: at,
        code: 'TOO_LONG',
        message: `The recipe "${recipe}" makes "${name}" longer than ${REQUEST_LIMITS.optionValueLength} characters.`,
      });
  return errors;
}

/** The texts of an input or output that a recipe can fill in, with their JSON Pointers. `at`: the pointer of the input or output. */
function textsOf(at: string, { parameters = {}, duration, crossfade }: Partial<FileSpec>) {
  const options = Object.entries(parameters).flatMap(([name, value]) =>
    [optionText(value)].flat().map((text) => ({ at: `${at}/parameters/${pointerToken(name)}`, name, text })),
  );
  const times = Object.entries({ duration, crossfade });
  return [...options, ...times.map(([name, text = '']) => ({ at: `${at}/${name}`, name, text }))];
}
