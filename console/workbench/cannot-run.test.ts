import type { DryRun } from '@telecine/client';
import { expect, test } from 'vitest';
import { whyCannotRun } from './cannot-run.ts';

const planWith = (...codes: DryRun['warnings'][number]['code'][]) => ({
  warnings: codes.map((code) => ({ field: '/input', code, message: code, fix: '' })),
});

test('a request with an error cannot run, nor one whose job would certainly fail', () => {
  expect(whyCannotRun(undefined)).toBe('it has an error');
  expect(whyCannotRun(planWith('OUTPUT_EXISTS'))).toBe('its output exists already');
  expect(whyCannotRun(planWith('INPUT_NOT_FOUND', 'INPUT_INVALID'))).toBe('its source cannot be read');
});

test.each(['/preset', undefined])(
  'a source that is read, and lacks what the conversion reads, is not called unreadable: %s',
  (field) => {
    const lacks = { code: 'INPUT_INVALID' as const, message: '', fix: '', ...(field !== undefined && { field }) };
    expect(whyCannotRun({ warnings: [lacks] })).toBe('its source does not fit this conversion');
  },
);

test('a request whose source may still come can run', () => {
  expect(whyCannotRun(planWith())).toBeUndefined();
  expect(whyCannotRun(planWith('INPUT_NOT_FOUND', 'INPUT_NOT_READ'))).toBeUndefined();
});
