import { expect, test } from 'vitest';
import { nextCheck } from './next-check.ts';

const warning = (change = {}) => ({ code: 'INPUT_NOT_READ', message: 'Reading "in.mp4" took too long.', ...change });
const checks = (change = {}, warnings = [warning({ retryAfterSeconds: 5 })]) => ({
  ...{ data: { plan: { warnings } }, error: null, dataUpdateCount: 1, errorUpdateCount: 0 },
  ...change,
});

test('a request is checked again when the service says that it goes on reading a source', () => {
  expect(nextCheck(checks())).toBe(5000);
  expect(nextCheck(checks({}, [warning(), warning({ retryAfterSeconds: 2 })]))).toBe(2000);
});

test('a request is not checked again if waiting does not help', () => {
  expect(nextCheck(checks({}, [warning()]))).toBe(false);
  expect(nextCheck(checks({}, [warning({ code: 'OUTPUT_EXISTS' })]))).toBe(false);
  expect(nextCheck(checks({ data: undefined }))).toBe(false);
});

test('a request is not checked without end: neither after a failed check nor after many', () => {
  expect(nextCheck(checks({ error: new Error('The service cannot be reached.') }))).toBe(false);
  expect(nextCheck(checks({ dataUpdateCount: 60 }))).toBe(false);
  expect(nextCheck(checks({ dataUpdateCount: 30, errorUpdateCount: 30 }))).toBe(false);
});
