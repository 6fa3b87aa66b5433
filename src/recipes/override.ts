import type { OptionValue, Parameters } from '../domain/conversion.ts';
import { parseOptionName, printOptionName } from '../ffmpeg/plan/request/option-name.ts';

/**
 * Options of a recipe with those of a request. An option of the request replaces the one of the recipe that ffmpeg reads as
 * the same option: `vcodec` replaces `c:v`. Options of the request come last, so that `c` is stronger than `c:v` of the recipe.
 */
export function overrideParameters(recipe: Parameters, sent: Parameters = {}): Parameters {
  const replaced = new Set(Object.keys(sent).map(canonicalName));
  const kept = Object.entries(recipe).filter(([name]) => !replaced.has(canonicalName(name)));
  return Object.fromEntries<OptionValue>([...kept, ...Object.entries(sent)]);
}

/** The name of an option with its aliases resolved, as in the argv. A name that cannot be parsed stays as it is. */
export function canonicalName(name: string): string {
  const parsed = parseOptionName(name);
  return 'name' in parsed ? printOptionName(parsed) : name;
}
