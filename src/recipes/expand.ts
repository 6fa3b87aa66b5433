import type { ConversionRequest, InputSpec, OptionValue, Parameters } from '../domain/conversion.ts';
import { extension, type MediaPath } from '../domain/media-path.ts';
import { type FieldError, pointerToken } from '../domain/problem.ts';
import type { Preset, Recipe, RecipeInput, RecipeValue } from '../domain/recipe.ts';
import { mayHoldUrlSecrets } from '../domain/url-input.ts';
import { argumentField, printNumber, type ReadArgument, readArguments } from './arguments.ts';
import { parseExpression } from './expression.ts';
import { factsOf, type InputFacts } from './facts.ts';
import { assignInputs, type RoleInput } from './input-roles.ts';
import { canonicalName, overrideParameters } from './override.ts';
import { conditionsIn, fillValue, type IsSet, type LookUp, referencesIn } from './template.ts';
import { correctArguments } from './unknown-arguments.ts';

/** A request whose recipe is applied. */
export interface ExpandedRequest {
  /** What runs. Its `preset` says which recipe of which version was applied, with all arguments. */
  readonly request: ConversionRequest;
  /** Where the client set what is at `field` of that request: `/parameters/crf` → `/preset/arguments/quality`. */
  fieldOf(field: string): string;
}

export type ExpandedOrErrors =
  | ({ readonly ok: true } & ExpandedRequest)
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Applies a recipe to a request. A pure function. The client's own `parameters`, `format` and options of inputs are stronger
 * than those of the recipe.
 *
 * @param facts Those of the first input, at least the ones that `factsOf` names, as far as they are known.
 */
