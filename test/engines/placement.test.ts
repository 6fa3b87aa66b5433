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

const speeds = (ratio: number): string => JSON.stringify([{ kind: 'x264-small', jobs: 10, ratio, spread: 0.1 }]);

test('a slow worker leaves a long video to a faster one and runs other jobs, until the faster one is gone', async () => {
  const env = { TELECINE_DATABASE_URL: postgres.url(DATABASE) };
  const first = await startServer({ env });
  await first.stop();
  // The worker takes over the speed of the earlier process. The faster worker is only a row, which stays live.
  await postgres.sql(`update workers set speeds = '${speeds(9)}'`, DATABASE);
  await postgres.sql(
    `insert into workers select 'fast', 'encoder-9', pid, version, ffmpeg_version, build_key, catalogue_key, concurrency,
      processors, sandbox, 'running', free_scratch_bytes, started_at, '2999-01-01T00:00:00.000Z', null, has_ffprobe,
      devices, '${speeds(0.5)}', '{"slots":0,"cores":0}' from workers`,
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
  await postgres.sql(`delete from workers where worker_id = 'fast'`, DATABASE);
  // The file has no content, so the job fails once it runs.
  await expect
    .poll(() => admin.job(film), { timeout: 60_000 })
    .toMatchObject({ status: 'FAILED', error: { code: 'INPUT_INVALID' } });
});
