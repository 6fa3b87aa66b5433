import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { descendants, readProc } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { adminClient } from '../support/api-client.ts';
import { endWithTests } from '../support/end-with-tests.ts';
import { testFolder } from '../support/folders.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { seedCatalogues, startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'linux');

/** The time for a service without jobs to stop. */
const STOP_SECONDS = 15;

/** The environment and the command line of a service on new folders. */
async function serviceCommand() {
  const folder = await testFolder('stop');
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await mkdir(join(folder, 'media'));
  await seedCatalogues(dataDir);
  const { entry, compileCache } = inject('program');
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    TELECINE_PORT: '0',
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: join(folder, 'media'),
  };
  return { command: [process.execPath, entry, 'serve'], env };
}

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !/^State:\s*Z/m.test(readProc(`/proc/${pid}/status`));
  } catch {
    return false;
  }
};

/** The words of the command lines of all processes below `parent`. */
const commandsBelow = async (parent: ChildProcess) =>
  (await descendants(parent.pid ?? 0)).map((pid) => ({ pid, words: readProc(`/proc/${pid}/cmdline`).split('\0') }));

/** Waits until the log says that the service has started. Returns the process id of the service. */
async function serving(parent: ChildProcess, log: () => string): Promise<number> {
  await waitUntil('the service to start', async () => (log().includes('"msg":"started"') ? true : undefined));
  const service = (await commandsBelow(parent)).find(
    ({ words }) => basename(words[0] ?? '') === 'node' && words.includes('serve'),
  );
  if (service === undefined) throw new Error('The service was not found.');
  onTestFinished(() => void (runs(service.pid) && process.kill(service.pid, 'SIGKILL')));
  return service.pid;
}

const stops = (pid: number): Promise<true> =>
  waitUntil('the service to stop', async () => (runs(pid) ? undefined : true), STOP_SECONDS);

/** Starts a program below this test, and collects its standard output. */
function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string) {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true, ...(cwd && { cwd }) });
  endWithTests(child, { isGroup: true });
  let collected = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    collected += text;
  });
  return { child, log: () => collected };
}

test.for(sampled(['SIGTERM', 'SIGINT'] as const, 2))(
  '%s stops a service whose log goes to a program that has ended',
  async (signal, { expect }) => {
    const { command, env } = await serviceCommand();
    const { child, log } = start('sh', ['-c', `"$@" | sed '/"msg":"started"/q'`, 'sh', ...command], env);
    const pid = await serving(child, log);
    await waitUntil('sed to end', async () =>
      (await commandsBelow(child)).some(({ words }) => words[0] === 'sed') ? undefined : true,
    );
    expect(runs(pid)).toBe(true);
    process.kill(pid, signal);
    await stops(pid);
  },
);

/** Starts the program in its arguments with sockets as standard output and error, and forwards the first. */
const FORWARD = `const { spawn } = require('node:child_process');
spawn(process.argv[1], process.argv.slice(2), { stdio: ['ignore', 'pipe', 'pipe'], detached: true }).stdout.pipe(process.stdout);`;

test('SIGTERM stops a service whose parent, which read its log and errors over sockets, was killed', {
  tags: 'long',
}, async ({ expect }) => {
  const { command, env } = await serviceCommand();
  const { child, log } = start(process.execPath, ['-e', FORWARD, ...command], env);
  const pid = await serving(child, log);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(runs(pid)).toBe(true);
  process.kill(pid, 'SIGTERM');
  await stops(pid);
});

const NPM_SIGNALS = [
  ['kill of npm', (npm: number): true => process.kill(npm, 'SIGTERM')],
  [
    'one Ctrl-C, which npm forwards to a service that has it already,',
    (npm: number): true => process.kill(-npm, 'SIGINT'),
  ],
] as const;

