import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { JOINS } from '../domain/join.ts';
import { MAX_PATH_BYTES } from '../domain/media-path.ts';
import { ARGUMENT_UNITS, type ListedRecipe, RECIPE_LIMITS, RECIPE_NAME } from '../domain/recipe.ts';
import { neededStreams } from '../domain/recipe-streams.ts';
import { boolean, choice, integer, list, numberInQuery, text } from './described-schemas.ts';
import { frameSize } from './frame-size.ts';
import { optionText, optionValue } from './option-value.ts';
import type { Shape } from './shape.ts';

const recipeName = text('The name of a recipe.', 'web-h264').max(RECIPE_LIMITS.nameLength).regex(RECIPE_NAME);

const version = integer('Rises when the result of a recipe changes.', 1).min(1).max(RECIPE_LIMITS.version);

/** A name of an argument, a value or a role. */
const plainName = z
  .string()
  .max(RECIPE_LIMITS.nameLength)
  .regex(/^[a-z][A-Za-z0-9]*$/);

const argumentValue = z.union([z.string().max(MAX_PATH_BYTES), z.number(), z.boolean()]).meta({
  id: 'ArgumentValue',
  description: 'The value of an argument. A number may be a string.',
  examples: [720],
});

export const preset = z
  .strictObject({
    name: text('The name of a recipe: `GET /api/recipes`.', 'web-h264').min(1).max(RECIPE_LIMITS.nameLength),
    version: version.exactOptional().meta({
      description: 'Rejects the request if the recipe has another version. Default: the newest.',
      examples: [1],
    }),
    arguments: z
      .record(z.string().min(1).max(RECIPE_LIMITS.nameLength), argumentValue)
      .exactOptional()
      .meta({
        description: 'The arguments of the recipe, by name, and the paths of inputs by their role.',
        examples: [{ height: 720 }],
      }),
  })
  .meta({
    id: 'Preset',
    description: 'Applies a recipe. `parameters` override its options: `vcodec` replaces its `c:v`.',
    examples: [{ name: 'web-h264', arguments: { height: 720 } }],
  });

const description = z.string().min(1).max(RECIPE_LIMITS.descriptionLength);

/** A condition chooses between values, not between more conditions. This keeps recipes readable and the schema finite. */
const recipeValue = z
  .union([
    optionValue,
    z.strictObject({
      when: text('The name of an argument or of an input.', 'height'),
      value: optionValue.exactOptional(),
      otherwise: optionValue.exactOptional(),
    }),
  ])
  .meta({
    id: 'RecipeValue',
    description:
      'The value of an option. `{{name}}` stands for an argument or a value; without one, the option is left out. ' +
      '`{{#name}}…{{/name}}` is left out if that argument or input is not there, or false, and `{{^name}}…{{/name}}` if it is there. With `when`, ' +
      '`value` counts if that argument or input is there and not false, else `otherwise`.',
    examples: ['scale=-2:{{height}}'],
  });

const recipeParameters = z.record(z.string().min(1).max(REQUEST_LIMITS.optionNameLength), recipeValue).meta({
  id: 'RecipeParameters',
  description: 'Options by name.',
  examples: [{ 'c:v': 'libx264', crf: '{{quality}}' }],
});

const recipeInput = z
  .strictObject({
    role: plainName.meta({ description: 'A word for it.', examples: ['film'] }),
    description,
    optional: z.literal(true).exactOptional(),
    many: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'All further inputs of the request have this role.', examples: [true] }),
    parameters: recipeParameters.exactOptional(),
    duration: recipeValue.exactOptional().meta({ description: 'As in `inputs` of a request.' }),
    crossfade: recipeValue.exactOptional().meta({ description: 'As in `inputs` of a request.' }),
  })
  .meta({ id: 'RecipeInput', description: 'A file that the recipe reads.' });

