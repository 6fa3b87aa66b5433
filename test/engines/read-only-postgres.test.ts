import { afterAll, beforeAll, expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
  await postgres.sql(`alter system set default_transaction_read_only = ${value}`);
  await postgres.sql('select pg_reload_conf()');
};

test('a database that becomes read-only is one line in the log, refuses what writes with 503, and is used again afterwards', async () => {
  const url = postgres.url('postgres');
  const server = await startServer({ env: { TELECINE_DATABASE_URL: url, TELECINE_DATABASE_LISTEN_URL: url } });
  await becomesReady(server.url);
  await putSmallMovie(server.mediaRoot, 1, 'movie.mp4');
  const admin = await adminClient(server);
  const request = (output: string) => ({ input: 'movie.mp4', output, parameters: { c: 'copy' } });
  const earlier = await admin.run(request('before.mkv'));

  await setReadOnly('on');
  await waitUntil('writes to be refused', async () => {
    const { status } = await admin.request('/api/conversion', { body: request('probe.mkv') });
    return status === 503 || undefined;
  });
  for (let index = 0; index < 20; index += 1) {
    const refused = await admin.request('/api/conversion', { body: request(`${index}.mkv`) });
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await admin.request(`/api/conversion/${earlier.jobId}`), 'reads go on').toMatchObject({ status: 200 });
  }
  await waitUntil('/ready to say so', async () => (await admin.request('/ready')).status === 503 || undefined);

  await setReadOnly('off');
  await becomesReady(server.url);
  expect(await admin.run(request('after.mkv'))).toMatchObject({ status: 'COMPLETED' });
  const errors = server
    .log()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));
  expect(errors).toEqual([expect.stringContaining('the database is read-only')]);
  expect(server.log().match(/the database can be reached again/g)).toHaveLength(1);
});