test.for(NPM_SIGNALS)('%s drains the service of `npm start`', { tags: 'long' }, async ([, send], { expect }) => {
  const { env } = await serviceCommand();
  const { child, log } = start('npm', ['start'], env, resolve(import.meta.dirname, '../..'));
  const pid = await serving(child, log);
  send(child.pid ?? 0);
  await stops(pid);
  await waitUntil('the last line', async () => (log().includes('"msg":"stopped"') ? true : undefined), STOP_SECONDS);
  expect(log().match(/"msg":"draining"/g)).toHaveLength(1);
});

test('SIGTERM stops a service whose log nobody reads', { tags: 'long' }, async ({ expect }) => {
  const server = await startServer();
  server.child.stdout?.pause();
  // Each request logs a line of some 200 bytes; a socket or pipe buffers some hundred kilobytes.
  for (let batch = 0; batch < 60; batch += 1)
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${server.url}/nowhere`)).arrayBuffer()));
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
});

test('a stopped terminal stops neither the service nor its end', { tags: 'long' }, async ({ expect }) => {
  const { command, env } = await serviceCommand();
  // `script` runs the service on a terminal. Pausing its output has the effect of Ctrl-S.
  const { child, log } = start('script', ['-qfc', command.join(' '), '/dev/null'], env);
  const pid = await serving(child, log);
  child.stdout.pause();
  const [, url = ''] = /"url":"([^"]+)"/.exec(log()) ?? [];
  for (let batch = 0; batch < 40; batch += 1)
    await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/nowhere`)).arrayBuffer()));
  expect((await fetch(`${url}/health`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  await stops(pid);
  child.kill('SIGKILL');
});

test('a client that does not read its download, and one that hung up, prevent no clean stop', { tags: 'long' }, async ({
  expect,
}) => {
  const server = await startServer();
  await writeFile(join(server.mediaRoot, 'big.bin'), '');
  await truncate(join(server.mediaRoot, 'big.bin'), 200 * 2 ** 20);
  const headers = { authorization: `Bearer ${(await adminClient(server)).token}` };
  const hangUp = new AbortController();
  const url = `${server.url}/api/files/big.bin`;
  const unread = await fetch(url, { headers });
  const aborted = await fetch(url, { headers, signal: hangUp.signal });
  hangUp.abort();
  await expect(aborted.arrayBuffer()).rejects.toThrow();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(server.log()).toContain('"msg":"stopped"');
  await expect(unread.arrayBuffer()).rejects.toThrow();
});

test('the second signal ends a service at once that still waits for its conversion', { tags: 'long' }, async ({
  expect,
}) => {
  const server = await startServer({ env: { TELECINE_DRAIN_SECONDS: '600' } });
  await putSample(server.mediaRoot, '480p', 'in.mp4');
  const admin = await adminClient(server);
  const parameters = { 'c:v': 'libx264', preset: 'veryslow', r: '240', an: '' };
  const jobId = await admin.accept({ input: 'in.mp4', output: 'out.mp4', parameters });
  await admin.wait(jobId, ({ status }) => status === 'PROCESSING');
  // A signal within half a second of the first is ignored: npm sends such copies. Both are sent before anything is awaited.
  server.child.kill('SIGTERM');
  server.child.kill('SIGINT');
  await waitUntil('the drain', async () => (server.log().includes('"msg":"draining"') ? true : undefined));
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  const again = setInterval(() => server.child.kill('SIGTERM'), 100);
  onTestFinished(() => clearInterval(again));
  expect(await server.exited).toEqual({ code: null, signal: 'SIGTERM' });
});

test('Ctrl-C while the first start queries ffmpeg, which gets the signal too, is not an error', {
  tags: 'long',
}, async ({ expect }) => {
  const { command, env } = await serviceCommand();
  const fresh = { ...env, TELECINE_DATA_DIR: `${env.TELECINE_DATA_DIR}-2` };
  const [file = '', ...args] = command;
  const { child, log } = start(file, args, fresh);
  await waitUntil('the service to listen', async () => (log().includes('"msg":"listening"') ? true : undefined));
  const ended = once(child, 'close');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(log()).toContain('"msg":"stopped"');
  expect(log()).not.toContain('"level":"fatal"');
});