const recipeOutput = z
  .strictObject({
    role: plainName.meta({ description: 'A word for it.', examples: ['poster'] }),
    description,
    suffix: text(
      'The end of the file name: `film-poster.jpg` for `film.mp4`. The first output has none.',
      '-poster.jpg',
    )
      .max(100)
      .regex(/^[\w-]*\.[a-z0-9]{1,10}$/)
      .exactOptional(),
    when: text('The output is omitted if this argument, value or fact is not set.', 'input.sounds').exactOptional(),
    format: z.string().min(1).max(REQUEST_LIMITS.formatLength).exactOptional(),
    parameters: recipeParameters,
  })
  .meta({ id: 'RecipeOutput', description: 'One of several outputs of a recipe.' });

const required = { description, required: z.literal(true).exactOptional() };

const argument = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('choice'),
      choices: z
        .record(z.string().min(1).max(RECIPE_LIMITS.nameLength), optionText)
        .refine((all) => Object.keys(all).length <= RECIPE_LIMITS.choices, {
          error: `An argument has at most ${RECIPE_LIMITS.choices} choices.`,
        })
        .meta({
          description: 'The allowed choices. Each has the text that replaces it in the request.',
          examples: [{ small: '30', good: '23' }],
        }),
      default: z.string().exactOptional(),
      ...required,
    }),
    z.strictObject({
      type: z.literal('number'),
      min: z.number(),
      max: z.number(),
      integer: z.literal(true).exactOptional(),
      unit: z
        .enum(ARGUMENT_UNITS)
        .exactOptional()
        .meta({
          description: 'The unit. `MB`: megabytes of 1,000,000 bytes. `x`: how many times as much.',
          examples: ['px'],
        }),
      cap: z
        .literal('input.height')
        .exactOptional()
        .meta({
          description: 'A fact of the first input. A larger number is allowed, and has the effect of this fact.',
          examples: ['input.height'],
        }),
      default: z.number().exactOptional(),
      ...required,
    }),
    z.strictObject({
      type: z.literal('time').meta({ description: 'Seconds, or minutes:seconds.' }),
      min: z.number().exactOptional(),
      max: z.number().exactOptional(),
      share: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'It may also be a share of the first input: `middle`, `25%`.' }),
      default: z.string().exactOptional(),
      ...required,
    }),
    z.strictObject({
      type: z.literal('colour').meta({ description: '#RRGGBB, or a name.' }),
      default: z.string().exactOptional(),
      ...required,
    }),
    z.strictObject({
      type: z.literal('text'),
      maxLength: z.int().min(1).max(1000),
      without: text('Characters that it must not contain.').min(1).max(20).exactOptional(),
      default: z.string().exactOptional(),
      ...required,
    }),
    z.strictObject({ type: z.literal('flag'), default: z.boolean().exactOptional(), ...required }),
  ])
  .meta({
    id: 'RecipeArgument',
    description: 'An argument. Without a default it is optional, unless it is `required`.',
  });

const result = z
  .strictObject({
    keeps: z
      .array(
        z.enum([
          ...['picture', 'sound', 'all-sound', 'languages', 'subtitles', 'chapters', 'cover', 'tags', 'hdr', 'alpha'],
        ] as const),
      )
      .meta({ description: 'What is kept where the container can hold it. `sound`: the default track.' }),
    times: z
      .enum([
        ...['same', 'part', 'part-from-key-frame', 'speed', 'reversed', 'repeated', 'shortened', 'joined'],
        ...['pieces', 'still'],
      ] as const)
      .exactOptional()
      .meta({
        description:
          'How times of the result follow from those of the source. `part`: by the arguments `start`, `end` and `length`. `speed`: by `factor`. ' +
          '`repeated`: by `times`. `shortened`: some moments are left out. `pieces`: several files. Default: `same`.',
      }),
    changes: z
      .array(z.enum(['frame-rate', 'size', 'shape', 'orientation', 'colours', 'loudness']))
      .exactOptional()
      .meta({ description: 'What it changes on purpose. `shape`: what is seen of a frame, or over it.' }),
    incomparable: description
      .exactOptional()
      .meta({ description: 'Why the result cannot be compared with the source.', examples: ['It writes text.'] }),
  })
  .meta({ id: 'RecipeResult', description: 'What a recipe makes of its source.' });

const formula = z.string().min(1).max(RECIPE_LIMITS.expressionLength);

