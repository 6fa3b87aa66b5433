import { expect, test } from 'vitest';
import type { ExitStatus } from '../../../exit-status.ts';
import { exitCodeOf, groupFailures } from './task-results.ts';

const failed = (
  file: string,
  code: string,
  exitCode: ExitStatus['exitCode'] = 1,
  message = `"${file}" is no film.`,
) => ({
  file,
  failure: { code, exitCode, message },
});
const done = { file: 'ok.mov', value: {} };

test('the exit code is that of all failures, or 1 if they differ', () => {
  expect(exitCodeOf([done])).toBe(0);
  expect(exitCodeOf([done, failed('a.mov', 'INPUT_INVALID')])).toBe(1);
  expect(exitCodeOf([failed('a.mov', 'INVALID_REQUEST', 2), failed('b.mov', 'INVALID_REQUEST', 2)])).toBe(2);
  expect(exitCodeOf([failed('a.mov', 'INVALID_REQUEST', 2), failed('b.mov', 'INPUT_INVALID')])).toBe(1);
  expect(exitCodeOf([failed('a.mov', 'UNREACHABLE', 4), failed('b.mov', 'NOT_STARTED')])).toBe(4);
  expect(exitCodeOf([failed('a.mov', 'INPUT_INVALID'), failed('b.mov', 'CANCELLED', 130)])).toBe(130);
});

test('failures with one reason are one group, also if their messages name the files', () => {
  const results = [
    failed('a.mov', 'INPUT_INVALID'),
    done,
    failed('b.mov', 'INPUT_INVALID'),
    failed('c.mov', 'NO_SPACE'),
    failed('d.mov', 'CANCELLED', 130),
    failed('e.mov', 'NOT_STARTED'),
  ];
  expect(groupFailures(results).map(({ files }) => files)).toEqual([['a.mov', 'b.mov'], ['c.mov']]);
});
