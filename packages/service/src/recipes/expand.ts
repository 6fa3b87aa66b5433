import {
  type ConversionRequest,
  type FileSpec,
  type InputSpec,
  type OptionValue,
  optionText,
  REQUEST_LIMITS,
} from '@telecine/contract/domain/conversion.ts';
import { convertedPart, FILTER_START_OPTIONS } from '@telecine/contract/domain/converted-part.ts';
import { CUT_LIMITS, CUT_SETTINGS, type Cut } from '@telecine/contract/domain/cut.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { FRAME_SIZE_OF_RECIPE } from '@telecine/contract/domain/frame-size.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { countOptions } from '@telecine/contract/domain/option-count.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { ChosenStream, Preset, Recipe, RecipeInput } from '@telecine/contract/domain/recipe.ts';
import { referencesIn } from '@telecine/contract/domain/recipe-template.ts';
import type { ThumbnailTrack } from '@telecine/contract/domain/thumbnail-track.ts';
import { isSpeechLanguage, SPEECH_LANGUAGES, type Transcription } from '@telecine/contract/domain/transcription.ts';
import { mayHoldUrlSecrets } from '@telecine/contract/domain/url-input.ts';
import { argumentField, type ReadArgument, readArguments } from './arguments.ts';
import { chosenStreams } from './chosen-streams.ts';
import { expandOutputs } from './expand-outputs.ts';
import { cutTexts, type InputFacts, requiredFactsOf, valuesOf } from './facts.ts';
import { fillLadder, fillQuality, frameSizeOf, withoutUsualQuality, wrongTarget } from './fill-searches.ts';
import { assignInputs, type RoleInput } from './input-roles.ts';
import { canonicalName, fillParameters, overrideParameters, replacedOptions } from './option-overrides.ts';
import { partLength } from './part-length.ts';
import { createScope, type Scope } from './scope.ts';
import { fillValue, type TemplateScope } from './template.ts';
import { unknownArguments } from './unknown-arguments.ts';

export interface ExpandedRequest {
  /** The request that runs. Its `preset` contains the recipe, its version and all arguments. */
  readonly request: ConversionRequest;
  /** Converts a field of the request that runs to the field that the client sent: `/parameters/crf` → `/preset/arguments/quality`. */
  fieldOf(field: string): string;
  /** Warnings about options of the request that override arguments of the recipe. */
  readonly warnings: readonly Warning[];
}

export type ExpandedOrErrors =
  | ({ readonly ok: true } & ExpandedRequest)
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * Applies a recipe to a request. Options, formats and input options of the client override those of the recipe. Pure.
 *
 * @param ofFile The known facts about the file of the first input. They include all facts that `factsOf` returns.
 */
