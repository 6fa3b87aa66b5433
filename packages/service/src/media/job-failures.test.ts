import { StorageDown } from '@telecine/contract/domain/failure.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { storageFailure } from './job-failures.ts';

test('a job waits for a storage that does not reply', () => {
  const hangs = storageFailure('opening the media root', new Problem('UNAVAILABLE', 'It does not reply.'));
  expect(hangs).toBeInstanceOf(StorageDown);
  expect(hangs).toMatchObject({
    failure: { code: 'STORAGE_FAULT', message: 'The storage did not reply while opening the media root.' },
  });
});
