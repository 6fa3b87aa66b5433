import { expect, test } from 'vitest';
import { shownWarnings } from './shown-warnings.ts';

const warning = (message: string, field = '/input') => ({ code: 'NO_EFFECT', field, message });

test('counts a warning that the submission has shown, and returns all others', () => {
  const shown = shownWarnings();
  shown.add(['a', 'b'], [warning('one')]);
  const warnings = [warning('one', '/requests/0/input'), warning('two')];
  expect(shown.of({ jobId: 'a', warnings })).toEqual({ unseen: [warning('two')], seenCount: 1 });
  expect(shown.of({ jobId: 'c', warnings })).toEqual({ unseen: warnings, seenCount: 0 });
  expect(shown.of({ jobId: 'a' })).toEqual({ unseen: [], seenCount: 0 });
});

test('remembers the newest of many jobs', () => {
  const shown = shownWarnings();
  for (let job = 0; job <= 1000; job += 1) shown.add([`${job}`], [warning('one')]);
  const seen = (jobId: string) => shown.of({ jobId, warnings: [warning('one')] }).seenCount;
  expect([seen('0'), seen('1'), seen('1000')]).toEqual([0, 1, 1]);
});
