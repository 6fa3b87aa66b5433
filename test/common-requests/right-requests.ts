import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { ArgumentValue, RecipeArgument } from '../../packages/contract/src/domain/recipe.ts';
import { BUILT_IN } from '../../packages/service/src/recipes/built-in/all.ts';
import type { InputFacts } from '../../packages/service/src/recipes/facts.ts';
import { readCommand } from '../manual/ffmpeg-command.ts';
import type { Words } from '../manual/forms.ts';
import { recordedAnswers } from '../manual/recorded-answers.ts';
import { toRequests } from '../manual/to-request.ts';
import { type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { RECIPES } from './recipes.ts';

/** An example of the manual as a request. */
export interface ManualExample {
  readonly title: string;
  readonly request: ConversionRequest;
  readonly argv: Words;
}

/** A request of a recipe with one of its arguments. */
export interface RecipeVariant {
  readonly title: string;
  readonly request: ConversionRequest;
  /** The common request of which it is a variant. */
  readonly common: ConversionRequest;
  readonly facts: InputFacts | undefined;
}

/** The examples of ffmpeg's manual that ffmpeg and the planner accept. */
export const manualExamples = (version: Recorded): readonly ManualExample[] =>
  recordedAnswers(version).flatMap(({ at, argv, planner }): readonly ManualExample[] => {
    if (argv === undefined || planner?.length !== 0) return [];
    const all = recordedCatalogue(version);
    return toRequests(readCommand(argv, all), all).map((request) => ({ title: `${version} ${at}`, request, argv }));
  });

/** Values instead of the end of a range that does not fit the input: a request for more than it has is no right one. */
const FITTING: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Beside the other arguments of the request, on a film of 320x180.
  crop: { width: 300, height: 170, x: 219, y: 100 },
  'blur-region': { width: 160, height: 180, x: 160, y: 0 },
  // A sound of one channel.
  opus: { bitrate: 256 },
  // Two subtitles.
  'extract-subtitles': { track: 2 },
  // Nothing of these sounds is louder than the end.
  'remove-silence': { threshold: -30 },
  'video-remove-silence': { threshold: -30 },
};

/** Each recipe with each of its arguments. */
export const RECIPE_VARIANTS: readonly RecipeVariant[] = RECIPES.flatMap(({ title, request, facts }) => {
  const { preset } = request;
  const recipe = BUILT_IN.find(({ name }) => name === preset?.name);
  if (recipe === undefined || preset === undefined) return [];
  return Object.entries(recipe.arguments).flatMap(([name, argument]) =>
    valuesOf(argument, FITTING[recipe.name]?.[name]).map((value) => ({
      title: `${title}: ${name} ${value}`,
      facts,
      common: request,
      request: { ...request, preset: { ...preset, arguments: { ...preset.arguments, [name]: value } } },
    })),
  );
});

/** The ends of the range of an argument, or its choices. */
function valuesOf(argument: RecipeArgument, fitting?: number): readonly ArgumentValue[] {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices);
    case 'number':
      return [argument.min, fitting ?? argument.max];
    case 'flag':
      return [true, false];
    default:
      return argument.default === undefined ? [] : [argument.default];
  }
}
