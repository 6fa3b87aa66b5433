import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { ChosenStream } from '@telecine/contract/domain/origins.ts';
import type { RecipeDefinition, RecipeValue } from '@telecine/contract/domain/recipe.ts';
import { textsIn } from '@telecine/contract/domain/recipe-template.ts';
import { parseFormula } from '@telecine/ffmpeg/expression/formula.ts';
import type { ReadArgument } from './arguments.ts';
import type { Scope } from './scope.ts';
import { fillValue } from './template.ts';

/** A text of `map` that selects one stream by its number: `0:s:{{index}}`. With `?` at its end, the stream may be missing. */
const NUMBERED = /^\d+:[vVas]:\{\{\s*([\w.-]+)\s*\}\}$/;

/**
 * The streams that arguments of the client choose by their numbers in the `map` of a recipe. So a stream that the file lacks is reported at
 * the argument.
 */
export function chosenStreams(
  recipe: RecipeDefinition,
  { map: declared }: Readonly<Record<string, RecipeValue>>,
  read: ReadonlyMap<string, ReadArgument>,
  scope: Scope,
): readonly ChosenStream[] {
  return textsIn(declared).flatMap((text) => {
    const [, number] = NUMBERED.exec(text) ?? [];
    if (number === undefined) return [];
    const [argument, ...others] = scope.argumentsOf(text, true);
    if (argument === undefined || others.length > 0) return [];
    const map = fillValue('map', text, scope);
    const first = firstValue(recipe, number, argument, read);
    const chooser = recipe.arguments[argument];
    const min = chooser?.type === 'number' ? chooser.min : undefined;
    const least = first !== undefined && min !== undefined && min > first ? min : undefined;
    return typeof map === 'string' ? [{ map, argument, ...definedMembers({ first, least }) }] : [];
  });
}

/** The value of an argument for which `number` is 0. undefined: `number` does not grow by one with the argument. */
function firstValue(
  recipe: RecipeDefinition,
  number: string,
  argument: string,
  read: ReadonlyMap<string, ReadArgument>,
): number | undefined {
  const sent = read.get(argument)?.number;
  if (sent === undefined || recipe.arguments[argument]?.type !== 'number') return undefined;
  const numberWith = (value: number): number | undefined => {
    const numbers = new Map([...read].map(([name, one]) => [name, one.number]));
    numbers.set(argument, value);
    for (const [name, text] of Object.entries(recipe.values ?? {}))
      numbers.set(
        name,
        parseFormula(text).evaluate((one) => numbers.get(one)),
      );
    return numbers.get(number);
  };
  const first = sent - (numberWith(sent) ?? Number.NaN);
  return numberWith(first) === 0 && numberWith(first + 1) === 1 ? first : undefined;
}
