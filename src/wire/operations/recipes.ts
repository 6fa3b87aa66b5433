import { z } from 'zod';
import { recipeBody, recipeListSchema, recipeSchema, recipesQuery } from '../recipe.ts';
import { jsonReply, type Operation, type Operations, token } from './operation.ts';

const read = { tag: 'Recipes', access: token('jobs:read') } satisfies Partial<Operation>;

const params = z.object({ name: z.string().meta({ description: 'The name of the recipe.' }) });

const SUMMARY = {
  name: 'extract-mp3',
  version: 1,
  source: 'built-in',
  title: 'Sound of a film as MP3',
  description: 'Takes the sound out of a video and writes an MP3.',
  outputs: ['mp3'],
  inputs: ['media'],
  arguments: ['quality'],
};

const RECIPE = {
  ...SUMMARY,
  words: ['music', 'song'],
  inputs: [{ role: 'media', description: 'A film or a sound.' }],
  arguments: {
    quality: {
      type: 'choice',
      choices: { small: '5', good: '2', best: '0' },
      default: 'good',
      description: 'The quality of the sound.',
    },
  },
  request: { parameters: { vn: '', 'c:a': 'libmp3lame', 'q:a': '{{quality}}' } },
};

const OWN = { ...RECIPE, name: 'house-style', source: 'own' };
const { name: _name, source: _source, ...DEFINITION } = RECIPE;

export const RECIPE_OPERATIONS = {
  listRecipes: {
    ...read,
    summary: 'Find recipes',
    description:
      'Lists the recipes that `preset` of a request can name: those of the service, of its operator, and of the client. With ' +
      '`q`, lists those that do what it says, the best match first. `close` is false if none seems to do that.',
    query: recipesQuery,
    replies: { 200: jsonReply('The recipes.', recipeListSchema, { recipes: [SUMMARY] }) },
  },
  getRecipe: {
    ...read,
    summary: 'Get a recipe',
    description: 'Returns the definition of a recipe: its inputs, its arguments and the options that it sets.',
    params,
    replies: { 200: jsonReply('The recipe.', recipeSchema, RECIPE) },
    problems: ['NOT_FOUND'],
  },
  putRecipe: {
    tag: 'Recipes',
    summary: 'Write a recipe of your own',
    description:
      'Stores a recipe that only your client has, under a name that no recipe of the service or its operator has. It replaces ' +
      'your recipe of this name if its `version` is greater; the same content again changes nothing. Jobs that used it stay as they are.',
    access: token('jobs:write'),
    audit: { action: 'recipe.write', target: 'handler' },
    params,
    body: { type: 'application/json', schema: recipeBody, example: DEFINITION },
    replies: {
      200: jsonReply('The recipe, which was replaced or is the same.', recipeSchema, OWN),
      201: jsonReply('The new recipe.', recipeSchema, OWN),
    },
    problems: ['RECIPE_CONFLICT', 'TOO_MANY_RECIPES'],
  },
  deleteRecipe: {
    tag: 'Recipes',
    summary: 'Delete a recipe of your own',
    description: 'Deletes it. Jobs that used it stay as they are, and can be retried.',
    access: token('jobs:write'),
    audit: { action: 'recipe.delete', target: 'handler' },
    params,
    replies: { 204: { description: 'The recipe is deleted.' } },
    problems: ['NOT_FOUND'],
  },
} satisfies Operations;
