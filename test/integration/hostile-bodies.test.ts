import { afterAll, expect, test } from 'vitest';
import { openFuzzApp } from '../fuzz/bodies/fuzz-app.ts';
import { render } from '../fuzz/bodies/gene.ts';
import { HOSTILE_VALUES, placesOf, withValueAt } from '../fuzz/bodies/hostile-values.ts';
import { fuzzTargets } from '../fuzz/bodies/targets.ts';
import { sampled } from '../support/sampled.ts';

const errors: unknown[] = [];
const app = openFuzzApp(
  (error) => errors.push((error as { readonly err?: unknown }).err ?? error),
  () => undefined,
);
afterAll(() => app.close());

/** The seeds of each operation and tool, with each value at each place. */
const rows = [...new Set(fuzzTargets())].flatMap(({ name, seeds, send }) =>
  seeds.flatMap((gene) => {
    const document: unknown = JSON.parse(render(gene, 1) ?? 'null');
    return placesOf(document).flatMap((place) =>
      Object.entries(HOSTILE_VALUES).map(([what, value]) => ({ name, place, what, value, document, send })),
    );
  }),
);

/** Has no factor in common with the number of values, so that the part of `npm test` has all of them. */
const EVERY = 61;

test('no value in the body of an operation or in the arguments of a tool causes an internal error', async () => {
  const failed: unknown[] = [];
  for (const { name, place, what, value, document, send } of sampled(rows, EVERY)) {
    const status = await send(app, JSON.stringify(withValueAt(document, place, value)));
    const [error] = errors.splice(0);
    if (status === 500 || error !== undefined) failed.push([name, place.join('/'), what, status, String(error)]);
  }
  expect(failed).toEqual([]);
});
