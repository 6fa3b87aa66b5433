import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Recipe, RecipeDefinition, RecipeList } from '../../../client/api.ts';
import { describeJsonError } from '../../../wire/json-error.ts';
import { table } from '../../output/table.ts';
import type { JobsFlags } from '../../session/flags.ts';
import { printResult } from '../../session/print-result.ts';
import { usageError } from '../../session/usage-error.ts';

export interface RecipesFlags extends JobsFlags {
  readonly show?: string;
  /** A file with a recipe. */
  readonly add?: string;
  readonly delete?: string;
}

/** Runs `telecine recipes`. */
export function runRecipes(words: readonly string[], flags: RecipesFlags): Promise<void> {
  const { show, add, delete: deleted } = flags;
  if (add !== undefined) return addRecipe(add, flags);
  if (deleted !== undefined) return removeRecipe(deleted, flags);
  if (show !== undefined) return printResult(flags, (client, signal) => client.recipe(show, { signal }), showRecipe);
  const q = words.join(' ');
  return printResult(
    flags,
    (client, signal) => client.recipes({ signal, ...(q !== '' && { q }) }),
    (list) => showRecipes(list, q),
  );
}

const addRecipe = (file: string, flags: RecipesFlags): Promise<void> =>
  printResult(
    flags,
    async (client, signal) => {
      const definition = await readDefinition(file);
      return client.putRecipe(basename(file, extname(file)), definition, { signal });
    },
    ({ name, version }) => [
      `Your recipe "${name}" has version ${version}. Use it: telecine convert IN OUT --preset ${name}`,
    ],
  );

/** The service checks what is in it. */
async function readDefinition(file: string): Promise<RecipeDefinition> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError('NO_FILE', `${file} cannot be read (${reason}).`, 'Name a file with a recipe as JSON.');
  });
  try {
    return JSON.parse(text) as RecipeDefinition;
  } catch {
    throw usageError('INVALID_JSON', `${file} is not a recipe: ${describeJsonError(text)}.`, 'Correct the JSON.');
  }
}

const removeRecipe = (name: string, flags: RecipesFlags): Promise<void> =>
  printResult(
    flags,
    async (client, signal) => {
      await client.removeRecipe(name, { signal });
      return { name };
    },
    () => [`Your recipe "${name}" is deleted.`],
  );

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
