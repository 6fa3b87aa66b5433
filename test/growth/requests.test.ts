import { expect, test } from 'vitest';
import { growthError } from '../support/growth.ts';
import { startCounting } from '../support/work.ts';

const counter = startCounting();
const { missingFacts, readRequest } = await import('./read-request.ts');
const { REQUESTS } = await import('./request-cases.ts');

test.each(REQUESTS)('the work to check a request grows linearly: %s', async (_title, requestOf, size) => {
  const bodyOf = (of: number): string => JSON.stringify(requestOf(of));
  expect(missingFacts(bodyOf(1))).toBeUndefined();
  const prepare = (of: number) => {
    const body = bodyOf(of);
    return () => readRequest(body);
  };
  expect(await growthError(counter, prepare, size)).toBeUndefined();
});
