import { afterAll, expect, test } from 'vitest';
import { openFuzzApp } from '../fuzz/bodies/fuzz-app.ts';
import { hostileRows } from '../fuzz/bodies/hostile-values.ts';
import { sampled } from '../support/sampled.ts';

const errors: unknown[] = [];
const app = openFuzzApp(
  (error) => errors.push((error as { readonly err?: unknown }).err ?? error),
  () => undefined,
);
afterAll(() => app.close());

/** Has no factor in common with the number of values, so that the part of `npm test` has all of them. */
const EVERY = 127;

test('no value in the body of an operation or in the arguments of a tool causes an internal error', async () => {
  const failed: unknown[] = [];
  for (const { row, send } of sampled(hostileRows(), EVERY)) {
    const status = await send(app);
    const [error] = errors.splice(0);
    if (status === 500 || error !== undefined) failed.push([row, status, String(error)]);
  }
  expect(failed).toEqual([]);
});
