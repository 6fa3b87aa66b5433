import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startCli } from '../support/run-cli.ts';

const MEBIBYTE = 2 ** 20;
const start = commonServer();
const createUser = cliUsers(start);
const test = needs('ffmpeg');

/** A user whose commands remember their uploads in a folder of the test. */
async function createUploader() {
  const user = await createUser();
  const state = await testFolder('state');
  const settings = { ...user.settings, XDG_STATE_HOME: state };
  const begin = (url: string, ...args: readonly string[]) =>
    startCli(['upload', ...args], { ...settings, TELECINE_URL: url }, { cwd: user.cwd });
  return {
    ...user,
    begin,
    run: (...args: readonly string[]) => begin(settings.TELECINE_URL, ...args).ended,
    records: async () => readdir(join(state, 'telecine/uploads')).catch((): string[] => []),
    state: join(state, 'telecine/uploads'),
  };
}

test('uploads files to their names, and to a folder or a path', { tags: 'long' }, async () => {
  const { run, root, cwd, records } = await createUploader();
  await writeFile(join(cwd, '-odd, name?.txt'), 'odd');
  const one = await run('in.mp4');
  expect([one.code, one.stdout], one.stderr).toEqual([0, expect.stringMatching(/^server:in\.mp4 {2}\d+ kB\n$/)]);
  expect((await readFile(join(root, 'in.mp4'))).equals(await readFile(join(cwd, 'in.mp4')))).toBe(true);
  const two = await run('--to', 'films', '--json', '--', 'in.mp4', '-odd, name?.txt');
  expect(
    two.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { file: 'in.mp4', path: 'films/in.mp4' },
    { file: '-odd, name?.txt', path: 'films/-odd, name?.txt', sizeBytes: 3 },
  ]);
  expect((await run('in.mp4', '--to', 'server:films/other.mp4')).code).toBe(0);
  expect((await readdir(join(root, 'films'))).toSorted()).toEqual(['-odd, name?.txt', 'in.mp4', 'other.mp4']);

  expect(await run('in.mp4')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error: server:in.mp4 already exists.\nName another path with --to, or add -y'),
  });
  expect((await run('in.mp4', '-y', '--quiet')).stdout).toBe('');
  await mkdir(join(cwd, 'sub'));
  await writeFile(join(cwd, 'sub/in.mp4'), '');
  expect(await run('in.mp4', 'sub/in.mp4')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('would both be uploaded to'),
  });
  expect(await run('sub', 'missing.mp4')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sub is a folder.'),
  });
  expect(await records()).toEqual([]);
});

test('uploads where nothing can be remembered, and says that it cannot continue', { tags: 'long' }, async () => {
  const { settings, root, cwd } = await createUploader();
  await writeFile(join(cwd, 'film.mov'), randomBytes(2 * MEBIBYTE));
  const env = { ...settings, XDG_STATE_HOME: join(cwd, 'film.mov') };
  const { code, stderr } = await startCli(['upload', 'film.mov'], env, { cwd }).ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('An interrupted upload cannot be continued later: ENOTDIR'),
  ]);
  expect((await stat(join(root, 'film.mov'))).size).toBe(2 * MEBIBYTE);
});

