import { readFileSync } from 'node:fs';
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL', 'linux');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

/** Where the first service is paused, what is at the path of the output before, and the attempt that completes the job. */
const CASES = [
  { point: 'after-claim', replaces: false, attempt: 2 },
  { point: 'after-intent', replaces: false, attempt: 2 },
  { point: 'after-intent', replaces: true, attempt: 2 },
  { point: 'after-link', replaces: false, attempt: 2 },
  { point: 'after-link', replaces: true, attempt: 2 },
  { point: 'after-commit', replaces: false, attempt: 1 },
] as const;

const isPaused = ({ pid }: TestServer): boolean => / T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));

const hiddenFiles = async (mediaRoot: string): Promise<readonly string[]> => {
  const below = await pathsBelow(join(mediaRoot, '.telecine'));
  // Each service has a folder of its own, which stays.
  const scratch = below.filter((name) => name.startsWith('jobs-') && name.includes('/'));
  return [...scratch, ...(await readdir(mediaRoot)).filter((name) => name.startsWith('.telecine-'))];
};

/** Pauses a service while it runs a job until another one has completed the job, and then lets it go on. */
async function pauseAndGoOn({ point, replaces, attempt }: (typeof CASES)[number], number: number): Promise<void> {
  const where = `${point}${replaces ? ', replacing a file' : ''}`;
  await postgres.sql(`create database paused${number}`);
  const env = { TELECINE_DATABASE_URL: postgres.url(`paused${number}`) };
  const first = await startServer({ env: { ...env, TELECINE_FAILPOINT: `${point}:SIGSTOP` } });
  const { mediaRoot } = first;
  await putSmallMovie(mediaRoot, 1, 'movie.mp4');
  const output = join(mediaRoot, 'o.mkv');
  if (replaces) await writeFile(output, 'old');
  const admin = await adminClient(first);
  const job = await admin.accept({
    input: 'movie.mp4',
    output: 'o.mkv',
    parameters: { c: 'copy', ...(replaces && { y: '' }) },
  });
  await waitUntil(`the pause ${where}`, async () => isPaused(first) || undefined);

  const second = await startServer({ env, mediaRoot });
  const ended = await clientWithToken(second.url, admin.token).wait(job);
  expect(ended, where).toMatchObject({ status: 'COMPLETED', attempt });
  const [bytes, { ino }] = [await readFile(output), await lstat(output)];
  expect(bytes, where).toHaveLength(ended.outputs?.[0]?.sizeBytes ?? 0);

  // It may reach the failpoint again: publishing what is published already links nothing, but claims and ends jobs.
  process.kill(first.pid, 'SIGCONT');
  await waitUntil(`the scratch folders to be gone ${where}`, async () => {
    if (isPaused(first)) process.kill(first.pid, 'SIGCONT');
    return (await hiddenFiles(mediaRoot)).length === 0 || undefined;
  });
  expect((await readFile(output)).equals(bytes), where).toBe(true);
  expect((await lstat(output)).ino, where).toBe(ino);
  for (const { url } of [first, second]) expect(await clientWithToken(url, admin.token).job(job), where).toEqual(ended);
  // The pause may outlast the time that ffmpeg has for an answer, about which the service asks again.
  const errors = [first, second].flatMap(({ log }) =>
    log()
      .split('\n')
      .filter((line) => line.includes('internal error')),
  );
  expect(
    errors.filter((line) => !line.includes('did not answer')),
    where,
  ).toEqual([]);
  await Promise.all([first, second].map((server) => server.stop()));
}

test('a service that is paused at any point of a job changes nothing of what another one has completed', {
  timeout: 300_000,
}, async () => {
  await Promise.all(CASES.map(pauseAndGoOn));
});