export function expandPreset(
  request: ConversionRequest,
  preset: Preset,
  recipe: Recipe,
  ofFile: InputFacts = {},
): ExpandedOrErrors {
  const errors: FieldError[] = [];
  const facts = factsOfPart(ofFile, request);
  const unknown = unknownArguments(recipe, preset.arguments);
  errors.push(...unknown);
  const read = readArguments(recipe, preset.arguments ?? {}, errors, facts.duration);
  const inputs = assignInputs(request, preset, recipe, errors);
  errors.push(...endErrors(recipe, read));
  const wrongOutput = outputError(request, recipe);
  if (wrongOutput !== undefined) errors.push(wrongOutput);
  errors.push(...urlErrors(recipe, inputs));
  const required = requiredFactsOf(recipe, (name) => read.has(name));
  if (
    request.cut !== undefined &&
    (['duration', 'partDuration', 'chapters'] as const).some((fact) => required.has(fact))
  )
    errors.push(otherLength(recipe));
  // An unknown argument may be a misspelt one that is then missing.
  if (errors.length > 0)
    return { ok: false, errors: unknown.length > 0 ? errors.filter(({ code }) => code !== 'MISSING') : errors };
  const startOf = (names: TemplateScope): number => startOfPart(recipe, request, inputs[0], names, ofFile.duration);
  const scope = createScope(recipe, { read, inputs, container: extensionOf(request), facts, startOf });
  if ('errors' in scope) return { ok: false, errors: scope.errors };

  const fields = new Map<string, string>();
  /** The options that count as set by the recipe alone (`Preset.options`). */
  const recipeOnly: string[] = [];
  const warnings: Warning[] = [];
  /** The filled options of each role. Several inputs can have the same role. */
  const ofRoles = new Map(recipe.inputs.map((role) => [role, fillRole(role, scope)]));
  const specs = inputs.map((input, index) => {
    const own = ofRoles.get(input.role) ?? {};
    return expandInput(input, own, `/inputs/${index}`, scope, fields, recipeOnly);
  });
  const declared = recipe.request.outputs;
  const streams: ChosenStream[] = [];
  const several =
    declared && expandOutputs(request, recipe, declared, scope, { fields, recipeOnly, streams, read, warnings });
  if (several !== undefined && 'errors' in several) return { ok: false, errors: several.errors };
  const sent = several?.shared ?? request.parameters;
  const filled = fillParameters(recipe.request.parameters, scope);
  const own = request.quality === undefined ? filled : withoutUsualQuality(filled, recipe, scope);
  const parameters = overrideParameters(own, sent);
  warnings.push(...replacedOptions({ declared: recipe.request.parameters, filled: own }, sent ?? {}, recipe, scope));
  const isOwn = (name: string): boolean => !Object.hasOwn(sent ?? {}, name);
  const ofRecipe = Object.keys(parameters).filter(isOwn);
  for (const name of ofRecipe)
    fields.set(`/parameters/${pointerToken(name)}`, scope.fieldOf(recipe.request.parameters[name]));
  // If an argument sets only one option, that option counts as the client's: without it, the argument has no effect, so a warning helps.
  // Find the arguments that also set other options or inputs.
  const ofInputs = new Set(
    recipe.inputs.flatMap(({ parameters: options, duration, crossfade }) =>
      [duration, crossfade, ...Object.values(options ?? {})].map((value) => scope.fieldOf(value)),
    ),
  );
  const causes = Map.groupBy(ofRecipe, (name) => scope.fieldOf(recipe.request.parameters[name]));
  for (const [cause, names] of causes)
    recipeOnly.push(
      ...names.filter(
        (name) =>
          cause === '/preset' ||
          names.length > 1 ||
          ofInputs.has(cause) ||
          // What a recipe reads is its own, whichever argument chooses it.
          name === 'map' ||
          !scope.isOfClient(recipe.request.parameters[name]),
      ),
    );
  if (isOwn('map')) streams.push(...chosenStreams(recipe, recipe.request.parameters, '/parameters/map', read, scope));
  const cut = request.cut ?? fillCut(recipe, scope);
  if (cut === 'wrong') return { ok: false, errors: [wrongCut(recipe)] };
  const transcribe = request.transcribe ?? fillTranscription(recipe, scope);
  if (transcribe === 'wrong') return { ok: false, errors: [wrongLanguage(recipe, scope)] };
  const quality = request.quality ?? fillQuality(recipe, scope);
  if (quality === 'wrong') return { ok: false, errors: [wrongTarget('quality', recipe, scope)] };
  const ladder = request.ladder ?? fillLadder(recipe, scope);
  if (ladder === 'wrong') return { ok: false, errors: [wrongTarget('ladder', recipe, scope)] };
  const maxBytes = maxBytesOf(recipe, scope, request);
  if (maxBytes === 'wrong') return { ok: false, errors: [wrongMaxBytes(recipe, scope)] };
  const settings = definedMembers({
    join: request.join ?? recipe.request.join,
    cut,
    transcribe,
    quality,
    ladder,
    frameSize: request.frameSize ?? frameSizeOf(recipe, read, sent),
    format: several === undefined ? (request.format ?? recipe.request.format) : undefined,
    thumbnailTrack: request.thumbnailTrack ?? fillTrack(recipe, scope),
  });
  if (request.frameSize === undefined && settings.frameSize !== undefined) recipeOnly.push(FRAME_SIZE_OF_RECIPE);
  for (const name of Object.keys(settings) as (keyof typeof settings)[])
    if (request[name] === undefined) fields.set(`/${name}`, '/preset');
  const [first] = specs;
  const isSingle = specs.length === 1 && typeof first === 'string';
  if (isSingle) fields.set('/input', inputs[0]?.field ?? '/input');
  if (request.inputs === undefined) fields.set('/inputs', '/input');
  const { input: _, inputs: __, preset: ___, format: ____, parameters: _____, output, outputs, ...rest } = request;
  const expanded = {
    ...(isSingle ? { input: first } : { inputs: specs }),
    ...(several === undefined ? definedMembers({ output, outputs }) : { outputs: several.outputs }),
    ...rest,
    ...settings,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    preset: {
      ...appliedPreset(recipe, read, inputs),
      options: recipeOnly,
      ...(request.cut === undefined && cut !== undefined && { settings: settingsOf(recipe) }),
      ...(streams.length > 0 && { streams }),
      ...definedMembers({ maxBytes }),
    },
  };
  const fieldOf = (field: string): string => sentField(field, fields);
  const tooLarge = scope.filled.areTooLong ? [tooLong(recipe)] : sizeErrors(expanded, recipe);
  if (tooLarge.length > 0) return { ok: false, errors: tooLarge.map((one) => ({ ...one, field: fieldOf(one.field) })) };
  return { ok: true, request: expanded, fieldOf, warnings };
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
  { request: own }: Recipe,
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

/** Options that decide how many bits a video has, in place of `b:v` of the recipe. */
const OTHER_BITS = /^(?:b|crf|qp|q|cq|global_quality)(?::[vV\d].*)?$/;

/** Options that hold those of encoder libraries, and what decides in them how many bits a video has. */
const ENCODER_PARAMETERS = /-params|^x264opts/;
const OTHER_BITS_INSIDE = /(?:^|:)(?:crf|qp|q|bitrate|B|lossless|rc|tbr|end-usage|cq-level|target-bitrate)(?:[=:]|$)/;

const decidesBits = (option: string, value: OptionValue): boolean =>
  OTHER_BITS.test(option) ||
  (ENCODER_PARAMETERS.test(option) && [value].flat().some((one) => OTHER_BITS_INSIDE.test(String(one))));

/**
 * The size in bytes that the output of a recipe must not exceed. undefined: it has none, or the client has options of its own that decide how many
 * bits the video has.
 */
function maxBytesOf(
  { request }: Recipe,
  scope: TemplateScope,
  { parameters = {}, quality }: ConversionRequest,
): number | 'wrong' | undefined {
  const isChanged = Object.entries(parameters).some(([option, value]) => decidesBits(canonicalName(option), value));
  const text = quality !== undefined || isChanged ? undefined : fillValue('', request.maxBytes, scope);
  if (text === undefined) return undefined;
  const bytes = Number(text);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 'wrong';
}

const wrongMaxBytes = ({ name, request }: Recipe, scope: Scope): FieldError => ({
  field: scope.fieldOf(request.maxBytes),
  code: 'BAD_ARGUMENT',
  message: `The recipe "${name}" needs a largest size that is a whole number of bytes, from 1.`,
});

/** The error for a request with `cut`, if the recipe computes with the length or the chapters of the uncut input. */
const otherLength = ({ name }: Recipe): FieldError => ({
  field: '/cut',
  code: 'EXCLUSIVE',
  message: `The recipe "${name}" computes with times of the input, but "cut" changes them. The output of a job with "cut" can be the input of the recipe.`,
});

const tooLong = ({ name }: Recipe): FieldError => ({
  field: '/preset',
  code: 'TOO_LONG',
  message: `The recipe "${name}" makes the request longer than ${REQUEST_LIMITS.bodyBytes} characters.`,
});

/** Checks the limits of a request in the request that runs. That request is stored and can be sent again, so it must be valid itself. */
function sizeErrors(
  { inputs = [], parameters = {}, outputs = [] }: ConversionRequest,
  { name: recipe }: Recipe,
): readonly FieldError[] {
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

/**
 * The preset with its version and all arguments. Inputs are among the arguments, so that they keep their roles when the request is sent
 * again.
 */
function appliedPreset(
  { name, version }: Recipe,
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

function expandInput(
  { role, spec, field }: RoleInput,
  { parameters: own = {}, duration, crossfade }: Omit<InputSpec, 'input'>,
  pointer: string,
  scope: Scope,
  fields: Map<string, string>,
  recipeOnly: string[],
): string | FileSpec {
  const parameters = overrideParameters(own, spec.parameters);
  const times = definedMembers({ duration: spec.duration ?? duration, crossfade: spec.crossfade ?? crossfade });
  fields.set(pointer, field);
  fields.set(`${pointer}/input`, field);
  for (const name of Object.keys(own)) {
    if (Object.hasOwn(spec.parameters ?? {}, name)) continue;
    const at = `${pointer}/parameters/${pointerToken(name)}`;
    fields.set(at, scope.fieldOf(role.parameters?.[name]));
    if (!scope.isOfClient(role.parameters?.[name])) recipeOnly.push(at);
  }
  for (const name of ['duration', 'crossfade'] as const)
    if (spec[name] === undefined) fields.set(`${pointer}/${name}`, scope.fieldOf(role[name]));
  const hasParameters = Object.keys(parameters).length > 0;
  if (!hasParameters && Object.keys(times).length === 0) return spec.input;
  return { input: spec.input, ...(hasParameters && { parameters }), ...times };
}

const text = (value: OptionValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

function fillTrack({ request }: Recipe, scope: Scope): ThumbnailTrack | undefined {
  const { thumbnailTrack: track } = request;
  if (track === undefined) return undefined;
  const numbers = Object.entries(track).map(([name, text]) => [name, Number(fillValue('', text, scope))] as const);
  return Object.fromEntries(numbers) as Record<keyof ThumbnailTrack, number>;
}

/** Fills in the cut of a recipe. Returns `wrong` if a value is out of range. */
function fillCut({ request }: Recipe, scope: Scope): Cut | 'wrong' | undefined {
  const { cut } = request;
  if (cut === undefined) return undefined;
  let isWrong = false;
  const number = (text: string, { min, max }: { readonly min: number; readonly max: number }): number => {
    const value = Number(fillValue('', text, scope));
    if (!(value >= min && value <= max)) isWrong = true;
    return value;
  };
  const { remove, keep } = cut;
  const { noiseDb, minSeconds, threshold, count, partSeconds } = CUT_SETTINGS;
  const crossfade = number(cut.crossfade ?? '0', { min: 0, max: Number.MAX_VALUE });
  const filled = {
    ...(remove && {
      remove: {
        silence: {
          noiseDb: number(remove.silence.noiseDb, noiseDb),
          minSeconds: number(remove.silence.minSeconds, minSeconds),
        },
        marginSeconds: number(remove.marginSeconds, { min: 0, max: CUT_LIMITS.marginSeconds }),
      },
    }),
    ...(keep && {
      keep: {
        scenes: { threshold: number(keep.scenes.threshold, threshold) },
        count: Math.round(number(keep.count, count)),
        partSeconds: number(keep.partSeconds, partSeconds),
      },
    }),
    ...(crossfade > 0 && { crossfade }),
  };
  return isWrong ? 'wrong' : filled;
}

/** Returns the argument that sets each setting of the cut. Errors of the job then name the argument. */
function settingsOf({ request: { cut }, arguments: known }: Recipe): NonNullable<Preset['settings']> {
  const named = cutTexts(cut).map(
    ({ pointer, text }) =>
      [pointer.slice(pointer.lastIndexOf('/') + 1), /^\{\{(\w+)\}\}$/.exec(text)?.[1] ?? ''] as const,
  );
  return Object.fromEntries(named.filter(([, name]) => Object.hasOwn(known, name)));
}

/** Fills in the transcription of a recipe. Returns `wrong` if the text is not a language. */
function fillTranscription({ request }: Recipe, scope: Scope): Transcription | 'wrong' | undefined {
  if (request.transcribe === undefined) return undefined;
  const language = text(fillValue('', request.transcribe.language, scope)) ?? '';
  return isSpeechLanguage(language) ? { language } : 'wrong';
}

const wrongLanguage = ({ name, request }: Recipe, scope: Scope): FieldError => ({
  field: scope.fieldOf(request.transcribe?.language),
  code: 'BAD_ARGUMENT',
  message: `The recipe "${name}" needs the code of a language that Whisper knows, or "auto".`,
  allowed: SPEECH_LANGUAGES,
});

const wrongCut = ({ name, request }: Recipe): FieldError => ({
  field: '/preset',
  code: 'BAD_ARGUMENT',
  message: `The recipe "${name}" ${request.cut?.keep === undefined ? `cuts silence by ${SILENCE_RANGES}` : `keeps scenes by ${SCENE_RANGES}`}, but a computed value is out of range.`,
});

const rangeText = (name: keyof typeof CUT_SETTINGS): string =>
  `"${name}" from ${CUT_SETTINGS[name].min} to ${CUT_SETTINGS[name].max}`;
const SILENCE_RANGES = `${rangeText('noiseDb')}, "minSeconds" from ${CUT_SETTINGS.minSeconds.min} and "marginSeconds" from 0 to ${CUT_LIMITS.marginSeconds}`;
const SCENE_RANGES = `${rangeText('threshold')}, ${rangeText('count')}, ${rangeText('partSeconds')} and "crossfade" from 0`;

/** The extension of the first output in lower case. `.jpeg` is returned as `.jpg`. */
function extensionOf({ output, outputs }: Pick<ConversionRequest, 'output' | 'outputs'>): string {
  const sent = extension((output ?? outputs?.[0]?.output ?? '') as MediaPath).toLowerCase();
  return sent === 'jpeg' ? 'jpg' : sent;
}

/** The errors for an end that is not after the start. */
function endErrors(recipe: Recipe, read: ReadonlyMap<string, ReadArgument>): readonly FieldError[] {
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
function outputError(request: ConversionRequest, recipe: Recipe): FieldError | undefined {
  const { output, outputs: listed } = request;
  const { name, outputs } = recipe;
  if (output === undefined && recipe.request.outputs === undefined) return severalOutputs(name);
  const sent = extensionOf(request);
  const format = listed?.[0]?.format ?? request.format;
  if (format !== undefined || outputs.includes(sent)) return masterError(request, recipe);
  const allowed = outputs.map((one) => `.${one}`);
  return {
    field: output === undefined ? '/outputs/0/output' : '/output',
    code: 'OTHER_EXTENSION',
    message: `The recipe "${name}" writes ${allowed.join(', ')}, and the output is ${sent === '' ? 'without an extension' : `.${sent}`}.`,
    allowed,
  };
}

/** The error for an output without `%v` if the recipe writes a master playlist. Each version needs its own playlist. */
function masterError({ output = '', parameters = {} }: ConversionRequest, recipe: Recipe): FieldError | undefined {
  const { var_stream_map: streams, master_pl_name: master } = recipe.request.parameters;
  if (streams === undefined || typeof master !== 'string' || output.includes('%v')) return undefined;
  if (Object.hasOwn(parameters, 'var_stream_map') || Object.hasOwn(parameters, 'master_pl_name')) return undefined;
  const folder = output.slice(0, output.lastIndexOf('/') + 1);
  if (output === `${folder}${master}`) return undefined;
  return {
    field: '/output',
    code: 'BAD_FILE_NAME',
    message: `The recipe "${recipe.name}" writes several playlists and their master ${JSON.stringify(master)}, so its output needs "%v" in the name.`,
  };
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
function urlErrors(recipe: Recipe, inputs: readonly RoleInput[]): readonly FieldError[] {
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

/** Converts a field of the request that runs to the field that the client sent: `/inputs/0/input` → `/input`. */
function sentField(field: string, fields: ReadonlyMap<string, string>): string {
  for (let at = field; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const sent = fields.get(at);
    if (sent === undefined) continue;
    // An option of the recipe depends on one field of the client, so the rest of the pointer is dropped.
    return sent.startsWith('/preset') ? sent : `${sent}${field.slice(at.length)}`;
  }
  return field;
}
