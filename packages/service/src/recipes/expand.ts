import type {
  ConversionRequest,
  FileSpec,
  InputSpec,
  OptionValue,
  Parameters,
} from '@telecine/contract/domain/conversion.ts';
import { convertedPart, FILTER_START_OPTIONS } from '@telecine/contract/domain/converted-part.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { originOf } from '@telecine/contract/domain/origins.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { Preset, RecipeDefinition, RecipeInput } from '@telecine/contract/domain/recipe.ts';
import { mayHoldUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { type ReadArgument, readArguments } from './arguments.ts';
import { chosenStreams } from './chosen-streams.ts';
import { expandOutputs } from './expand-outputs.ts';
import { cutTexts, type InputFacts } from './facts.ts';
import { fillSettings, maxBytesOf, withoutUsualQuality } from './fill-settings.ts';
import { assignInputs, type RoleInput } from './input-roles.ts';
import { fillParameters, overrideParameters, replacedOptions } from './option-overrides.ts';
import { partLength } from './part-length.ts';
import { RecipeOrigins } from './recipe-origins.ts';
import { extensionOf, requestErrors, sizeErrors } from './request-checks.ts';
import { createScope, type Scope } from './scope.ts';
import { fillValue, type TemplateScope } from './template.ts';
import { unknownArguments } from './unknown-arguments.ts';

export interface ExpandedRequest {
  /** The request that runs, with the origins of its parts. Its `preset` contains the recipe, its version and all arguments. */
  readonly request: ConversionRequest;
  /** Warnings about options of the request that override arguments of the recipe. */
  readonly warnings: readonly Warning[];
}

export type ExpandedOrErrors =
  | ({ readonly ok: true } & ExpandedRequest)
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Applies a recipe to a request. Options, formats and input options of the client override those of the recipe. Pure.
 *
 * @param ofFile The known facts about the file of the first input. They include all facts that `factsOf` returns. `unread`: options that need
 * such facts are left out.
 * @param options.isUnstored See `RecipeOrigins`.
 */
export function expandPreset(
  request: ConversionRequest,
  preset: Preset,
  recipe: RecipeDefinition,
  ofFile: InputFacts | 'unread' = {},
  { isUnstored = false }: { readonly isUnstored?: boolean } = {},
): ExpandedOrErrors {
  const errors: FieldError[] = [];
  const facts = ofFile === 'unread' ? ofFile : factsOfPart(ofFile, request);
  const duration = ofFile === 'unread' ? undefined : ofFile.duration;
  const unknown = unknownArguments(recipe, preset.arguments);
  errors.push(...unknown);
  const read = readArguments(recipe, preset.arguments ?? {}, errors, facts === 'unread' ? facts : facts.duration);
  const inputs = assignInputs(request, preset, recipe, errors);
  errors.push(...requestErrors(request, recipe, read, inputs));
  // An unknown argument may be a misspelt one that is then missing.
  if (errors.length > 0)
    return { ok: false, errors: unknown.length > 0 ? errors.filter(({ code }) => code !== 'MISSING') : errors };
  const startOf = (names: TemplateScope): number => startOfPart(recipe, request, inputs[0], names, duration);
  const scope = createScope(recipe, { read, inputs, container: extensionOf(request), facts, startOf });
  if ('errors' in scope) return { ok: false, errors: scope.errors };
  return fillRequest(request, recipe, { read, inputs, scope, origins: new RecipeOrigins(scope, isUnstored) });
}

/** The values with which a recipe is filled in for a request. */
interface Filling {
  readonly read: ReadonlyMap<string, ReadArgument>;
  readonly inputs: readonly RoleInput[];
  readonly scope: Scope;
  readonly origins: RecipeOrigins;
}

function fillRequest(request: ConversionRequest, recipe: RecipeDefinition, filling: Filling): ExpandedOrErrors {
  const { read, inputs, scope, origins } = filling;
  const { outputs: declared } = recipe.request;
  const [errors, warnings]: [FieldError[], Warning[]] = [[], []];
  const specs = expandInputs(recipe, filling);
  const several = declared && expandOutputs(request, recipe, declared, scope, { origins, read, warnings, errors });
  const sent = several?.shared ?? request.parameters;
  const parameters = expandParameters({ ...request, parameters: sent ?? {} }, recipe, filling, warnings);
  const settings = fillSettings({ ...request, parameters: sent ?? {} }, recipe, scope, read, errors);
  const maxBytes = maxBytesOf(request, recipe, scope, errors);
  if (errors.length > 0) return { ok: false, errors };
  const format = several === undefined ? (request.format ?? recipe.request.format) : undefined;
  for (const name of ['format', ...Object.keys(settings)] as const)
    if (request[name as keyof ConversionRequest] === undefined)
      origins.add(`/${name}`, '/preset', name === 'frameSize');
  if (request.cut === undefined) addCutSettings(recipe, origins);
  const [first] = specs;
  const isSingle = specs.length === 1 && typeof first === 'string';
  if (isSingle) origins.add('/input', inputs[0]?.field ?? '/input');
  if (request.inputs === undefined) origins.add('/inputs', '/input');
  const { input: _, inputs: __, preset: ___, format: ____, parameters: _____, output, outputs, ...rest } = request;
  const expanded = {
    ...(isSingle ? { input: first } : { inputs: specs }),
    ...(several === undefined ? definedMembers({ output, outputs }) : { outputs: several.outputs }),
    ...rest,
    ...settings,
    ...definedMembers({ format }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    preset: { ...appliedPreset(recipe, read, inputs), ...definedMembers({ maxBytes }) },
    origins: origins.found,
  };
  const tooLarge = sizeErrors(expanded, recipe, scope.filled.areTooLong);
  if (tooLarge.length === 0) return { ok: true, request: expanded, warnings };
  return { ok: false, errors: tooLarge.map((one) => ({ ...one, field: originOf(origins.found, one.field).field })) };
}

/** Merges the options of the request and of the recipe. Adds a warning for each option of the request that replaces one that an argument sets. */
function expandParameters(
  { parameters: sent = {}, quality }: ConversionRequest,
  recipe: RecipeDefinition,
  { read, scope, origins }: Filling,
  warnings: Warning[],
): Parameters {
  const { parameters: declared } = recipe.request;
  const filled = fillParameters(declared, scope);
  const own = quality === undefined ? filled : withoutUsualQuality(filled, recipe, scope);
  const parameters = overrideParameters(own, sent);
  warnings.push(...replacedOptions({ declared, filled: own }, sent, recipe, scope));
  const ofRecipe = Object.keys(parameters).filter((name) => !Object.hasOwn(sent, name));
  // If an argument sets only one option, that option counts as the client's: without it, the argument has no effect, so a warning helps.
  // Find the arguments that also set other options or inputs.
  const ofInputs = recipe.inputs.flatMap(({ parameters: options, duration, crossfade }) =>
    [duration, crossfade, ...Object.values(options ?? {})].map((value) => scope.fieldOf(value)),
  );
  const causes = Map.groupBy(
    [...ofRecipe.map((name) => scope.fieldOf(declared[name])), ...new Set(ofInputs)],
    (one) => one,
  );
  for (const name of ofRecipe) {
    const value = declared[name];
    const cause = scope.fieldOf(value);
    const isShared = cause === '/preset' || (causes.get(cause)?.length ?? 0) > 1;
    const pointer = `/parameters/${pointerToken(name)}`;
    origins.addOption({
      ...{ at: pointer, definition: `/request${pointer}`, name, value },
      // What a recipe reads is its own, whichever argument chooses it.
      isOnPurpose: isShared || name === 'map',
      ...(name === 'map' && { streams: chosenStreams(recipe, declared, read, scope) }),
    });
  }
  return parameters;
}

/** The facts about the part of the first input that the client chooses: the part has a duration of its own. */
function factsOfPart(facts: InputFacts, { inputs: [first = ''] = [], parameters = {} }: ConversionRequest): InputFacts {
  const { duration } = facts;
  const { parameters: input = {} } = typeof first === 'string' ? {} : first;
  if (duration === undefined) return facts;
  return {
    ...facts,
    // Filters count from the start of this part, also if the output begins later.
    duration: partLength(duration, input, definedMembers({ sseof: parameters['sseof'] })),
    partDuration: partLength(duration, input, parameters),
  };
}

/**
 * Where the part of the first input begins, for filters that read times of the file: `input.start`. Options of the client replace those of the
 * recipe. `duration`: that of the file.
 */
function startOfPart(
  { request: own }: RecipeDefinition,
  { parameters: sent }: ConversionRequest,
  first: RoleInput | undefined,
  names: TemplateScope,
  duration: number | undefined,
): number {
  const input = overrideParameters(fillParameters(first?.role.parameters ?? {}, names), first?.spec.parameters);
  // The others may use `input.start`, and change nothing about it.
  const deciding: readonly string[] = FILTER_START_OPTIONS.output;
  const ofStart = Object.entries(own.parameters).filter(([name]) => deciding.includes(name));
  const output = overrideParameters(fillParameters(Object.fromEntries(ofStart), names), sent);
  return convertedPart({ input, output, duration }).filterStart;
}

/**
 * The preset with its version and all arguments. Inputs are among the arguments, so that they keep their roles when the request is sent
 * again.
 */
function appliedPreset(
  { name, version }: RecipeDefinition,
  read: ReadonlyMap<string, ReadArgument>,
  inputs: readonly RoleInput[],
): Preset {
  const values = [
    ...[...read].map(([argument, { value }]) => [argument, value] as const),
    ...inputs.flatMap(({ role, spec, isArgument }) =>
      isArgument && !mayHoldUrlSecrets(spec.input) ? [[role.role, spec.input] as const] : [],
    ),
  ];
  return { name, version, ...(values.length > 0 && { arguments: Object.fromEntries(values) }) };
}

/** Fills in the options and times that a recipe sets for the inputs of a role. */
const fillRole = ({ parameters = {}, duration, crossfade }: RecipeInput, scope: Scope): Omit<InputSpec, 'input'> => {
  const times = {
    duration: text(fillValue('duration', duration, scope)),
    crossfade: text(fillValue('crossfade', crossfade, scope)),
  };
  return { parameters: fillParameters(parameters, scope), ...definedMembers(times) };
};

/** The inputs with the options and times that the recipe sets for their roles. Several inputs can have the same role. */
function expandInputs(recipe: RecipeDefinition, { inputs, scope, origins }: Filling): readonly (string | FileSpec)[] {
  const ofRoles = new Map(recipe.inputs.map((role, index) => [role, { index, filled: fillRole(role, scope) }]));
  return inputs.map(({ role, spec, field }, at) => {
    const { index = 0, filled = {} } = ofRoles.get(role) ?? {};
    const { parameters: own = {}, duration, crossfade } = filled;
    const pointer = `/inputs/${at}`;
    origins.add(pointer, field).add(`${pointer}/input`, field);
    for (const name of Object.keys(own)) {
      if (Object.hasOwn(spec.parameters ?? {}, name)) continue;
      const option = `/parameters/${pointerToken(name)}`;
      const value = role.parameters?.[name];
      origins.addOption({ at: `${pointer}${option}`, definition: `/inputs/${index}${option}`, name, value });
    }
    for (const name of ['duration', 'crossfade'] as const)
      if (spec[name] === undefined) origins.add(`${pointer}/${name}`, scope.fieldOf(role[name]));
    const parameters = overrideParameters(own, spec.parameters);
    const times = definedMembers({ duration: spec.duration ?? duration, crossfade: spec.crossfade ?? crossfade });
    const hasParameters = Object.keys(parameters).length > 0;
    if (!hasParameters && Object.keys(times).length === 0) return spec.input;
    return { input: spec.input, ...(hasParameters && { parameters }), ...times };
  });
}

const text = (value: OptionValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** Adds the origins of the settings of the cut, so that errors of the job name the argument that sets each of them. */
function addCutSettings({ request: { cut }, arguments: known }: RecipeDefinition, origins: RecipeOrigins): void {
  for (const { pointer, text } of cutTexts(cut)) {
    const name = /^\{\{(\w+)\}\}$/.exec(text)?.[1] ?? '';
    origins.addSetting(`/cut${pointer}`, text, Object.hasOwn(known, name) ? name : undefined);
  }
}
