import { isFlagSet, type OptionValue, type Parameters } from '@telecine/contract/domain/conversion.ts';
import { leaveOut } from '@telecine/contract/domain/edit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { pointerToken } from '@telecine/contract/domain/problem.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import type { RecipeDefinition, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { parseOptionName, printOptionName } from '@telecine/ffmpeg/plan/request/option-name.ts';
import type { Scope } from './scope.ts';
import { fillValue, isGraphOption, type TemplateScope } from './template.ts';

/**
 * Combines the options of a recipe and a request. An option of the request replaces the same option of the recipe, even under another name:
 * `vcodec` replaces `c:v`. Options of the request come last, so that `c` overrides `c:v` of the recipe.
 */
export function overrideParameters(recipe: Parameters, sent: Parameters = {}): Parameters {
  const replaced = new Set(Object.keys(sent).map(canonicalName));
  const isMixed = !Object.entries(sent).some(([name, value]) => leavesNothingToMix(canonicalName(name), value));
  const kept = Object.entries(recipe).filter(
    ([name, value]) => !replaced.has(canonicalName(name)) && (isMixed || !isMix(canonicalName(name), value)),
  );
  return Object.fromEntries<OptionValue>([...kept, ...Object.entries(sent)]);
}

/** True for an option with which the output has no audio that is encoded. */
const leavesNothingToMix = (name: string, value: OptionValue): boolean =>
  (name === 'an' && isFlagSet(value)) || (/^c(?::a.*)?$/.test(name) && value === 'copy');

/** True for filters that only prepare the channels of an encoder. Audio that is copied or left out needs none. */
const isMix = (name: string, value: OptionValue): boolean =>
  name === 'filter:a' && /^(?:(?:aformat|aresample|alimiter)\b[^,]*(?:,|$))+$/.test(String(value));

/** The name of an option with aliases resolved, as in the ffmpeg command. Returns an invalid name unchanged. */
export function canonicalName(name: string): string {
  const parsed = parseOptionName(name);
  return 'name' in parsed ? printOptionName(parsed) : name;
}

/** Fills in the options of a recipe. Omits options without a value. */
export const fillParameters = (options: Readonly<Record<string, RecipeValue>>, scope: TemplateScope): Parameters =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, OptionValue][] => {
      const filled = fillValue(canonicalName(name), value, scope);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );

/** The options of a recipe, before and after templates are filled in. */
interface OwnOptions {
  readonly declared: Readonly<Record<string, RecipeValue>>;
  readonly filled: Parameters;
}

/**
 * Warns about options of a request that override a sent argument of the recipe, such as a bit rate that overrides `size`. `at`: the pointer
 * of the object with the options.
 */
export function replacedOptions(
  { declared, filled }: OwnOptions,
  sent: Parameters,
  { name: recipe, arguments: known }: RecipeDefinition,
  scope: Scope,
  at = '',
): readonly Warning[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const canonical = canonicalName(name);
    const replaced = Object.keys(filled).filter((own) => isStronger(canonical, canonicalName(own)));
    const isSame = replaced.every((own) => JSON.stringify(filled[own]) === JSON.stringify(value));
    // A client may replace a filter with computed values without a warning, because it did not send these values itself.
    const names = new Set(replaced.flatMap((own) => scope.argumentsOf(declared[own], !isGraphOption(own))));
    if (isSame || names.size === 0) return [];
    const quoted = [...names].map((one) => JSON.stringify(one));
    const isRequired = [...names].some((one) => known[one]?.required === true);
    return [
      {
        field: `${at}/parameters/${pointerToken(name)}`,
        code: 'OVERRIDES_RECIPE',
        message: `"${name}" replaces what the recipe "${recipe}" sets for ${andList(quoted)}, so the result may differ from ${quoted.length === 1 ? 'this argument' : 'these arguments'}.`,
        fix: isRequired ? leaveOut() : { ...leaveOut(), or: `leave ${andList(quoted)} out` },
      },
    ];
  });
}

/**
 * Whether ffmpeg uses the request's option `sent` instead of the recipe's option `own`. The request's options come last, so `b` also
 * overrides `b:v`.
 */
const isStronger = (sent: string, own: string): boolean => own === sent || own.startsWith(`${sent}:`);
