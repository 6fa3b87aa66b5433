import { expect } from 'vitest';
import type { Engine } from '../contracts/engine.ts';
import { openExpiryTest, outputExpiryContract } from '../contracts/output-expiry.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { openS3 } from '../fixtures/s3-media.ts';
import { needs } from '../support/needs.ts';

const test = needs('an S3 server');

outputExpiryContract(sqlite, 'S3', openS3, test);
contractsOnPostgres([(engine: Engine) => outputExpiryContract(engine, 'S3', openS3, test)]);

test('an object that was written again with the same content is another one, and stays', async () => {
  const e = await openExpiryTest(sqlite, openS3);
  await e.publish('o.mp4', { 'o.mp4': 'film' }, 60);
  await e.t.put('o.mp4', 'film');
  await e.sweep(60);
  expect(await e.t.get('o.mp4')).toBe('film');
});
