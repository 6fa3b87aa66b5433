import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { sendRequest } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tusRequests } from '../support/tus.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg');

const FORM = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

type Line = Readonly<Record<string, unknown>>;

const linesOf = (log: string): readonly Line[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

test('logs the start of each attempt, and one line for each finished job, with the code and cause of a failure', async () => {
  const { server, own } = await start();
  await writeFile(join(server.mediaRoot, 'text.mp4'), 'no media');
  const missing = await own.run({ input: 'missing.mp4', output: 'a.mp4' });
  const text = await own.run({ input: 'text.mp4', output: 'b.mp4' });
  const lineOf = (jobId: string, msg: string) =>
    waitUntil('the line of a job', async () =>
      linesOf(server.log()).find((line) => line['jobId'] === jobId && line['msg'] === msg),
    );
  const ofAttempt = { level: 'info', clientId: server.part, attempt: 1 };
  expect(await lineOf(missing.jobId, 'attempt started')).toMatchObject(ofAttempt);
  expect(await lineOf(missing.jobId, 'attempt ended')).toMatchObject({
    ...ofAttempt,
    status: 'FAILED',
    seconds: expect.any(Number),
    code: 'INPUT_NOT_FOUND',
    reason: missing.error?.message,
  });
  expect(await lineOf(text.jobId, 'attempt ended')).toMatchObject({ status: 'FAILED', code: 'INPUT_INVALID' });
});

test('the line of a rejected request has the code of its problem, and that of an accepted one has none', async () => {
  const { server, own } = await start();
  const body = { input: 'a.mp4', output: 'b.mp4', parameters: { crff: '1' } };
  expect((await own.request('/api/conversion', { body })).status).toBe(400);
  expect((await sendRequest(server.url, '/api/conversion', { body })).status).toBe(401);
  expect((await sendRequest(server.url, '/oauth/token', { raw: 'grant_type=x', ...FORM })).status).toBe(400);
  await own.accept({ input: 'a.mp4', output: 'b.mp4' });
  const seen = await waitUntil('the lines', async () => {
    const lines = linesOf(server.log()).filter(({ msg, method }) => msg === 'request' && method === 'POST');
    const statuses = lines.map(({ status }) => status);
    return statuses.includes(202) && statuses.filter((status) => status === 400).length === 2 ? lines : undefined;
  });
  const codes = (status: number) => seen.filter((line) => line['status'] === status).map(({ code }) => code);
  expect(codes(400)).toEqual(['INVALID_REQUEST', 'unsupported_grant_type']);
  expect(codes(401)).toEqual(['INVALID_TOKEN']);
  expect(new Set(codes(202))).toEqual(new Set([undefined]));
});

test('does not log health checks that succeed', async () => {
  const { server, own } = await start();
  // Log lines are in order, so lines about the health checks would come between the lines of these requests.
  await own.request('/api/conversion/before');
  for (const path of ['/health', '/ready', '/ready?verbose']) await fetch(`${server.url}${path}`);
  await own.request('/api/conversion/after');
  const paths = await waitUntil('the last line', async () => {
    const seen = linesOf(server.log()).map(({ path }) => path);
    return seen.includes('/api/conversion/after') ? seen.slice(seen.indexOf('/api/conversion/before')) : undefined;
  });
  expect(paths).not.toContain('/health');
  expect(paths.filter((path) => path === '/ready')).toHaveLength(1);
});

const withoutProbe = sharedServer({ env: { FFPROBE_PATH: '/nowhere/ffprobe' } });

test('does not log an expected reply as an error, not even a 501', { tags: 'long' }, async () => {
  const { server, admin } = await withoutProbe();
  await writeFile(join(server.mediaRoot, 'text.mp4'), 'no media');
  const { status } = await admin.request('/api/probe', { body: { input: 'text.mp4' } });
  expect(status).toBe(501);
  const { send } = tusRequests(server.url, admin.token);
  for (const unsupported of [{ 'upload-length': 1, 'upload-concat': 'partial' }, { 'upload-defer-length': 1 }])
    expect((await send('POST', '/api/uploads', { 'content-length': 0, ...unsupported })).status).toBe(501);
  // Log lines are in order, so a line about a 501 would come before the line of this job.
  const { jobId } = await admin.run({ input: 'missing.mp4', output: 'c.mp4' });
  await waitUntil('a later line', async () => linesOf(server.log()).find((line) => line['jobId'] === jobId));
  expect(linesOf(server.log()).filter(({ level }) => level === 'error')).toEqual([]);
});

test('a failed start logs what to fix in one sentence, without a stack', { tags: 'long' }, async () => {
  const { server } = await start();
  const folder = await testFolder('start');
  const settings = { TELECINE_PORT: '0', TELECINE_DATA_DIR: join(folder, 'data'), TELECINE_MEDIA_ROOT: folder };
  const fatal = async (change: Readonly<Record<string, string>>): Promise<unknown> => {
    const { code, stdout } = await runCli(['serve'], { ...settings, ...change });
    expect(code).toBe(1);
    expect(stdout).not.toContain('    at ');
    return linesOf(stdout).find(({ level }) => level === 'fatal')?.['reason'];
  };
  expect(await fatal({ TELECINE_DATA_DIR: server.dataDir })).toMatch(
    /^Another telecine is serving .* TELECINE_DATA_DIR/,
  );
  expect(await fatal({ TELECINE_PORT: new URL(server.url).port })).toMatch(
    /^Port \d+ on .* is in use .* TELECINE_PORT/,
  );
  expect(await fatal({ FFMPEG_PATH: join(folder, 'none') })).toMatch(/^FFMPEG_PATH: .* Set it to the ffmpeg program/);

  const OWN = 'Use 127.0.0.1 for this machine alone, 0.0.0.0 for all its addresses, or one of its addresses.';
  expect(await fatal({ TELECINE_HOST: '192.0.2.1' })).toBe(
    `TELECINE_HOST: 192.0.2.1 is not an address of this machine. ${OWN}`,
  );
  expect(await fatal({ TELECINE_HOST: 'no-such-host.invalid' })).toBe(
    `TELECINE_HOST: the name no-such-host.invalid has no address. ${OWN}`,
  );
  expect(await fatal({ TELECINE_ADMIN_SECRET_FILE: join(folder, 'none') })).toBe(
    `TELECINE_ADMIN_SECRET_FILE: ${join(folder, 'none')} cannot be read (ENOENT). Set it to a file with the secret that this user can read, or unset it.`,
  );

  const file = join(folder, 'file');
  await writeFile(file, '');
  expect(await fatal({ TELECINE_ADMIN_SECRET_FILE: file })).toBe(
    'TELECINE_ADMIN_SECRET_FILE: the secret must have 8 to 1024 characters, not 0.',
  );
  // The kernel reports ENOENT for a new folder there.
  expect(await fatal({ TELECINE_DATA_DIR: '/proc/telecine' })).toMatch(
    /^\/proc\/telecine cannot be created\. Make .* or set TELECINE_/,
  );
  expect(await fatal({ TELECINE_MEDIA_ROOT: '/proc/telecine' })).toMatch(
    /^TELECINE_MEDIA_ROOT: there is no folder \/proc\/telecine\. Mount its disk, .* or create the folder/,
  );
  for (const setting of ['TELECINE_DATA_DIR', 'TELECINE_MEDIA_ROOT'])
    for (const path of [file, join(file, 'below')]) {
      const reason = await fatal({ [setting]: path });
      expect(reason).toBe(
        `${path} is not a folder. Make ${path} a folder that this user can read and write, or set ${setting} to another folder.`,
      );
    }

  const { code, stderr } = await runCli(['serve'], { ...settings, TELECINE_PORT: 'high', TELECINE_SANDBOX: 'maybe' });
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error: TELECINE_PORT: must be a whole number from 0 to 65535; it is "high"\n' +
      'TELECINE_SANDBOX: must be one of auto, required, bubblewrap, landlock, off; it is "maybe"\n',
  );
});

test('a service whose console is not built says so, and leads browsers to the page of the API', {
  tags: 'long',
}, async () => {
  const { entry, compileCache } = inject('program');
  const copy = await testFolder('not-built');
  for (const name of ['bin', 'dist', 'package.json'])
    await cp(join(entry, '../..', name), join(copy, name), { recursive: true });
  await symlink(join(entry, '../../node_modules'), join(copy, 'node_modules'));
  await rm(join(copy, 'dist/console'), { recursive: true });
  const start = (env: Record<string, string> = {}) =>
    startServer({ program: { entry: join(copy, 'bin/telecine.js'), compileCache }, env });
  const server = await start();
  expect(server.log()).toMatch(/"level":"warn".*npm run setup.*the web console is not built/);
  const page = await fetch(server.url, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([302, 'docs']);
  expect((await start({ TELECINE_CONSOLE: 'off' })).log()).not.toContain('the web console');
});
