import type { Recipe, RecipeDefinition, RecipeList } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { listLines } from '../output/result-lines.ts';
import { readJsonFile } from '../session/json-file.ts';
import { addOperationVerbs } from '../session/operation-verbs.ts';
import { addVerb } from '../session/service-verbs.ts';

const HELP = `
  telecine recipes                              # all of them
  telecine recipes make it fit in 8 MB          # the best matches first
  telecine recipes show target-size             # its inputs and arguments
  telecine convert in.mov out.mp4 --preset target-size -a size=8`;

export function declare(recipes: Command): void {
  recipes.addHelpText('after', HELP);
  addVerb(
    recipes.command('list [words...]', { isDefault: true }),
    'find recipes by your own words, or list all (the default)',
    ({ client, signal }, ...words) => client.recipes({ signal, ...(words.length > 0 && { q: words.join(' ') }) }),
    showRecipes,
  );
  addOperationVerbs(recipes, { getRecipe: { show: showRecipe } });
  addVerb(
    recipes.command('add <name> <file>'),
    'store a recipe of your own, or a newer version of it, from a JSON file',
    async ({ client, signal }, name = '', file = '') =>
      client.putRecipe(name, await readJsonFile<RecipeDefinition>(file, 'a recipe'), { signal }),
    ({ name, version }) => [
      `Your recipe "${name}" has version ${version}. Use it: telecine convert IN OUT --preset ${name}`,
    ],
  );
}

const showRecipes = ({ recipes, close }: RecipeList): readonly string[] => [
  ...(close === false ? ['No recipe seems to do this. These share words with it:'] : []),
  ...listLines(recipes, [['RECIPE', ({ name }) => name], 'title'], 'No recipe matches. All of them: telecine recipes'),
];

const showRecipe = (recipe: Recipe): readonly string[] => [
  `${recipe.name}, version ${recipe.version}: ${recipe.title}`,
  recipe.description,
  '',
  ...listLines(recipe.inputs, [
    ['INPUT', ({ role }) => role],
    ['', ({ description, optional }) => `${description}${optional === true ? ' Optional.' : ''}`],
  ]),
  `Output: ${recipe.outputs.map((one) => `.${one}`).join(', ')}`,
  '',
  ...listLines(
    Object.entries(recipe.arguments),
    [
      ['ARGUMENT', ([name]) => name],
      ['VALUES', ([, argument]) => valuesOf(argument)],
      ['DEFAULT', ([, argument]) => (argument.required === true ? '(required)' : argument.default)],
      ['', ([, argument]) => argument.description],
    ],
    'It has no arguments.',
  ),
];

function valuesOf(argument: Recipe['arguments'][string]): string {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices).join(', ');
    case 'number':
      return [argument.min, 'to', argument.max, argument.unit].join(' ').trimEnd();
    default:
      return argument.type;
  }
}
