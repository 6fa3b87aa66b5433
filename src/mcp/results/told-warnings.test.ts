import { expect, test } from 'vitest';
import { toldWarnings } from './told-warnings.ts';

const warning = (message: string, field = '/input') => ({ code: 'NO_EFFECT', field, message });

test('a warning that the submission told is counted, and all others are told', () => {
  const told = toldWarnings();
  told.add(['a', 'b'], [warning('one')]);
  const warnings = [warning('one', '/requests/0/input'), warning('two')];
  expect(told.of({ jobId: 'a', warnings })).toEqual({ untold: [warning('two')], told: 1 });
  expect(told.of({ jobId: 'c', warnings })).toEqual({ untold: warnings, told: 0 });
  expect(told.of({ jobId: 'a' })).toEqual({ untold: [], told: 0 });
});

test('of many jobs, the newest are remembered', () => {
  const told = toldWarnings();
  for (let job = 0; job <= 1000; job += 1) told.add([`${job}`], [warning('one')]);
  const toldOf = (jobId: string) => told.of({ jobId, warnings: [warning('one')] }).told;
  expect([toldOf('0'), toldOf('1'), toldOf('1000')]).toEqual([0, 1, 1]);
});
