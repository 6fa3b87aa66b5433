import { expect, test } from 'vitest';
import { warningsForClient } from '../../packages/contract/src/domain/client-words.ts';
import { ALL_FAMILIES } from '../common-requests/families.ts';
import { manualExamples, RECIPE_VARIANTS } from '../common-requests/right-requests.ts';
import { applyRecipe } from '../support/apply-recipe.ts';
import { planRequest } from '../support/planning.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';
import { IS_WHOLE } from '../support/sampled.ts';

/**
 * Warnings about examples of the manual, each reviewed: the fix does not make the result worse. Most are of sources without an
 * end, which an output of files needs.
 */
const REVIEWED = new Map<string, RegExp>([
  ['ENDLESS', /^The output never ends: /],
  ['SAME_NAME', /^Files that begin in the same second/],
  // Options of the terminal.
  ['NO_EFFECT', /^"nostats" is ignored|^"bufsize" has no effect: libx264/],
  // Several outputs of the example, of which one takes all of an input, are requests of their own.
  ['UNUSED_INPUT', /^ffmpeg does not join several inputs|^No "map" names the input "A\.avi"/],
]);

const VERSIONS = ['5.1', '7.1'] as const;
const examples = VERSIONS.flatMap((version) => manualExamples(version).map((one) => ({ ...one, version })));

test('the corpus of right requests has at least 500 of them', () => {
  const common = Object.values(ALL_FAMILIES).flat().length;
  expect(common + RECIPE_VARIANTS.length + examples.length).toBeGreaterThanOrEqual(500);
});

test('an example of the manual gets no warning whose fix makes the result worse', () => {
  // The examples of two releases are much alike.
  const [version] = VERSIONS;
  const tried = IS_WHOLE ? examples : examples.filter((example) => example.version === version);
  const found = tried.flatMap(({ title, request, version }) => {
    const result = planRequest(request, { catalogue: recordedCatalogue(version) });
    if (!result.ok) return [];
    return result.plan.warnings.flatMap(({ code, message, fix }) =>
      REVIEWED.get(code)?.test(message) === true ? [] : [`${title}: ${code} ${message} ${fix}`],
    );
  });
  expect(found).toEqual([]);
});

test('a recipe with any of its arguments gets no warning', () => {
  const found = RECIPE_VARIANTS.flatMap(({ title, request, facts }) => {
    const { request: expanded } = applyRecipe(request, facts);
    const result = planRequest(expanded);
    if (!result.ok) return [`${title}: ${result.errors[0]?.message}`];
    return warningsForClient(expanded, result.plan.warnings).map(({ code, message }) => `${title}: ${code} ${message}`);
  });
  expect(found).toEqual([]);
});
