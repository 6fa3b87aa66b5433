import { link, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { filesClient } from '../support/files-client.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { type FuseMounts, mountShared } from '../support/fuse-mounts.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { seedCatalogues, startServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

describe('two services, each with its own mount of one folder', () => {
  const test = needs('ffmpeg', 'bubblewrap', 'PostgreSQL', 'FUSE mounts');
  let postgres: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    postgres = await startPostgres(await testFolder('postgres'));
  });
  afterAll(() => postgres?.stop());

  async function newDatabase(): Promise<Readonly<Record<string, string>>> {
    databases += 1;
    await postgres.sql(`create database shared${databases}`);
    return { TELECINE_DATABASE_URL: postgres.url(`shared${databases}`), TELECINE_CONCURRENCY: '1' };
  }

  /** Starts a service that sees one of the mounts as its media root. */
  async function startOn(shared: FuseMounts, mount: number, options: TestServerOptions): Promise<TestServer> {
    const dataDir = join(await testFolder('data'), 'data');
    await mkdir(dataDir);
    await seedCatalogues(dataDir);
    const { mediaRoot } = shared;
    return startServer({ ...options, dataDir, mediaRoot, launcher: shared.launcher(mount) });
  }

  const at = ({ mounts }: FuseMounts, i: number): string => {
    const mount = mounts[i];
    if (mount === undefined) throw new Error('There is no such mount.');
    return mount;
  };
  const inode = async (path: string): Promise<bigint> => (await lstat(path, { bigint: true })).ino;
  const leftovers = async ({ source }: FuseMounts): Promise<readonly string[]> =>
    (await readdir(source, { recursive: true, withFileTypes: true }))
      // Receipts stay for days.
      .filter((entry) => !entry.isDirectory() && /\.telecine(?!\/receipts)/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name));

  test('the mounts of these tests number files as no disk does', async () => {
    const shared = await mountShared(2);
    const [first, second] = [at(shared, 0), at(shared, 1)];
    await writeFile(join(first, 'a'), 'a');
    await link(join(first, 'a'), join(first, 'b'));
    await lstat(join(second, 'b'));
    expect(await inode(join(first, 'a')), 'of hard links').not.toBe(await inode(join(first, 'b')));
    expect(await inode(join(first, 'b')), 'of mounts').not.toBe(await inode(join(second, 'b')));
    expect(await inode(join(shared.source, 'a'))).toBe(await inode(join(shared.source, 'b')));
    await rm(join(first, 'a'));
  });

  test('both run jobs, and each serves, lists and deletes what the other has written', {
    timeout: 120_000,
  }, async () => {
    const shared = await mountShared(2);
    const env = await newDatabase();
    const first = await startOn(shared, 0, { env });
    const second = await startOn(shared, 1, { env });
    await putSmallMovie(shared.source, 3, 'movie.mp4');
    const { token } = await adminClient(first);
    const [one, two] = [clientWithToken(first.url, token), clientWithToken(second.url, token)];
    const jobs = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        one.accept({ input: 'movie.mp4', output: `o${n}.mkv`, parameters: { preset: 'veryslow', an: '' } }),
      ),
    );
    for (const job of jobs) expect(await two.wait(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    for (const { log } of [first, second]) expect(log()).toContain('"attempt started"');

    const [filesOne, filesTwo] = [filesClient(first.url, token), filesClient(second.url, token)];
    for (const [n, job] of jobs.entries()) {
      const replies = [
        await filesOne.send('GET', `/api/conversion/${job}/output`),
        await filesTwo.send('GET', `/api/conversion/${job}/output`),
        await filesTwo.get(`o${n}.mkv`),
      ];
      expect(
        replies.map(({ status }) => status),
        `output ${n}`,
      ).toEqual([200, 200, 200]);
      expect(new Set(replies.map(({ headers }) => headers['etag'])).size, 'one ETag').toBe(1);
    }
    const etag = (await filesOne.put('up.bin', 'uploaded')).headers['etag'];
    expect((await filesTwo.put('up.bin', 'changed', { 'if-match': etag })).status).toBe(204);
    expect((await filesOne.put('up.bin', 'late', { 'if-match': etag })).status).toBe(412);
    expect((await filesTwo.send('DELETE', `/api/conversion/${jobs[0]}?outputs=true`)).status).toBe(204);
    expect((await readdir(shared.source)).filter((name) => !name.startsWith('.')).sort()).toEqual(
      ['movie.mp4', 'o1.mkv', 'o2.mkv', 'o3.mkv', 'o4.mkv', 'o5.mkv', 'up.bin'].sort(),
    );
    await waitUntil('all scratch to be removed', async () => (await leftovers(shared)).length === 0 || undefined);
  });

  for (const [point, replaces] of [
    ['after-intent', false],
    ['after-link', false],
    ['after-link', true],
    ['after-commit', true],
  ] as const)
    test(`when one is killed ${point}${replaces ? ', replacing a file' : ''}, the other publishes what it has converted`, {
      timeout: 120_000,
    }, async () => {
      const shared = await mountShared(2);
      const env = await newDatabase();
      await putSmallMovie(shared.source, 3, 'movie.mp4');
      if (replaces) await writeFile(join(shared.source, 'o.mkv'), 'old');
      const doomed = await startOn(shared, 0, { env: { ...env, TELECINE_FAILPOINT: point } });
      const admin = await adminClient(doomed);
      const job = await admin.accept({
        input: 'movie.mp4',
        output: 'o.mkv',
        parameters: { c: 'copy', ...(replaces && { y: '' }) },
      });
      // bwrap ends with 128 + 9 where the service in it is killed.
      expect(await doomed.exited).toMatchObject({ code: 137 });
      const names = await pathsBelow(shared.source);
      const finished = names.find(
        (name) => name.endsWith(`${job}.1/out/out.mkv`) || name.endsWith(`${job}.1/out/o.mkv`),
      );
      if (finished === undefined) throw new Error(`Nothing was converted: ${names.join(' ')}`);
      const converted = await inode(join(shared.source, finished));

      const peer = await startOn(shared, 1, { env });
      const ended = await clientWithToken(peer.url, admin.token).wait(job);
      expect(ended).toMatchObject({ status: 'COMPLETED', outputs: [{ path: 'o.mkv' }] });
      expect(await inode(join(shared.source, 'o.mkv')), 'nothing was converted again').toBe(converted);
      const reply = await filesClient(peer.url, admin.token).send('GET', `/api/conversion/${job}/output`);
      expect(reply.status).toBe(200);
      await waitUntil('all scratch to be removed', async () => (await leftovers(shared)).length === 0 || undefined);
      expect((await readdir(shared.source)).filter((name) => !name.startsWith('.telecine')).sort()).toEqual([
        'movie.mp4',
        'o.mkv',
      ]);
    });
});
