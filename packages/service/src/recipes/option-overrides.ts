import type { OptionValue, Parameters } from '@telecine/contract/domain/conversion.ts';
import { leaveOut, orElse } from '@telecine/contract/domain/edit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { pointerToken } from '@telecine/contract/domain/problem.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import type { Recipe, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { parseOptionName, printOptionName } from '@telecine/ffmpeg/plan/request/option-name.ts';
import type { Scope } from './scope.ts';
import { fillValue, isGraphOption, type TemplateScope } from './template.ts';

/**
 * Combines options. An option of the request replaces the same option of the recipe, also under another name: `vcodec` replaces `c:v`.
 * Options of the request come last, so that `c` overrides `c:v` of the recipe.
 */
export function overrideParameters(recipe: Parameters, sent: Parameters = {}): Parameters {
  const replaced = new Set(Object.keys(sent).map(canonicalName));
  const kept = Object.entries(recipe).filter(([name]) => !replaced.has(canonicalName(name)));
  return Object.fromEntries<OptionValue>([...kept, ...Object.entries(sent)]);
}

/** The name of an option with its aliases resolved, as in the argv. Returns an invalid name unchanged. */
export function canonicalName(name: string): string {
  const parsed = parseOptionName(name);
  return 'name' in parsed ? printOptionName(parsed) : name;
}

/** Fills in the options of a recipe. Leaves out options without a value. */
export const fillParameters = (options: Readonly<Record<string, RecipeValue>>, scope: TemplateScope): Parameters =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]): [string, OptionValue][] => {
      const filled = fillValue(canonicalName(name), value, scope);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );

/** The options of a recipe, as declared and filled in. */
interface OwnOptions {
  readonly declared: Readonly<Record<string, RecipeValue>>;
  readonly filled: Parameters;
}

/**
 * Warns about options of a request that replace what its arguments set in the recipe: a bit rate beside a size. `at`: the pointer of
 * the element that has the options.
 */
export function replacedOptions(
  { declared, filled }: OwnOptions,
  sent: Parameters,
  { name: recipe, arguments: known }: Recipe,
  scope: Scope,
  at = '',
): readonly Warning[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const canonical = canonicalName(name);
    const replaced = Object.keys(filled).filter((own) => isStronger(canonical, canonicalName(own)));
    const isSame = replaced.every((own) => JSON.stringify(filled[own]) === JSON.stringify(value));
    // A client may replace a filter whose values are computed from arguments: it did not send the computed value.
    const names = new Set(replaced.flatMap((own) => scope.argumentsOf(declared[own], !isGraphOption(own))));
    if (isSame || names.size === 0) return [];
    const quoted = [...names].map((one) => JSON.stringify(one));
    const isRequired = [...names].some((one) => known[one]?.required === true);
    return [
      {
        field: `${at}/parameters/${pointerToken(name)}`,
        code: 'OVERRIDES_RECIPE',
        message: `"${name}" replaces what the recipe "${recipe}" sets for ${andList(quoted)}, so the result may differ from ${quoted.length === 1 ? 'this argument' : 'these arguments'}.`,
        fix: isRequired ? leaveOut() : orElse(leaveOut(), `leave ${andList(quoted)} out`),
      },
    ];
  });
}

/** Whether ffmpeg uses an option of the request instead of an option of the recipe: `b` overrides `b:v` too, because it comes last. */
const isStronger = (sent: string, own: string): boolean => own === sent || own.startsWith(`${sent}:`);
