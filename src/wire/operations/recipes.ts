import { z } from 'zod';
import { recipeListSchema, recipeSchema, recipesQuery } from '../recipe.ts';
import { jsonReply, type Operation, type Operations, token } from './operation.ts';

const read = { tag: 'Recipes', access: token('jobs:read') } satisfies Partial<Operation>;

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
    params: z.object({ name: z.string().meta({ description: 'The name of the recipe.' }) }),
    replies: { 200: jsonReply('The recipe.', recipeSchema, RECIPE) },
    problems: ['NOT_FOUND'],
  },
} satisfies Operations;
