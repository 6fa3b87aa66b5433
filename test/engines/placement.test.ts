import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg', 'PostgreSQL');

const DATABASE = 'telecine';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
  await postgres.sql(`create database ${DATABASE}`);
});
afterAll(() => postgres?.stop());

test('a small worker leaves a long video to a larger one and runs other jobs, until the larger one is gone', async () => {
  const env = { TELECINE_DATABASE_URL: postgres.url(DATABASE) };
  const first = await startServer({ env });
  await first.stop();
  // The larger worker is only a row, which stays live.
  await postgres.sql(
    `insert into workers select 'large', 'encoder-9', pid, version, ffmpeg_version, build_key, catalogue_key, concurrency,
      processors * 2, sandbox, 'running', free_scratch_bytes, started_at, '2999-01-01T00:00:00.000Z', null, has_ffprobe,
      devices, null, '{"slots":0,"cores":0}' from workers`,
    DATABASE,
  );
  const server = await startServer({ env, dataDir: first.dataDir, mediaRoot: first.mediaRoot });
  const admin = await adminClient(server);
  await writeFile(join(server.mediaRoot, 'film.mp4'), '');
  await truncate(join(server.mediaRoot, 'film.mp4'), 2_000_000_000);
  await putSmallMovie(server.mediaRoot, 1, 'clip.mp4');
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast' };
  const film = await admin.accept({ input: 'film.mp4', output: 'film.mkv', parameters });
  const clip = await admin.run({ input: 'clip.mp4', output: 'clip.mkv', parameters });
  expect(clip.status).toBe('COMPLETED');
  expect(await admin.job(film)).toMatchObject({ status: 'PENDING', message: 'The job is queued for processing.' });
  await postgres.sql(`delete from workers where worker_id = 'large'`, DATABASE);
  // The file has no content, so the job fails once it runs.
  await expect
    .poll(() => admin.job(film), { timeout: 60_000 })
    .toMatchObject({ status: 'FAILED', error: { code: 'INPUT_INVALID' } });
});
