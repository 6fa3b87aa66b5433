import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import type { ArgumentValue, RecipeArgument } from '../../src/domain/recipe.ts';
import { warningsForClient } from '../../src/domain/recipe-options.ts';
import { BUILT_IN } from '../../src/recipes/built-in/all.ts';
import { ALL_FAMILIES } from '../common-requests/families.ts';
import { RECIPES } from '../common-requests/recipes.ts';
import { readCommand } from '../manual/ffmpeg-command.ts';
import { recordedAnswers } from '../manual/recorded-answers.ts';
import { toRequests } from '../manual/to-request.ts';
import { applyRecipe } from '../support/apply-recipe.ts';
import { missingFactsOf, planRequest } from '../support/planning.ts';
import { ensureRecorded, type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';

/** An example of the manual as a request. */
interface Example {
  readonly title: string;
  readonly request: ConversionRequest;
  readonly version: Recorded;
}

/**
 * Warnings about examples of the manual, each reviewed: the fix does not make the result worse. Most are of sources without an
 * end, which an output of files needs.
 */
const REVIEWED = new Map<string, RegExp>([
  ['ENDLESS', /^The output never ends: /],
  ['LATE_START', /^"a?trim" keeps the times of the part/],
  ['FEW_PLAYERS', /^The filter xfade takes only RGB or 4:4:4/],
  ['SAME_NAME', /^Files that begin in the same second/],
  // Options of the terminal.
  ['NO_EFFECT', /^"nostats" is ignored|^"bufsize" has no effect: libx264/],
  // Several outputs of the example, of which one takes all of an input, are requests of their own.
  ['UNUSED_INPUT', /^ffmpeg does not join several inputs|^No "map" names the input "A\.avi"/],
]);

/** The examples of ffmpeg's manual that ffmpeg and the planner accept. */
const examples = (['5.1', '7.1'] as const).flatMap((version) =>
  recordedAnswers(version).flatMap(({ at, argv, planner }): readonly Example[] => {
    if (argv === undefined || planner?.length !== 0) return [];
    const all = recordedCatalogue(version);
    return toRequests(readCommand(argv, all), all).map((request) => ({ title: `${version} ${at}`, request, version }));
  }),
);

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

/** Each recipe with each of its arguments. */
const recipes = RECIPES.flatMap(({ title, request, facts }) => {
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

test('the corpus of right requests has at least 500 of them', () => {
  const common = Object.values(ALL_FAMILIES).flat().length;
  expect(common + recipes.length + examples.length).toBeGreaterThanOrEqual(500);
});

test('an example of the manual gets no warning whose fix makes the result worse', () => {
  const found = examples.flatMap(({ title, request, version }) => {
    const catalogue = ensureRecorded(version, recordedCatalogue(version), (one) => missingFactsOf(request, one));
    const result = catalogue && planRequest(request, { catalogue });
    if (result?.ok !== true) return [];
    return result.plan.warnings.flatMap(({ code, message, fix }) =>
      REVIEWED.get(code)?.test(message) === true ? [] : [`${title}: ${code} ${message} ${fix}`],
    );
  });
  expect(found).toEqual([]);
});

test('a recipe with any of its arguments gets no warning', () => {
  const found = recipes.flatMap(({ title, request, facts }) => {
    const { request: expanded, fieldOf } = applyRecipe(request, facts);
    const result = planRequest(expanded);
    if (!result.ok) return [`${title}: ${result.errors[0]?.message}`];
    return warningsForClient(expanded, result.plan.warnings, fieldOf).map(
      ({ code, message }) => `${title}: ${code} ${message}`,
    );
  });
  expect(found).toEqual([]);
});
