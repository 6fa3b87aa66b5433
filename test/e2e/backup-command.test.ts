import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { closeEvents, followEvents } from '../support/event-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg');

afterAll(closeEvents);

/** The commands are for SQLite. */
const onSqlite = (dataDir: string) => ({ TELECINE_DATA_DIR: dataDir, TELECINE_DATABASE_URL: '' });

test('a backup under load has every job that was accepted before, and they end after a restore elsewhere', {
  tags: 'long',
}, async () => {
  const server = await startServer({ env: { TELECINE_DATABASE_URL: '', TELECINE_CONCURRENCY: '1' } });
  await putSmallMovie(server.mediaRoot, 1, 'movie.mp4');
  const admin = await adminClient(server);
  const accepted: string[] = [];
  const isOver = new AbortController();
  const submit = async (): Promise<void> => {
    while (!isOver.signal.aborted) {
      const output = `out/${accepted.length}-${Math.random()}.mkv`;
      accepted.push(await admin.accept({ input: 'movie.mp4', output, parameters: { c: 'copy', t: '0.1' } }));
    }
  };
  const load = [submit(), submit(), submit()];
  await expect.poll(() => accepted.length, { timeout: 30_000 }).toBeGreaterThan(20);
  const before = [...accepted];
  const file = join(dirname(server.dataDir), 'backup.db');
  const made = await runCli(['backup', file], onSqlite(server.dataDir));
  isOver.abort();
  await Promise.all(load);
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toContain('keep it readable only by you');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(dirname(file))).filter((name) => name.startsWith('backup.db'))).toEqual(['backup.db']);
  const again = await runCli(['backup', file], onSqlite(server.dataDir));
  expect(again.code, 'an existing file is not replaced').not.toBe(0);
  expect(again.stderr).toContain('exists, and is not replaced');
  const inUse = await runCli(['restore', file, '--replace'], onSqlite(server.dataDir));
  expect(inUse.code).not.toBe(0);
  expect(inUse.stderr).toContain('Another telecine is serving');
  await server.kill9('group');

  const restored = join(dirname(server.dataDir), 'restored');
  await mkdir(restored, { mode: 0o700 });
  expect(await runCli(['restore', file], onSqlite(restored))).toMatchObject({ code: 0 });
  expect((await stat(join(restored, 'telecine.db'))).mode & 0o777).toBe(0o600);
  const copy = await startServer({
    dataDir: restored,
    mediaRoot: server.mediaRoot,
    env: { TELECINE_DATABASE_URL: '', TELECINE_ADMIN_SECRET_FILE: await secretFile(dirname(file)) },
  });
  const owner = await adminClient({ url: copy.url, dataDir: await credentials(dirname(file)) });
  for (const jobId of before) {
    const { status, error } = await owner.wait(jobId);
    // A job that ended after the backup has left its output.
    expect(status === 'COMPLETED' || error?.code === 'OUTPUT_EXISTS', `${jobId}: ${status} ${error?.code}`).toBe(true);
  }
});

test('restore replaces a database only if told to, keeps it, and rejects a file that is not a backup', async () => {
  const server = await startServer({ until: 'listening', env: { TELECINE_DATABASE_URL: '' } });
  const folder = dirname(server.dataDir);
  const file = join(folder, 'backup.db');
  expect(await runCli(['backup', file], onSqlite(server.dataDir))).toMatchObject({ code: 0 });
  const { token } = await adminClient(server);
  const stream = followEvents(server.url, '/api/events', token);
  const { id: lastEventId } = await stream.until('ready', ({ type }) => type === 'ready');
  stream.close();
  await server.stop();
  const refused = await runCli(['restore', file], onSqlite(server.dataDir));
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--replace');
  const noise = join(folder, 'noise.db');
  await writeFile(noise, 'x'.repeat(10_000));
  const damaged = await runCli(['restore', noise, '--replace'], onSqlite(server.dataDir));
  expect(damaged.code).not.toBe(0);
  expect(damaged.stderr).toContain('is not a database of telecine');
  // What restores leave that were killed.
  for (const left of ['telecine.db.restored', 'telecine.db.restored.0199a7c2'])
    await writeFile(join(server.dataDir, left), 'x');
  const replaced = await runCli(['restore', file, '--replace'], onSqlite(server.dataDir));
  expect(replaced).toMatchObject({ code: 0, stdout: expect.stringContaining('The earlier database is') });
  const names = await readdir(server.dataDir);
  expect(names.filter((name) => name.startsWith('telecine.db.restored'))).toEqual([]);
  const kept = names.find((name) => name.includes('before-restore') && !name.endsWith('-wal')) ?? '';
  expect(await runCli(['restore', join(server.dataDir, kept)], onSqlite(join(folder, 'elsewhere')))).toMatchObject({
    code: 0,
  });
  const again = await startServer({ dataDir: server.dataDir, mediaRoot: server.mediaRoot, until: 'listening' });
  const admin = await adminClient(again);
  expect((await admin.list()).jobs).toEqual([]);
  // What clients saw after the backup did not happen.
  const continued = followEvents(again.url, '/api/events', admin.token, { lastEventId });
  await continued.until('ready', ({ type }) => type === 'ready');
  expect(continued.events.map(({ type }) => type)).toEqual(['reset', 'ready']);
});

const SECRET = 'a-secret-for-the-copy';

async function secretFile(folder: string): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, SECRET, { mode: 0o600 });
  return file;
}

/** A folder with the credentials of the administrator, whose generated ones a backup does not have. */
async function credentials(folder: string): Promise<string> {
  await writeFile(join(folder, 'admin-client.json'), JSON.stringify({ clientId: 'admin', clientSecret: SECRET }));
  return folder;
}
