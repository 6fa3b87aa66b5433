import { RECIPE_LIMITS } from '../../../packages/contract/src/domain/recipe.ts';
import { type DearBody, filled, listOf, objectOf } from './dear-body.ts';

const about = { version: 1, title: 'A', description: 'A', words: [], outputs: ['mp4'] };
const film = { role: 'film', description: 'A' };
const text = (maxLength: number) => ({ type: 'text', maxLength, description: 'A' });
const choice = (one: string) => ({ type: 'choice', choices: { one }, default: 'one', description: 'A' });

const put = (name: string, body: object) =>
  ({ method: 'PUT', path: `/api/recipes/${name}`, body: JSON.stringify(body) }) as const;

/** A filtergraph of thousands of wrong arguments, which the recipe has once and each of its outputs uses. */
const WRONG_FILTER = {
  ...about,
  inputs: [film],
  arguments: { c: choice(filled('1:', 16_000)) },
  values: {},
  request: {
    parameters: {},
    outputs: listOf(RECIPE_LIMITS.outputs, (index) => ({
      role: `o${index}`,
      description: 'A',
      ...(index > 0 && { suffix: `-${index}.mp4` }),
      parameters: { vf: 'scale={{c}}' },
    })),
  },
};

/** Lists that refer to a choice that refers to a long text: their expansion is thousands of times as long. */
const EXPANDING = {
  ...about,
  inputs: [film],
  arguments: { c: choice('{{t}}'.repeat(16)), t: { ...text(1000), default: 't'.repeat(1000) } },
  values: {},
  request: {
    parameters: objectOf(
      4,
      (index) => ['metadata', 'map', 'attach', 'map_metadata'][index] ?? '',
      () => listOf(900, () => '{{c}}'),
    ),
  },
};

const use = (name: string, index = 0) => ({ input: 'in.mp4', output: `${index}.mp4`, preset: { name } });

const stored = (name: string, recipe: object, path: string, body: object): DearBody => ({
  name,
  method: 'POST',
  path,
  body: JSON.stringify(body),
  before: [put('dear', recipe)],
});

const expression = filled('(1+', RECIPE_LIMITS.expressionLength / 2);

/** Recipes that are expensive to store and to apply. */
export const recipeBodies = (): readonly DearBody[] => [
  stored('a stored recipe of wrong filters', WRONG_FILTER, '/api/conversion?dryRun=true', use('dear')),
  stored('a batch of 3 of that recipe', WRONG_FILTER, '/api/conversions?dryRun=true', {
    requests: listOf(3, (index) => use('dear', index)),
  }),
  stored('a batch of 100 of that recipe', WRONG_FILTER, '/api/conversions?dryRun=true', {
    requests: listOf(100, (index) => use('dear', index)),
  }),
  stored('a recipe that expands', EXPANDING, '/api/conversion?dryRun=true', use('dear')),
  stored('a batch of 100 that expand', EXPANDING, '/api/conversions?dryRun=true', {
    requests: listOf(100, (index) => use('dear', index)),
  }),
  stored('unknown arguments of a recipe', WRONG_FILTER, '/api/conversion?dryRun=true', {
    ...use('dear'),
    preset: {
      name: 'dear',
      arguments: objectOf(
        990,
        (index) => `argument${index}`,
        () => 'a'.repeat(900),
      ),
    },
  }),
  {
    name: 'a long unknown recipe, in a batch of 100',
    method: 'POST',
    path: '/api/conversions?dryRun=true',
    body: JSON.stringify({ requests: listOf(100, (index) => use('h'.repeat(64), index)) }),
  },
  {
    name: 'a recipe with nested formulas',
    ...put('formulas', {
      ...about,
      inputs: [film],
      arguments: objectOf(
        30,
        (index) => `a${index}`,
        () => ({ type: 'number', min: 0, max: 9, description: 'A' }),
      ),
      values: objectOf(
        20,
        (index) => `v${index}`,
        () => `${expression}1${')'.repeat(expression.length / 3)}`,
      ),
      request: { parameters: {} },
    }),
  },
  {
    name: 'a recipe with thousands of references',
    ...put('references', {
      ...about,
      inputs: [film],
      arguments: { t: text(10) },
      values: {},
      request: {
        parameters: objectOf(
          60,
          (index) => `metadata:s:${index}`,
          () => filled('{{a}}', 500),
        ),
      },
    }),
  },
  {
    name: 'a recipe of stray braces',
    ...put('braces', {
      ...about,
      inputs: [film],
      arguments: {},
      values: {},
      request: { parameters: { vf: '{'.repeat(16_000), af: filled('{{a ', 14_000) } },
    }),
  },
  {
    name: 'a recipe of a megabyte',
    ...put('megabyte', {
      ...about,
      inputs: [film],
      arguments: {},
      values: {},
      request: {
        parameters: objectOf(
          60,
          (index) => `o${index}`,
          () => filled('{{a}}', 16_000),
        ),
      },
    }),
  },
];
