import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { ListedRecipe, Preset, Recipe, RecipeDefinition } from '@telecine/contract/domain/recipe.ts';
import { applyUnread, factNeedOf, orThrow, type PresetRequest, type UnreadRequest } from './apply-recipe.ts';
import { expandPreset } from './expand.ts';
import { type InputFacts, readFacts } from './facts.ts';
import type { RequestProbes } from './request-probes.ts';
import { unknownRecipe } from './unknown-recipe.ts';

/** A request with its recipe applied. It has a warning if facts about a missing input were assumed. */
interface AppliedPreset extends UnreadRequest {
  readonly recipe: RecipeDefinition;
  readonly warning?: Warning;
}

export interface ApplyPresetOptions {
  /** The probes of this call, which share one time limit and probe each input once. Absent: no file is opened, and facts are assumed. */
  readonly probes?: RequestProbes | undefined;
  /**
   * true for a dry run: if the input is missing, assume usual facts and return a warning. Otherwise a missing input is an error, unless
   * the recipe also works without the facts: those about subtitles, and `frameRate` if the recipe tests it.
   */
  readonly assumesFacts?: boolean;
  /** A recipe that is not stored. It counts for the requests that name it, and fields of its options lead into its definition. */
  readonly unstored?: Recipe | undefined;
}

/** Applies the recipe that a request names. Throws INVALID_REQUEST, and the errors of a probe. */
export type ApplyPreset = (
  caller: Caller,
  request: PresetRequest,
  options?: ApplyPresetOptions,
) => Promise<AppliedPreset>;

interface ApplyPresetDeps {
  readonly recipesOf: (clientId: string) => Promise<readonly ListedRecipe[]>;
  readonly probe: (caller: Caller, request: ProbeRequest, signal: AbortSignal) => Promise<MediaInfo>;
  /** See `RecipeOperationsDeps`. */
  readonly speechUnavailable?: () => Promise<string | undefined>;
  /** The time limit in seconds for all probes of a call, including their waits for slots. Default: 60. */
  readonly probeSeconds?: number;
}

/** Most clients and proxies stop waiting for a reply after this time. */
const PROBE_SECONDS = 60;

/** Creates the function that applies recipes, or the recipe that the request of a job contains. */
export const presetApplier =
  ({ recipesOf, probe, speechUnavailable, probeSeconds = PROBE_SECONDS }: ApplyPresetDeps): ApplyPreset =>
  async (caller, request, { assumesFacts = false, probes, unstored } = {}) => {
    const { preset, recipe: ofJob } = request;
    const recipe = ofJob ?? findRecipe(withUnstored(await recipesOf(caller.clientId), unstored), preset);
    const expand = (facts: InputFacts | 'unread') =>
      expandPreset(request, preset, recipe, facts, { isUnstored: recipe.name === unstored?.name });
    const need = factNeedOf(request, recipe);
    const probeInput: ProbeInput | undefined =
      probes && ((input) => probes.of(input, probeSeconds, (signal) => probe(caller, { input }, signal)));
    const apply = async (): Promise<UnreadRequest & Pick<AppliedPreset, 'warning'>> => {
      if (need === 'none' || probeInput === undefined) return applyUnread(request, recipe, expand);
      const facts = probeFacts(probeInput, request, recipe.name);
      const found = await (need === 'optional' ? facts.catch(asMissing) : facts);
      if (!('missing' in found)) return orThrow(expand(found));
      if (need === 'required' && !assumesFacts) throw invalidRequest([found.missing]);
      const unread = applyUnread(request, recipe, expand);
      return need === 'optional' ? unread : { ...unread, warning: assumption(found.missing, recipe.name) };
    };
    const applied = await apply().catch(async (error: unknown) => {
      // Without a speech model, corrected arguments would not help. Report the missing model instead.
      const isSpeech = recipe.request.transcribe !== undefined && error instanceof Problem;
      const unavailable = isSpeech ? await speechUnavailable?.() : undefined;
      if (unavailable === undefined) throw error;
      throw invalidRequest([{ field: '/preset', code: 'NEEDS_SPEECH', message: unavailable }]);
    });
    return { ...applied, recipe: definitionOf(recipe) };
  };

/** What a job keeps of its recipe, so that it stays as it is when the recipe changes. */
const definitionOf = ({
  title: _,
  description: __,
  words: ___,
  result: ____,
  source: _____,
  ...definition
}: RecipeDefinition & Partial<ListedRecipe>): RecipeDefinition => definition;

const withUnstored = (recipes: readonly ListedRecipe[], unstored: Recipe | undefined): readonly ListedRecipe[] =>
  unstored === undefined
    ? recipes
    : [...recipes.filter(({ name }) => name !== unstored.name), { ...unstored, source: 'own' }];

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