export function expandPreset(
  request: ConversionRequest,
  preset: Preset,
  recipe: Recipe,
  facts: InputFacts = {},
): ExpandedOrErrors {
  const errors: FieldError[] = [];
  // With the arguments that the client meant, so that none of those is missing too.
  const corrected = correctArguments(recipe, preset.arguments);
  errors.push(...corrected.errors);
  const read = readArguments(recipe, corrected.arguments, errors);
  const inputs = assignInputs(request, { ...preset, arguments: corrected.arguments }, recipe, errors);
  const wrongOutput = outputError(request, recipe);
  if (wrongOutput !== undefined) errors.push(wrongOutput);
  errors.push(...urlErrors(recipe, inputs));
  if (errors.length > 0) return { ok: false, errors };
  const scope = createScope(recipe, read, inputs, extensionOf(request), facts, errors);
  if (errors.length > 0) return { ok: false, errors };

  const fields = new Map<string, string>();
  const specs = inputs.map((input, index) => expandInput(input, `/inputs/${index}`, scope, fields));
  const own = fillParameters(recipe.request.parameters, scope);
  const parameters = overrideParameters(own, request.parameters);
  const isOwn = (name: string): boolean => !Object.hasOwn(request.parameters ?? {}, name);
  for (const name of Object.keys(parameters))
    if (isOwn(name)) fields.set(`/parameters/${pointerToken(name)}`, scope.fieldOf(recipe.request.parameters[name]));
  const format = request.format ?? recipe.request.format;
  if (request.format === undefined && format !== undefined) fields.set('/format', '/preset');
  const [first] = specs;
  const isSingle = specs.length === 1 && typeof first === 'string';
  if (isSingle) fields.set('/input', inputs[0]?.field ?? '/input');
  const { input: _, inputs: __, preset: ___, format: ____, parameters: _____, ...rest } = request;
  return {
    ok: true,
    request: {
      ...(isSingle ? { input: first } : { inputs: specs }),
      ...rest,
      ...(format !== undefined && { format }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
      preset: { ...appliedPreset(recipe, read), options: Object.keys(parameters).filter(isOwn) },
    },
    fieldOf: (field) => sentField(field, fields),
  };
}

/** The preset with its version and the arguments that it was applied with. Inputs are in `inputs` of the request. */
function appliedPreset({ name, version }: Recipe, read: ReadonlyMap<string, ReadArgument>): Preset {
  const values = [...read].map(([argument, { value }]) => [argument, value] as const);
  return { name, version, ...(values.length > 0 && { arguments: Object.fromEntries(values) }) };
}

/** The names that templates of a recipe refer to. */
interface Scope {
  readonly lookUp: LookUp;
  readonly isSet: IsSet;
  /** Where the client set a value: at the argument that it depends on, or else at the preset. */
  fieldOf(value: RecipeValue | undefined): string;
}

function createScope(
  recipe: Recipe,
  read: ReadonlyMap<string, ReadArgument>,
  inputs: readonly RoleInput[],
  container: string,
  facts: InputFacts,
  errors: FieldError[],
): Scope {
  for (const fact of factsOf(recipe))
    if (facts[fact] === undefined)
      errors.push({
        field: inputs[0]?.field ?? '/input',
        code: 'UNKNOWN_FACT',
        message: `The recipe "${recipe.name}" needs the ${FACT_NAMES[fact]} of the input, which has none.`,
        fix: 'Send a film or sound whose container states it, or use another recipe.',
      });
  if (errors.length > 0) return NO_SCOPE;
  const numbers = new Map<string, number>([['inputs.count', inputs.length]]);
  for (const [name, { number }] of read) if (number !== undefined) numbers.set(name, number);
  for (const [fact, number] of Object.entries(facts)) numbers.set(`input.${fact}`, number);
  /** The arguments that the client sent and a value depends on. */
  const causes = new Map<string, ReadonlySet<string>>();
  const causesOf = (names: Iterable<string>): ReadonlySet<string> =>
    new Set([...names].flatMap((name) => [...(causes.get(name) ?? (read.get(name)?.isSent === true ? [name] : []))]));
  for (const [name, text] of Object.entries(recipe.values ?? {})) {
    const expression = parseExpression(text);
    const number = expression.evaluate((one) => numbers.get(one));
    causes.set(name, causesOf(expression.names));
    if (number !== undefined) numbers.set(name, number);
  }
  const roles = new Set([...inputs.map(({ role }) => role.role), `output.${container}`]);
  const scope: Scope = {
    lookUp: (name) => {
      const argument = read.get(name);
      if (argument !== undefined) return argument;
      const number = numbers.get(name);
      if (number !== undefined) return { text: printNumber(number), kind: 'plain' };
      const input = inputs.find(({ role }) => role.role === name);
      return input && { text: input.spec.input, kind: 'free' };
    },
    isSet: (name) =>
      roles.has(name) ||
      // The time 0 is a time like others; the number 0 means none.
      (recipe.arguments[name]?.type === 'time' ? read.has(name) : Boolean(numbers.get(name) ?? read.get(name)?.value)),
    fieldOf: (value) => {
      const names = [...referencesIn(value), ...conditionsIn(value)];
      // A filter opens the file of this role.
      const file = inputs.find(({ role }) => [...referencesIn(value)].includes(role.role));
      if (file !== undefined) return file.field;
      const [cause, ...others] = causesOf(names);
      return cause !== undefined && others.length === 0 ? argumentField(cause) : '/preset';
    },
  };
  return scope;
}

const NO_SCOPE: Scope = { lookUp: () => undefined, isSet: () => false, fieldOf: () => '/preset' };

const FACT_NAMES = {
  duration: 'duration',
  width: 'width',
  height: 'height',
  fps: 'frame rate',
  sounds: 'sound streams',
} as const;

function expandInput(
  { role, spec, field }: RoleInput,
  pointer: string,
  scope: Scope,
  fields: Map<string, string>,
): string | InputSpec {
  const own = fillParameters(role.parameters ?? {}, scope);
  const parameters = overrideParameters(own, spec.parameters);
  const duration = spec.duration ?? text(fillValue('duration', role.duration, scope.lookUp, scope.isSet));
  const crossfade = spec.crossfade ?? text(fillValue('crossfade', role.crossfade, scope.lookUp, scope.isSet));
  fields.set(pointer, field);
  fields.set(`${pointer}/input`, field);
  for (const name of Object.keys(own))
    if (!Object.hasOwn(spec.parameters ?? {}, name))
      fields.set(`${pointer}/parameters/${pointerToken(name)}`, scope.fieldOf(role.parameters?.[name]));
  for (const name of ['duration', 'crossfade'] as const)
    if (spec[name] === undefined) fields.set(`${pointer}/${name}`, scope.fieldOf(role[name]));
  const hasParameters = Object.keys(parameters).length > 0;
  if (!hasParameters && duration === undefined && crossfade === undefined) return spec.input;
  return {
    input: spec.input,
    ...(hasParameters && { parameters }),
    ...(duration !== undefined && { duration }),
    ...(crossfade !== undefined && { crossfade }),
  };
}

const text = (value: OptionValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const fillParameters = (options: NonNullable<RecipeInput['parameters']>, { lookUp, isSet }: Scope): Parameters =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, OptionValue][] => {
      const filled = fillValue(canonicalName(name), value, lookUp, isSet);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );

/** The extension of the output, in lower case. `.jpeg` counts as `.jpg`. */
function extensionOf({ output = '' }: Pick<ConversionRequest, 'output'>): string {
  const sent = extension(output as MediaPath).toLowerCase();
  return sent === 'jpeg' ? 'jpg' : sent;
}

const SEVERAL_OUTPUTS: FieldError = {
  field: '/outputs',
  code: 'EXCLUSIVE',
  message: 'A recipe writes one output, and the request has "outputs".',
  fix: 'Send "output" with "preset", or leave "preset" out.',
};

/** The error for an output that the recipe does not write. The format of the client is stronger than the extension. */
function outputError({ output, format }: ConversionRequest, { name, outputs }: Recipe): FieldError | undefined {
  if (output === undefined) return SEVERAL_OUTPUTS;
  const sent = extensionOf({ output });
  if (format !== undefined || outputs.includes(sent)) return undefined;
  const allowed = outputs.map((one) => `.${one}`);
  return {
    field: '/output',
    code: 'OTHER_EXTENSION',
    message: `The recipe "${name}" writes ${allowed.join(', ')}, and the output is ${sent === '' ? 'without an extension' : `.${sent}`}.`,
    allowed,
    fix: `Send an output that ends with "${allowed[0]}".`,
  };
}

/**
 * The errors for URLs as inputs that options refer to, such as the file of `subtitles`. A filter cannot read a URL, and the
 * error about that option would show the password or signature in it.
 */
function urlErrors({ name, request }: Recipe, inputs: readonly RoleInput[]): readonly FieldError[] {
  const references = new Set(Object.values(request.parameters).flatMap((value) => [...referencesIn(value)]));
  return inputs
    .filter(({ role, spec }) => references.has(role.role) && mayHoldUrlSecrets(spec.input))
    .map(({ role, field }) => ({
      field,
      code: 'NOT_A_FILE',
      message: `The recipe "${name}" needs "${role.role}" as a file, and the request has a URL.`,
      fix: 'Upload the file, and send its path.',
    }));
}

/** The field of the client for a field of the expanded request, or for a part of one: `/inputs/0/input` → `/input`. */
function sentField(field: string, fields: ReadonlyMap<string, string>): string {
  for (let at = field; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const sent = fields.get(at);
    if (sent === undefined) continue;
    // A part of an option of the recipe is in no field of the client.
    return sent.startsWith('/preset') ? sent : `${sent}${field.slice(at.length)}`;
  }
  return field;
}
