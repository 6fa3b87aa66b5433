import { ClientError } from '@telecine/client/client-error.ts';
import { expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { exitStatusOf } from './exit-status.ts';

test('a file that changes during its transfer fails alone, and is no bug of the program', () => {
  expect(exitStatusOf(new ClientError('changed', 'a.ts changed during the upload.'))).toEqual({
    exitCode: EXIT.failed,
    code: 'FILE_CHANGED',
    message: 'a.ts changed during the upload.',
  });
});

test('an id that would lead to another operation is invalid usage', () => {
  const error = new ClientError('rejected', '".." cannot be a segment.', { code: 'INVALID_REQUEST' });
  expect(exitStatusOf(error)).toMatchObject({ exitCode: EXIT.refused, code: 'INVALID_REQUEST' });
});

test('an error of a proxy has its status as code', () => {
  const error = new ClientError('rejected', 'Not Telecine.', { status: 413 });
  expect(exitStatusOf(error)).toMatchObject({ exitCode: EXIT.refused, code: 'HTTP_413' });
});

test('any other error is a bug of the program', () => {
  expect(exitStatusOf(new TypeError('x is undefined'))).toBeUndefined();
});

test('what the service cannot do at all is refused, and a rejected file has failed', () => {
  const exitCodeFor = (status: number) => exitStatusOf(new ClientError('rejected', 'No.', { status }))?.exitCode;
  expect([501, 422].map(exitCodeFor)).toEqual([EXIT.refused, EXIT.failed]);
});

test.each([500, 502, 503])('an error %i of the service is not invalid usage', (status) => {
  const error = new ClientError('rejected', 'Internal error.', { status });
  expect(exitStatusOf(error)?.exitCode).toBe(EXIT.unreachable);
});
