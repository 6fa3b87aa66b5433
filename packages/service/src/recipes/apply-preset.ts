import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { FRAME_SIZE_OF_RECIPE } from '@telecine/contract/domain/frame-size.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { ListedRecipe, Preset, Recipe, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { referencesIn } from '@telecine/contract/domain/recipe-template.ts';
import { shareOf } from './arguments.ts';
import { definitionField } from './definition-field.ts';
import { type ExpandedOrErrors, type ExpandedRequest, expandPreset } from './expand.ts';
import {
  factsOf,
  type InputFacts,
  OPTIONAL_FACTS,
  readFacts,
  requiredFactsOf,
  SUBTITLE_FACTS,
  usesStart,
} from './facts.ts';
import { RequestProbes } from './request-probes.ts';
import { unknownRecipe } from './unknown-recipe.ts';

/** A request with its recipe applied. It has a warning if facts about the input were assumed. */
interface AppliedPreset extends ExpandedRequest {
  readonly warning?: Warning;
}

export interface ApplyPresetOptions {
  /**
   * true for a dry run: if the input is missing, assume usual facts and return a warning. Otherwise a missing input is an error, unless
   * the recipe also works without the facts: those about subtitles, and `frameRate` if the recipe tests it.
   */
  readonly assumesFacts?: boolean;
  /** The probes of this submission, which share one time limit and probe each input once. Default: new ones. */
  readonly probes?: RequestProbes | undefined;
  /** A recipe that is not stored. It counts for the requests that name it, and fields of its options lead into its definition. */
  readonly unstored?: Recipe | undefined;
}

/** Applies the recipe that a request names. Throws INVALID_REQUEST, and the errors of a probe. */
export type ApplyPreset = (
  caller: Caller,
  request: ConversionRequest & { readonly preset: Preset },
  options?: ApplyPresetOptions,
) => Promise<AppliedPreset>;

interface ApplyPresetDeps {
  readonly recipesOf: (clientId: string) => Promise<readonly ListedRecipe[]>;
  readonly probe: (caller: Caller, request: ProbeRequest, signal: AbortSignal) => Promise<MediaInfo>;
  /** See `RecipeOperationsDeps`. */
  readonly speechUnavailable?: () => Promise<string | undefined>;
  /** The time limit in seconds for all probes of a submission, including their waits for slots. Default: 60. */
  readonly probeSeconds?: number;
}

/** Most clients and proxies stop waiting for a reply after this time. */
const PROBE_SECONDS = 60;

/** Creates the function that applies recipes. It probes the first input if the recipe uses facts about this input. */
export const presetApplier =
  ({ recipesOf, probe, speechUnavailable, probeSeconds = PROBE_SECONDS }: ApplyPresetDeps): ApplyPreset =>
  async (caller, request, { assumesFacts = false, probes = new RequestProbes(), unstored } = {}) => {
    const { preset } = request;
    const recipes = withUnstored(await recipesOf(caller.clientId), unstored);
    const recipe = findRecipe(recipes, preset);
    const probeInput: ProbeInput = (input) =>
      probes.of(input, probeSeconds, (signal) => probe(caller, { input }, signal));
    const hasValue = (name: string): boolean =>
      Object.hasOwn(preset.arguments ?? {}, name) || recipe.arguments[name]?.default !== undefined;
    const needed = new Set(factsOf(recipe, hasValue));
    const shares = Object.entries(preset.arguments ?? {}).filter(([name, value]) =>
      shareOf(recipe.arguments[name], value),
    );
    if (shares.length > 0 || countsStartFromEnd(recipe, request, hasValue)) needed.add('duration');
    const required = requiredFactsOf(recipe, hasValue);
    // Do not reject a request only because its tracks or its frame rate are unknown. If the file is damaged, the job reports it.
    const isOptional = [...needed].every(
      (fact) => SUBTITLE_FACTS.has(fact) || OPTIONAL_FACTS.has(fact) || (fact === 'frameRate' && !required.has(fact)),
    );
    const probed = async () => {
      const facts = probeFacts(probeInput, request, recipe.name);
      return isOptional ? facts.catch(asMissing) : facts;
    };
    const found = needed.size === 0 ? {} : await probed();
    if ('missing' in found && !assumesFacts && !isOptional) throw invalidRequest([found.missing]);
    const assumed = isOptional ? {} : ASSUMED_FACTS;
    const expanded = inDefinition(
      unstored,
      expandPreset(request, preset, recipe, 'missing' in found ? assumed : found),
    );
    if (!expanded.ok) {
      // Without a speech model, corrected arguments would not help. Report the missing model instead.
      const unavailable = recipe.request.transcribe === undefined ? undefined : await speechUnavailable?.();
      if (unavailable !== undefined)
        throw invalidRequest([{ field: '/preset', code: 'NEEDS_SPEECH', message: unavailable }]);
      throw invalidRequest(expanded.errors);
    }
    return 'missing' in found && !isOptional
      ? { ...expanded, warning: assumption(found.missing, recipe.name) }
      : expanded;
  };