test('the same command continues an upload that was cut or cancelled', async () => {
  const { server, begin, root, cwd, records, state, settings } = await createUploader();
  const content = randomBytes(30 * MEBIBYTE + 5);
  await writeFile(join(cwd, 'film.mov'), content);
  let running: ReturnType<typeof begin> | undefined;
  const first = await startCuttingProxy(server.url, ({ sentBytes }) => {
    if (sentBytes() <= 18 * MEBIBYTE) return;
    running?.child.kill('SIGINT');
    running = undefined;
  });
  const command = begin(first.url, 'film.mov', '--to', 'films/');
  running = command;
  const cancelled = await command.ended;
  expect(cancelled.code).toBe(130);
  expect(cancelled.stderr).toContain('Run the same command again: it continues where this one ended.');
  const [record = ''] = await records();
  const text = await readFile(join(state, record), 'utf8');
  expect(text).not.toContain(settings.TELECINE_CLIENT_SECRET);
  expect(text).not.toContain('eyJ');
  expect((await stat(join(state, record))).mode & 0o777).toBe(0o600);
  expect((await stat(state)).mode & 0o777).toBe(0o700);

  // The address is a part of what the command remembers, so the same proxy goes on.
  const before = first.sentBytes();
  const ended = await begin(first.url, 'film.mov', '--to', 'films/').ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect((await readFile(join(root, 'films/film.mov'))).equals(content)).toBe(true);
  expect(first.sentBytes() - before).toBeLessThan(content.length - 8 * MEBIBYTE);
  expect(await records()).toEqual([]);
});

test('a killed command continues too, and skips the files that it has uploaded', { tags: 'long' }, async () => {
  const { server, begin, root, cwd, records } = await createUploader();
  await writeFile(join(cwd, 'film.mov'), randomBytes(30 * MEBIBYTE));
  let running: ReturnType<typeof begin> | undefined;
  const proxy = await startCuttingProxy(server.url, ({ sentBytes }) => {
    if (sentBytes() > 20 * MEBIBYTE) running?.child.kill('SIGKILL');
  });
  const args = ['in.mp4', 'film.mov', '--to', 'films'];
  running = begin(proxy.url, ...args);
  await running.ended;
  expect(await readdir(join(root, 'films'))).toEqual(['in.mp4']);
  expect(await records()).toHaveLength(2);
  running = undefined;
  const before = proxy.sentBytes();
  const again = await begin(proxy.url, ...args).ended;
  expect(again.code, again.stderr).toBe(0);
  expect(proxy.sentBytes() - before).toBeLessThan(22 * MEBIBYTE);
  expect((await readdir(join(root, 'films'))).toSorted()).toEqual(['film.mov', 'in.mp4']);
  expect(await records()).toEqual([]);
});

test('begins again if the file has changed, or if the service no longer has the upload', { tags: 'long' }, async () => {
  const { server, begin, root, cwd, records, state, api } = await createUploader();
  await writeFile(join(cwd, 'film.mov'), randomBytes(30 * MEBIBYTE));
  let running: ReturnType<typeof begin> | undefined;
  const proxy = await startCuttingProxy(server.url, ({ sentBytes }) => {
    if (sentBytes() > 12 * MEBIBYTE) running?.child.kill('SIGINT');
  });
  running = begin(proxy.url, 'film.mov');
  // The proxy sends Ctrl-C again and again, also while the command ends.
  expect((await running.ended).code).toBe(130);
  running = undefined;
  await appendFile(join(cwd, 'film.mov'), 'more');
  expect((await begin(proxy.url, 'film.mov').ended).code).toBe(0);
  expect((await readFile(join(root, 'film.mov'))).equals(await readFile(join(cwd, 'film.mov')))).toBe(true);

  running = undefined;
  await writeFile(join(cwd, 'other.mov'), randomBytes(30 * MEBIBYTE));
  const other = await startCuttingProxy(server.url, ({ sentBytes }) => {
    if (sentBytes() > 12 * MEBIBYTE) running?.child.kill('SIGINT');
  });
  running = begin(other.url, 'other.mov');
  await running.ended;
  running = undefined;
  const [record = ''] = await records();
  const { uploadId } = JSON.parse(await readFile(join(state, record), 'utf8')) as { uploadId: string };
  const deleted = await api.request(`/api/uploads/${uploadId}`, {
    method: 'DELETE',
    headers: { 'tus-resumable': '1.0.0' },
  });
  expect(deleted.status).toBe(204);
  expect((await begin(other.url, 'other.mov').ended).code).toBe(0);
  expect((await readFile(join(root, 'other.mov'))).equals(await readFile(join(cwd, 'other.mov')))).toBe(true);
});
