// @module-tag long
import { execFile, spawn } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { openPage } from '../../scripts/check-docs-page/browser.ts';
import { onPath } from '../../scripts/setup/command.ts';
import { clientPackage } from '../support/client-package.ts';
import { endWithTests } from '../support/end-with-tests.ts';
import { testFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { insertClient } from '../support/insert-client.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../examples');
const installed = clientPackage();
const start = sharedServer();
const test = needs('ffmpeg');
// It compiles the client and runs npm twice, which does not count as time of the first test that needs it.
beforeAll(async () => void (await installed()), 180_000);

/** A user of the examples: a client in the environment, and a folder with a film. */
async function user(name: string) {
  const { server } = await start();
  const { clientId, clientSecret } = await insertClient(server, name, { root: name });
  const folder = await testFolder('examples');
  await putSmallMovie(folder, 2, 'in.mp4');
  await writeFile(join(folder, 'words.txt'), 'not a film');
  const env = { TELECINE_URL: server.url, TELECINE_CLIENT_ID: clientId, TELECINE_CLIENT_SECRET: clientSecret };
  const run = (file: string, ...args: readonly string[]) =>
    promisify(execFile)(file, args, { cwd: folder, env: { ...process.env, ...env } });
  return { server, folder, run };
}

/** The example converts a film, and reports one that is not a film. */
async function convertsFilms(name: string, command: readonly string[]): Promise<void> {
  const { folder, run } = await user(name);
  const [program = '', ...first] = command;
  await run(program, ...first, 'in.mp4', 'out.mp4');
  expect((await probe(join(folder, 'out.mp4'))).streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
  const failed = run(program, ...first, 'words.txt', 'other.mp4');
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/input.*media|media.*input/is) });
}

needs(
  'ffmpeg',
  'curl',
  'jq',
)('the example in bash converts a film', () => convertsFilms('bash', ['bash', join(EXAMPLES, 'convert.sh')]));

needs('ffmpeg', 'requests of Python')('the example in Python converts a film', () =>
  convertsFilms('python', ['python3', join(EXAMPLES, 'convert.py')]),
);

/** Copies an example into the project that has the package. */
async function inProject(file: string): Promise<string> {
  const { project } = await installed();
  await cp(join(EXAMPLES, file), join(project, file));
  return join(project, file);
}

test('the example in TypeScript converts a film', async () => {
  await convertsFilms('typescript', [process.execPath, await inProject('convert.ts')]);
});

test('the example of a receiver prints the end of a job once, and ignores what the service did not sign', async () => {
  const port = await freePort();
  const server = await startServer({ env: { TELECINE_WEBHOOK_HOSTS: `127.0.0.1:${port}` } });
  const client = createClient(server.url, await insertClient(server, 'shop', { root: 'shop' }));
  await server.media.below('shop').fill((folder) => putSample(folder, 'mp3', 'song.mp3'));
  const url = `http://127.0.0.1:${port}/`;
  const { secret, webhookId } = await client.addWebhook({ url });
  const child = spawn(process.execPath, [await inProject('webhook-receiver.ts')], {
    env: { ...process.env, PORT: String(port), TELECINE_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTests(child);
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<unknown> => (await lines.next()).value;
  expect(await line()).toBe(`listening on ${url}`);
  expect((await fetch(url, { method: 'POST', body: '{"type":"job.completed"}' })).status).toBe(400);
  const request = { input: 'song.mp3', output: 'out.mka', parameters: { c: 'copy' }, metadata: { order: 'A-1042' } };
  await client.submit(request);
  expect(await line()).toBe('out.mka is ready, order A-1042');
  const { deliveries } = await client.webhookDeliveries(webhookId);
  await client.replayDelivery(webhookId, deliveries[0]?.deliveryId ?? '');
  await client.testWebhook(webhookId);
  // The replay is the same event. What comes next is the test.
  expect(await line()).toBe('webhook.test');
});

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };

needs('ffmpeg', 'Chromium')('the example of a page uploads and converts the film that a user chooses', async () => {
  const { folder } = await installed();
  const session = { url: '', accessToken: '' };
  const site = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const file = pathname.startsWith('/client/') ? join(folder, basename(pathname)) : join(EXAMPLES, 'upload.html');
    response.setHeader('content-type', TYPES[extname(pathname)] ?? 'application/json');
    response.end(pathname === '/token.json' ? JSON.stringify(session) : await readFile(file));
  });
  const origin = await listenOnLoopback(site);
  const server = await startServer({ env: { TELECINE_CORS_ORIGINS: origin } });
  const credentials = await insertClient(server, 'page', { root: 'page' });
  const tokens = await fetch(`${server.url}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  Object.assign(session, { url: server.url, ...((await tokens.json()) as object) });
  const films = await testFolder('films');
  await putSmallMovie(films, 2, 'in.mp4');
  const profile = join(await testFolder('browser'), 'profile');
  const shown = await openPage(
    onPath('chromium') ?? '',
    profile,
    `${origin}/upload.html`,
    /Download|Failed/,
    async ({ chooseFiles, click }) => {
      await chooseFiles('input[type=file]', [join(films, 'in.mp4')]);
      await click('button');
    },
  );
  expect(shown.text).toContain('Download');
  expect(shown.errors).toEqual([]);
  const [output] = (await server.media.below('page').list()).filter((path) => path.endsWith('out.mp4'));
  expect(output).toMatch(/^uploads\//);
});