const bounded = <T extends z.ZodType>(values: z.ZodRecord<z.ZodString, T>, most: number, what: string) =>
  values.refine((all) => Object.keys(all).length <= most, { error: `A recipe has at most ${most} ${what}.` });

const shape = {
  title: z.string().min(1).max(RECIPE_LIMITS.titleLength),
  description,
  words: list(z.string().min(1).max(60), 'Other words that people search for.', ['browser', 'streaming']).max(
    RECIPE_LIMITS.words,
  ),
  inputs: z.array(recipeInput).min(1).max(RECIPE_LIMITS.inputs),
  outputs: list(
    z.string().regex(/^[a-z0-9]{1,10}$/),
    'The extensions that the output may have. The first is the usual one.',
    ['mp4', 'mov'],
  )
    .min(1)
    .max(20),
  arguments: bounded(z.record(plainName, argument), RECIPE_LIMITS.arguments, 'arguments'),
  values: bounded(z.record(plainName, formula), RECIPE_LIMITS.values, 'values')
    .exactOptional()
    .meta({
      description:
        'Numbers that are computed from arguments and from facts of the first input: `input.duration`, ' +
        '`input.partDuration` (of what is converted, also if `t`, `to` or `ss` of the output choose it), `input.width`, ' +
        '`input.height`, `input.fps`, `input.bitrate`, `input.sounds`, `input.chaptersEnd`, `input.start` (where the ' +
        'part begins that `ss` or `sseof` chooses; 0 with `copyts`), ' +
        '`input.subtitles`, `input.textSubtitles` (0 if any are images), `input.movTextSubtitles`, `input.channels`, `input.mono`, ' +
        '`input.surround`, `input.sixteenBits`, `input.chapterCount`.',
      examples: [{ rate: 'floor(8000 * size / input.duration)' }],
    }),
  limits: bounded(
    z.record(
      plainName,
      z.strictObject({
        min: formula.exactOptional(),
        max: formula.exactOptional(),
        reason: description.meta({ description: 'Why, as the end of the error message.' }),
      }),
    ),
    RECIPE_LIMITS.arguments,
    'limits',
  )
    .exactOptional()
    .meta({
      description: 'Limits of arguments by formulas, as in `values`. Requests outside them are rejected.',
      examples: [{ size: { min: 'smallest', reason: 'The video would be unrecognizable.' } }],
    }),
  result: result.exactOptional(),
  request: z.strictObject({
    format: z.string().min(1).max(REQUEST_LIMITS.formatLength).exactOptional(),
    join: z.enum(JOINS).exactOptional(),
    cut: z
      .strictObject({
        remove: z
          .strictObject({
            silence: z.strictObject({ noiseDb: optionText, minSeconds: optionText }),
            marginSeconds: optionText,
          })
          .exactOptional(),
        keep: z
          .strictObject({
            scenes: z.strictObject({ threshold: optionText }),
            count: optionText,
            partSeconds: optionText,
          })
          .exactOptional(),
        crossfade: optionText.exactOptional(),
      })
      .refine(({ keep, remove }) => (keep === undefined) !== (remove === undefined), {
        error: 'Send exactly one of "keep" and "remove" in "cut".',
      })
      .exactOptional()
      .meta({
        description:
          'Cuts silence out, or keeps scenes, as in a request, but each value is a text that stands for a number. 0 means no crossfade.',
        examples: [{ remove: { silence: { noiseDb: '-40', minSeconds: '{{pause}}' }, marginSeconds: '0.1' } }],
      }),
    transcribe: z
      .strictObject({ language: optionText })
      .exactOptional()
      .meta({ description: 'As in a request.', examples: [{ language: '{{language}}' }] }),
    quality: z
      .strictObject({ target: optionText })
      .exactOptional()
      .meta({
        description: 'As in a request, but the target is a text that stands for a number.',
        examples: [{ target: '{{target}}' }],
      }),
    ladder: z
      .strictObject({
        target: optionText,
        maxRungs: optionText.exactOptional(),
        maxBitrate: optionText.exactOptional(),
      })
      .exactOptional()
      .meta({
        description: 'As in a request, but each value is a text that stands for a number.',
        examples: [{ target: '{{target}}', maxRungs: '6' }],
      }),
    maxBytes: optionText.exactOptional().meta({
      description:
        'The largest size of the output in bytes, as a text that stands for a number: the job encodes a larger one again with fewer bits. It does not ' +
        'count if the client sends `quality`, or an option that decides how many bits the video has.',
      examples: ['{{bytes}}'],
    }),
    frameSize: frameSize.exactOptional().meta({
      description:
        'As in a request. It does not count if the client sends `height` or `width` as an argument of the recipe, or its own filters or size.',
      examples: ['auto'],
    }),
    parameters: recipeParameters,
    outputs: list(recipeOutput, 'Several outputs of one run. `parameters` of the request apply to each.')
      .min(1)
      .max(RECIPE_LIMITS.outputs)
      .exactOptional(),
    thumbnailTrack: z
      .strictObject({
        everySeconds: optionText,
        durationSeconds: optionText,
        columns: optionText,
        rows: optionText,
      })
      .exactOptional()
      .meta({
        description: 'As in a request, but each value is a text that stands for a number.',
        examples: [{ everySeconds: '5', durationSeconds: '{{input.duration}}', columns: '10', rows: '{{rows}}' }],
      }),
  }),
};

