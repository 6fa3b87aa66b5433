import { expect, test } from 'vitest';
import { growthError } from '../support/growth.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { readRequest } = await import('./read-request.ts');
const { REQUESTS } = await import('./request-cases.ts');
test.each(REQUESTS)('the work grows linearly: %s', async (_title, requestOf, size) => {
  expect(
    await growthError(
      counter,
      (n) => {
        const text = JSON.stringify(requestOf(n));
        return () => readRequest(text);
      },
      size,
    ),
  ).toBeUndefined();
});
