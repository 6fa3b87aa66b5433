import { z } from 'zod';
import {
  codecDetail,
  codecList,
  codecsQuery,
  filterDetail,
  filterList,
  filtersQuery,
  formatDetail,
  formatList,
  formatsQuery,
  optionDetail,
  optionList,
  optionsQuery,
} from '../capabilities.ts';
import { text } from '../described-schemas.ts';
import { dryRunSchema, recipeDryRunBody } from '../dry-run.ts';
import { recipeBody, recipeListSchema, recipeSchema, recipesQuery } from '../recipe.ts';
import { DRY_RUN_EXAMPLE } from './conversions.ts';
import { jsonBody, jsonReply, type Operation, type Operations, token } from './operation.ts';

const search = { tag: 'Capabilities', access: token('jobs:read') } satisfies Partial<Operation>;
const lookup = {
  ...search,
  params: z.object({ name: text('The name, spelled as in ffmpeg.') }),
  problems: ['NOT_FOUND'],
} satisfies Partial<Operation>;

const libx264 = {
  name: 'libx264',
  kind: 'video',
  codec: 'h264',
  description: 'libx264 H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10',
  encodes: true,
  decodes: false,
};
const mp4 = { name: 'mp4', description: 'MP4 (MPEG-4 Part 14)', reads: true, writes: true };
const scale = {
  name: 'scale',
  description: 'Scale the input video size and/or convert the image format.',
  inputs: 'V',
  outputs: 'V',
  timeline: false,
};
const crf = { name: 'crf', type: 'float', description: 'Select the quality', min: 0, max: 51, usual: '18 to 28' };
const crfMeaning = { ...crf, of: ['libx264'], on: 'output', media: 'V' };
const movflags = {
  name: 'movflags',
  type: 'flags',
  description: 'MOV muxer flags',
  default: '0',
  constants: ['faststart', 'frag_keyframe'],
};
const width = { name: 'w', type: 'string', description: 'Output video width' };

export const CAPABILITY_OPERATIONS = {
  listFormats: {
    ...search,
    summary: 'Search formats',
    description: 'Lists the container formats that inputs and outputs may have.',
    query: formatsQuery,
    replies: { 200: jsonReply('One page.', formatList, { formats: [mp4] }) },
  },
  getFormat: {
    ...lookup,
    summary: 'Get a format',
    description: 'Returns its file extensions, its default codecs and its own options.',
    replies: {
      200: jsonReply('The format.', formatDetail, {
        ...mp4,
        extensions: ['mp4'],
        mimeType: 'video/mp4',
        defaultCodecs: { video: 'h264', audio: 'aac' },
        outputOptions: [movflags],
      }),
    },
  },
  listCodecs: {
    ...search,
    summary: 'Search encoders and decoders',
    description: 'Lists the encoders and decoders. Hardware codecs are listed only if a worker has their device.',
    query: codecsQuery,
    replies: { 200: jsonReply('One page.', codecList, { codecs: [libx264] }) },
  },
  getCodec: {
    ...lookup,
    summary: 'Get a codec',
    description: 'Returns the formats that its encoder accepts, and the options of its encoder and decoder.',
    replies: {
      200: jsonReply('The codec.', codecDetail, {
        ...libx264,
        encoders: ['libx264', 'libx264rgb'],
        pixelFormats: ['yuv420p', 'yuv444p'],
        encoderOptions: [crf],
      }),
    },
  },
  listFilters: {
    ...search,
    summary: 'Search filters',
    description: 'Lists the filters that a filtergraph may use.',
    query: filtersQuery,
    replies: { 200: jsonReply('One page.', filterList, { filters: [scale] }) },
  },
  getFilter: {
    ...lookup,
    summary: 'Get a filter',
    description: 'Returns its pads and options.',
    replies: {
      200: jsonReply('The filter.', filterDetail, {
        ...scale,
        inputPads: [{ name: 'default', media: 'video' }],
        outputPads: [{ name: 'default', media: 'video' }],
        options: [width],
      }),
    },
  },
  listOptions: {
    ...search,
    summary: 'Search options',
    description:
      'Lists all options that `parameters` may have. With `encoder`, `decoder`, `format`, `inputFormat`, `filter` or ' +
      '`bsf`, lists only the options of that component.',
    query: optionsQuery,
    replies: { 200: jsonReply('One page.', optionList, { options: [crfMeaning] }) },
  },
  getOption: {
    ...lookup,
    summary: 'Get an option',
    description: 'Returns each of its meanings, with range, default and named values.',
    replies: { 200: jsonReply('The option.', optionDetail, { name: 'crf', meanings: [crfMeaning] }) },
  },
} satisfies Operations;

const read = { tag: 'Recipes', access: token('jobs:read') } satisfies Partial<Operation>;

const params = z.object({ name: text('The name of the recipe.') });

const SUMMARY = {
  name: 'extract-mp3',
  version: 1,
  source: 'built-in',
  title: 'Audio of a video as MP3',
  description: 'Takes the audio out of a video and writes an MP3.',
  outputs: ['mp3'],
  inputs: ['media'],
  arguments: ['quality'],
};

const RECIPE = {
  ...SUMMARY,
  words: ['music', 'song'],
  inputs: [{ role: 'media', description: 'A video or an audio file.' }],
  arguments: {
    quality: {
      type: 'choice',
      choices: { small: '5', good: '2', best: '0' },
      default: 'good',
      description: 'The quality of the audio.',
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
      'Lists the recipes that `preset` of a request can name: recipes of the service, of its operator and of the client. With ' +
      '`q`, lists the recipes for that task, the best match first. `close` is false if no recipe seems to do it.',
    query: recipesQuery,
    replies: { 200: jsonReply('The recipes.', recipeListSchema, { recipes: [SUMMARY] }) },
  },
  getRecipe: {
    ...read,
    summary: 'Get a recipe',
    verb: 'recipes show',
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
    body: jsonBody(recipeBody, DEFINITION),
    replies: {
      200: jsonReply('The recipe, which was replaced or is the same.', recipeSchema, OWN),
      201: jsonReply('The new recipe.', recipeSchema, OWN),
    },
    problems: ['RECIPE_CONFLICT', 'TOO_MANY_RECIPES'],
  },
  deleteRecipe: {
    tag: 'Recipes',
    summary: 'Delete a recipe of your own',
    verb: 'recipes delete',
    description: 'Deletes it. Jobs that used it stay as they are, and can be retried.',
    access: token('jobs:write'),
    audit: { action: 'recipe.delete', target: 'handler' },
    params,
    replies: { 204: { description: 'The recipe is deleted.' } },
    problems: ['NOT_FOUND'],
  },
  dryRunRecipe: {
    tag: 'Recipes',
    summary: 'Try a recipe before it is stored',
    description:
      'Checks a recipe as `PUT` does, and plans a request with it, as a dry run of this request would after the recipe is stored. Nothing is stored ' +
      'or queued. Errors and warnings about an option that the recipe sets are at this option in `recipe`, those about ' +
      'an argument or a file in `request`.',
    access: token('jobs:write'),
    limit: 'dry runs',
    params,
    body: jsonBody(recipeDryRunBody, {
      recipe: DEFINITION,
      request: {
        input: 'movies/in.mov',
        output: 'movies/in.mp3',
        preset: { name: 'house-style', arguments: { quality: 'best' } },
      },
    }),
    replies: { 200: jsonReply('What a job with the recipe would run.', dryRunSchema, DRY_RUN_EXAMPLE) },
    problems: ['RECIPE_CONFLICT', 'INPUT_UNAVAILABLE', 'TIMEOUT'],
  },
} satisfies Operations;