/** A recipe as its author writes it in a file or sends it to the API. The name of the recipe is the name of the file, or is in the path. */
export const recipeBody = z
  .strictObject({ version, ...shape })
  .meta({ id: 'RecipeDefinition', description: 'A recipe.' });

const source = choice(['built-in', 'operator', 'own'], 'Who wrote it: the service, its operator, or the client.');

const unavailable = text(
  'Why no worker can run it now, and what the operator can do. Absent if one can.',
).exactOptional();

export const recipeSchema = z
  .object({ name: recipeName, version, source, unavailable, ...shape })
  .meta({ id: 'Recipe', description: 'A recipe: a conversion by name, with typed arguments.' });

const recipeSummary = z
  .object({
    name: recipeName,
    version,
    source,
    title: z.string(),
    description: z.string(),
    outputs: z.array(z.string()),
    inputs: z.array(z.string()).meta({ description: 'The roles of its inputs.' }),
    arguments: z.array(z.string()).meta({ description: 'The names of its arguments.' }),
    needs: z
      .array(z.enum(['video', 'audio', 'subtitle']))
      .exactOptional()
      .meta({
        description:
          'The kinds of streams that its first file must have, because its `map` selects them. The job of a file without them fails. Absent: none.',
        examples: [['subtitle']],
      }),
    unavailable,
  })
  .meta({ id: 'RecipeSummary', description: 'A recipe without its definition.' });

export const recipeListSchema = z
  .object({
    recipes: z.array(recipeSummary),
    close: boolean(
      'With `q`: whether the first recipe does what it says. If false, the listed recipes only share some words with it.',
      true,
    ).exactOptional(),
  })
  .meta({ id: 'RecipeList', description: 'Recipes, with `q` the best match first.' });

export const recipesQuery = z.strictObject({
  q: text('What to do, in your own words.', 'make it fit in 8 MB').min(1).max(200).exactOptional(),
  limit: numberInQuery('The most recipes of the reply. Default: all, or 10 with `q`.', 5)
    .int()
    .min(1)
    .max(200)
    .exactOptional(),
});

type RecipeSummaryView = Shape<typeof recipeSummary>;
export type RecipeListView = Shape<typeof recipeListSchema>;

/** The short form of a recipe for lists. */
export const recipeSummaryView = (recipe: ListedRecipe): RecipeSummaryView => {
  const { name, version, source, title, description: text, outputs, inputs, arguments: own, unavailable: why } = recipe;
  const needs = [...neededStreams(recipe)];
  return {
    ...{ name, version, source, title, description: text, outputs },
    inputs: inputs.map(({ role }) => role),
    arguments: Object.keys(own),
    ...(needs.length > 0 && { needs }),
    ...(why !== undefined && { unavailable: why }),
  };
};