/** Whether a recipe uses the start of a part that `sseof` may choose, which counts from the end of the file. `ss` and `copyts` decide it alone; see `convertedPart`. */
function countsStartFromEnd(
  recipe: Recipe,
  { inputs: [first = ''] = [], parameters = {} }: ConversionRequest,
  hasValue: (argument: string) => boolean,
): boolean {
  if (!usesStart(recipe)) return false;
  const { parameters: sent = {} } = typeof first === 'string' ? {} : first;
  const own = recipe.inputs[0]?.parameters ?? {};
  const isAlwaysSet = (value: RecipeValue | undefined): boolean => typeof value === 'string' && !value.includes('{{');
  // An option whose text refers to an argument without a value is left out.
  const mayBeSet = (value: RecipeValue | undefined): boolean =>
    value !== undefined &&
    (typeof value !== 'string' ||
      // A section may leave out the reference.
      value.includes('{{#') ||
      value.includes('{{^') ||
      [...referencesIn(value)].every((name) => !Object.hasOwn(recipe.arguments, name) || hasValue(name)));
  const hasStart = sent['ss'] !== undefined || isAlwaysSet(own['ss']);
  const copyts = parameters['copyts'] ?? recipe.request.parameters['copyts'];
  const keepsTimes = copyts !== 'false' && isAlwaysSet(copyts);
  const isBeforeEnd =
    [sent, parameters].some((options) => options['sseof'] !== undefined) ||
    [own, recipe.request.parameters].some((options) => mayBeSet(options['sseof']));
  return !hasStart && !keepsTimes && isBeforeEnd;
}

const withUnstored = (recipes: readonly ListedRecipe[], unstored: Recipe | undefined): readonly ListedRecipe[] =>
  unstored === undefined
    ? recipes
    : [...recipes.filter(({ name }) => name !== unstored.name), { ...unstored, source: 'own' }];

/**
 * Leads the fields that a recipe itself sets to its options, because its author can change them. So its options count as those of the
 * client: they are tried, and what is without effect is said.
 */
function inDefinition(unstored: Recipe | undefined, expanded: ExpandedOrErrors): ExpandedOrErrors {
  if (unstored === undefined || !expanded.ok) return expanded;
  const { fieldOf, request } = expanded;
  const { preset } = request;
  const options = preset?.options?.filter((one) => one === FRAME_SIZE_OF_RECIPE) ?? [];
  return {
    ...expanded,
    ...(preset && { request: { ...request, preset: { ...preset, options } } }),
    fieldOf: (field) => {
      const sent = fieldOf(field);
      return sent === '/preset' ? (definitionField(unstored, field) ?? sent) : sent;
    },
  };
}

/** The facts that a dry run assumes about an input that does not exist yet. */
const ASSUMED_FACTS: InputFacts = {
  duration: 60,
  width: 1920,
  height: 1080,
  fps: 25,
  frameRate: '25',
  bitrate: 8_000_000,
  sounds: 1,
  channels: 2,
  alpha: 0,
  chapters: '20,40',
  subtitles: 0,
};

const assumption = ({ field }: FieldError, recipe: string): Warning => ({
  field,
  code: 'ASSUMED_FACTS',
  message: `The recipe "${recipe}" reads its input, which does not exist yet. The dry run assumes a video of one minute, 1920x1080, 25 frames per second, 8 Mbit/s, with audio and three chapters.`,
  fix: 'Send the request again when the file exists.',
});

/**
 * Turns the error of a failed probe into an error about `/input`. Throws any other error, and one that says when to try again: the
 * next try knows the facts, so that nothing has to be assumed.
 */
function asMissing(error: unknown): { readonly missing: FieldError } {
  if (!(error instanceof Problem) || error.retryAfterSeconds !== undefined) throw error;
  return { missing: { field: '/input', code: error.code, message: error.message, ...error.errors[0] } };
}

/** Finds the recipe that a preset names. Throws INVALID_REQUEST. */
function findRecipe(recipes: readonly ListedRecipe[], { name, version }: Preset): ListedRecipe {
  const recipe = recipes.find((one) => one.name === name);
  if (recipe === undefined) throw invalidRequest([unknownRecipe(name, recipes)]);
  if (version === undefined || version === recipe.version) return recipe;
  throw invalidRequest([
    {
      field: '/preset/version',
      code: 'UNKNOWN_VERSION',
      message: `The recipe "${name}" has version ${recipe.version}, not ${version}.`,
      allowed: [String(recipe.version)],
    },
  ]);
}

/** Probe errors that the request causes: the input is missing or is not media. */
const OF_THE_INPUT: ReadonlySet<string> = new Set([
  'INVALID_REQUEST',
  'INPUT_NOT_FOUND',
  'INPUT_INVALID',
  'UNSUPPORTED',
]);

/** Probe errors after which the same request may succeed later. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['INPUT_UNAVAILABLE', 'TIMEOUT']);

type ProbeInput = (path: string) => Promise<MediaInfo>;

async function probeFacts(
  probe: ProbeInput,
  { input, inputs }: ConversionRequest,
  recipe: string,
): Promise<InputFacts | { readonly missing: FieldError }> {
  const [first = ''] = inputs ?? [input];
  const path = pathOfInput(first) ?? '';
  const field = inputs === undefined ? '/input' : typeof first === 'string' ? '/inputs/0' : '/inputs/0/input';
  try {
    return readFacts(await probe(path));
  } catch (error) {
    const isOfMoment = error instanceof Problem && OF_THE_MOMENT.has(error.code);
    if (!(error instanceof Problem) || !(isOfMoment || OF_THE_INPUT.has(error.code))) throw error;
    const [cause] = error.errors;
    const found: FieldError = cause ?? { field, code: error.code, message: error.message };
    const message = `The recipe "${recipe}" reads its input first. ${found.message}`;
    if (error.code === 'INPUT_NOT_FOUND')
      return { missing: { ...found, field, message, fix: 'Send the request again when the file exists.' } };
    const errors = [{ ...found, field, message }];
    if (!isOfMoment) throw invalidRequest(errors);
    const { code, retryAfterSeconds } = error;
    throw new Problem(code, message, { errors, cause: error, ...defined({ retryAfterSeconds }) });
  }
}
