import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { ArgumentValue, RecipeArgument } from '../../src/domain/recipe.ts';
import { BUILT_IN } from '../../src/recipes/built-in/all.ts';
import type { InputFacts } from '../../src/recipes/facts.ts';
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
  readonly facts: InputFacts | undefined;
}

/** The examples of ffmpeg's manual that ffmpeg and the planner accept. */
export const manualExamples = (version: Recorded): readonly ManualExample[] =>
  recordedAnswers(version).flatMap(({ at, argv, planner }): readonly ManualExample[] => {
    if (argv === undefined || planner?.length !== 0) return [];
    const all = recordedCatalogue(version);
    return toRequests(readCommand(argv, all), all).map((request) => ({ title: `${version} ${at}`, request, argv }));
  });

/** Each recipe with each of its arguments. */
export const RECIPE_VARIANTS: readonly RecipeVariant[] = RECIPES.flatMap(({ title, request, facts }) => {
  const { preset } = request;
  const recipe = BUILT_IN.find(({ name }) => name === preset?.name);
  if (recipe === undefined || preset === undefined) return [];
  return Object.entries(recipe.arguments).flatMap(([name, argument]) =>
    valuesOf(argument).map((value) => ({
      title: `${title}: ${name} ${value}`,
      facts,
      request: { ...request, preset: { ...preset, arguments: { ...preset.arguments, [name]: value } } },
    })),
  );
});

/** The ends of the range of an argument, or its choices. */
function valuesOf(argument: RecipeArgument): readonly ArgumentValue[] {
  switch (argument.type) {
    case 'choice':
      return Object.keys(argument.choices);
    case 'number':
      return [argument.min, argument.max];
    case 'flag':
      return [true, false];
    default:
      return argument.default === undefined ? [] : [argument.default];
  }
}
