import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import type { Preset, RecipeDefinition, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { referencesIn } from '@telecine/contract/domain/recipe-template.ts';
import { shareOf } from './arguments.ts';
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

/** A request that names a recipe. */
export type PresetRequest = ConversionRequest & { readonly preset: Preset };

/** A request with its recipe applied, whose first input was not read. */
export interface UnreadRequest extends ExpandedRequest {
  /** The same request without the options that depend on the file. Absent: no facts were assumed. */
  readonly withoutFacts?: () => ExpandedRequest;
}

/**
 * Applies a recipe before its first input is read. Assumes a usual video if the recipe needs to know the file. If the recipe fails only with these
 * assumed facts, leaves out what depends on them, because it may be right for the file. Throws INVALID_REQUEST for what no file makes right.
 */
export function applyUnread(
  request: PresetRequest,
  recipe: RecipeDefinition,
  expand: (facts: InputFacts | 'unread') => ExpandedOrErrors = (facts) =>
    expandPreset(request, request.preset, recipe, facts),
): UnreadRequest {
  if (factNeedOf(request, recipe) !== 'required') return orThrow(expand({}));
  const withoutFacts = (): ExpandedRequest => orThrow(expand('unread'));
  const expanded = expand(ASSUMED_FACTS);
  return expanded.ok ? { ...expanded, withoutFacts } : withoutFacts();
}

/** Applies a recipe with the facts of its first input. */
export const applyRead = (request: PresetRequest, recipe: RecipeDefinition, info: MediaInfo): ExpandedOrErrors =>
  expandPreset(request, request.preset, recipe, readFacts(info));

export function orThrow(expanded: ExpandedOrErrors): ExpandedRequest {
  if (!expanded.ok) throw invalidRequest(expanded.errors);
  return expanded;
}

/**
 * Whether a recipe with these arguments depends on the file of its first input. `optional`: it also works without facts about it. A request is not
 * rejected only because its tracks or its frame rate are unknown: if the file is damaged, the job reports it.
 */
export function factNeedOf(request: PresetRequest, recipe: RecipeDefinition): 'none' | 'optional' | 'required' {
  const { arguments: sent = {} } = request.preset;
  const hasValue = (name: string): boolean =>
    Object.hasOwn(sent, name) || recipe.arguments[name]?.default !== undefined;
  const hasShare = Object.entries(sent).some(([name, value]) => shareOf(recipe.arguments[name], value) !== undefined);
  if (hasShare || countsStartFromEnd(recipe, request, hasValue)) return 'required';
  const needed = [...factsOf(recipe, hasValue)];
  const required = requiredFactsOf(recipe, hasValue);
  const isOptional = needed.every(
    (fact) => SUBTITLE_FACTS.has(fact) || OPTIONAL_FACTS.has(fact) || (fact === 'frameRate' && !required.has(fact)),
  );
  return needed.length === 0 ? 'none' : isOptional ? 'optional' : 'required';
}

/** Whether a recipe uses the start of a part that `sseof` may choose, which counts from the end of the file. `ss` and `copyts` decide it alone; see `convertedPart`. */
function countsStartFromEnd(
  recipe: RecipeDefinition,
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

/** The facts that are assumed about an input that was not read. */
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
