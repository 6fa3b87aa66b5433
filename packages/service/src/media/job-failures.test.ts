import { StorageDown } from '@telecine/contract/domain/failure.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { StoreFull, StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import { expect, test } from 'vitest';
import { storageFailure } from './job-failures.ts';
import { outputFailure, storageFailure as s3StorageFailure } from './s3/s3-failures.ts';

test('a job waits for a storage that does not reply', () => {
  const hangs = storageFailure('opening the media root', new Problem('UNAVAILABLE', 'It does not reply.'));
  expect(hangs).toBeInstanceOf(StorageDown);
  expect(hangs).toMatchObject({
    failure: { code: 'STORAGE_FAULT', message: 'The storage did not reply while opening the media root.' },
  });
});

test('an outage of the database is not a fault of the storage', () => {
  for (const outage of [new StoreUnavailable(), new StoreFull('this job')]) {
    expect(storageFailure('removing the parts of an upload', outage)).toBe(outage);
    expect(s3StorageFailure('removing the parts of an upload', outage)).toBe(outage);
    expect(outputFailure('a.mp4', outage)).toBe(outage);
  }
});
