import { basename, extname } from 'node:path';
import type { Recipe, RecipeDefinition, RecipeList } from '@telecine/client/api.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';
import { addServiceOptions } from '../session/command-options.ts';
import { readJsonFile } from '../session/json-file.ts';
import { printResult, type ServiceFlags } from '../session/service-verbs.ts';

interface RecipesFlags extends ServiceFlags {
  readonly show?: string;
  readonly add?: string;
  readonly delete?: string;
}

const HELP = `
  telecine recipes                              # all of them
  telecine recipes make it fit in 8 MB          # the best matches first
  telecine recipes --show target-size           # its inputs and arguments
  telecine recipes --add house-style.json       # a recipe of your own, named after the file
  telecine recipes --delete house-style
  telecine convert in.mov out.mp4 --preset target-size -a size=8`;

export function declare(recipes: Command): void {
  addServiceOptions(recipes.argument('[words...]'))
    .option('--show <name>', 'one recipe with its inputs and arguments')
    .option('--add <file>', 'store a recipe of your own, or a newer version of it; the file has its name')
    .option('--delete <name>', 'delete a recipe of your own')
    .addHelpText('after', HELP)
    .action(runRecipes);
}

function runRecipes(words: readonly string[], flags: RecipesFlags): Promise<void> {
  const { show, add, delete: deleted } = flags;
  if (add !== undefined)
    return printResult(
      flags,
      async ({ client, signal }) =>
        client.putRecipe(basename(add, extname(add)), await readJsonFile<RecipeDefinition>(add, 'a recipe'), {
          signal,
        }),
      ({ name, version }) => [
        `Your recipe "${name}" has version ${version}. Use it: telecine convert IN OUT --preset ${name}`,
      ],
    );
  if (deleted !== undefined)
    return printResult(
      flags,
      async ({ client, signal }) => {
        await client.removeRecipe(deleted, { signal });
        return { name: deleted };
      },
      () => [`Your recipe "${deleted}" is deleted.`],
    );
  if (show !== undefined)
    return printResult(flags, ({ client, signal }) => client.recipe(show, { signal }), showRecipe);
  const q = words.join(' ');
  return printResult(
    flags,
    ({ client, signal }) => client.recipes({ signal, ...(q !== '' && { q }) }),
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
      return [argument.min, 'to', argument.max, argument.unit].join(' ').trimEnd();
    default:
      return argument.type;
  }
}

const defaultOf = (argument: Argument): string =>
  argument.required === true ? '(required)' : argument.default === undefined ? '' : String(argument.default);
