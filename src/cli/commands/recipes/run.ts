import type { Recipe, RecipeList } from '../../../client/api.ts';
import { table } from '../../output/table.ts';
import type { JobsFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';

export interface RecipesFlags extends JobsFlags {
  readonly show?: string;
}

/** Runs `telecine recipes`. */
export function runRecipes(words: readonly string[], flags: RecipesFlags): Promise<void> {
  const { show } = flags;
  if (show !== undefined) return printResult(flags, (client, signal) => client.recipe(show, { signal }), showRecipe);
  const q = words.join(' ');
  return printResult(
    flags,
    (client, signal) => client.recipes({ signal, ...(q !== '' && { q }) }),
    (list) => showRecipes(list, q),
  );
}

function showRecipes({ recipes, close }: RecipeList, q: string): readonly string[] {
  if (recipes.length === 0) return [`No recipe matches "${q}". All of them: telecine recipes`];
  return [
    ...(close === false ? [`No recipe seems to do "${q}". These share words with it:`] : []),
    ...table([['RECIPE', 'WHAT IT DOES'], ...recipes.map(({ name, title }) => [name, title])]),
  ];
}

function showRecipe(recipe: Recipe): readonly string[] {
  const { name, version, title, description, inputs, outputs, arguments: own } = recipe;
  return [
    `${name}, version ${version}: ${title}`,
    description,
    '',
    ...table([
      ['INPUT', ''],
      ...inputs.map(({ role, optional, description: about }) => [
        role,
        `${about}${optional === true ? ' Optional.' : ''}`,
      ]),
    ]),
    `Output: ${outputs.map((one) => `.${one}`).join(', ')}`,
    ...(Object.keys(own).length === 0
      ? []
      : [
          '',
          ...table([
            ['ARGUMENT', 'VALUES', 'DEFAULT', ''],
            ...Object.entries(own).map(([argument, about]) => [
              argument,
              valuesOf(about),
              defaultOf(about),
              about.description,
            ]),
          ]),
        ]),
  ];
}

type Argument = Recipe['arguments'][string];

function valuesOf(argument: Argument): string {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices).join(', ');
    case 'number':
      return `${argument.min} to ${argument.max}`;
    default:
      return argument.type;
  }
}

const defaultOf = (argument: Argument): string =>
  argument.required === true ? '(required)' : argument.default === undefined ? '' : String(argument.default);
