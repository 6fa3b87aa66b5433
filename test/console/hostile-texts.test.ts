import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AddedWebhookView } from '../../packages/contract/src/wire/webhook.ts';
import { login } from '../support/api-client.ts';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Runs if a page shows it as HTML. It has no slash, so that a file can have this name. */
const HOSTILE = `"'><img src=x onerror=window.hit=1><svg onload=window.hit=1><script>window.hit=1`;

test('texts of clients, of media and of receivers are shown as texts on each page', async () => {
  const receiver = await startReceiver();
  const server = await startServer({ env: { TELECINE_WEBHOOK_HOSTS: receiver.host, TELECINE_RATE_LIMIT: 'off' } });
  const { page, errors, credentials, folder, signIn } = await consoleVisitor(open, server, 'operator', {
    scopes: ['admin', 'jobs:read', 'jobs:write', 'files:read', 'files:write'],
  });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await signIn();
  const api = await login(server.url, credentials);
  /** Sends a request that must succeed. */
  const post = async <T = object>(path: string, body: unknown, method = 'POST'): Promise<T> => {
    const reply = await api.request<T>(path, { method, body });
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body;
  };
  await putSmallMovie(folder, 1, `${HOSTILE}.mp4`);
  await putSmallMovie(folder, 1, `${HOSTILE}/in.mp4`);
  await writeFile(join(folder, `broken ${HOSTILE}.mp4`), HOSTILE);
  await writeFile(join(folder, 'evil.js'), 'window.hit = 1');
  await writeFile(join(folder, 'evil.html'), '<script>window.hit = 1</script>');
  receiver.answer('/hook', (_event, response) => void response.writeHead(500, HOSTILE.slice(2, 20)).end(HOSTILE));
  const { webhookId } = await post<AddedWebhookView>('/api/webhooks', {
    url: `${receiver.url('/hook')}?${encodeURIComponent(HOSTILE)}`,
  });
  const recipe = {
    title: HOSTILE.slice(0, 60),
    description: HOSTILE,
    inputs: [{ role: 'media', description: HOSTILE }],
  };
  await post(
    '/api/recipes/hostile',
    {
      ...recipe,
      version: 1,
      words: ['hostile'],
      arguments: {},
      outputs: ['mkv'],
      request: { parameters: { c: 'copy' } },
    },
    'PUT',
  );
  await post('/api/webhook-secret/rotate', {});
  const request = {
    ...{ llmId: HOSTILE.slice(0, 100), callbackUrl: `${receiver.url('/hook')}?${encodeURIComponent(HOSTILE)}` },
    metadata: { title: HOSTILE, artist: HOSTILE },
    ...{ output: `out/${HOSTILE}.mkv`, parameters: { c: 'copy' } },
  };
  const done = await api.run({ ...request, input: `${HOSTILE}.mp4` });
  expect(done).toMatchObject({ status: 'COMPLETED' });
  const failed = await api.run({ ...request, input: `broken ${HOSTILE}.mp4`, output: 'failed.mkv' });
  expect(failed).toMatchObject({ status: 'FAILED' });
  const watch = await post<{ watchId: string }>('/api/watches', {
    ...{ name: HOSTILE.slice(0, 60), folder: `${HOSTILE}/`, request: { output: 'watched {name}.mkv' } },
  });
  const { url: shared } = await post<{ url: string }>('/api/shares', {
    ...{ path: `${HOSTILE}.mp4`, seconds: 600, note: HOSTILE },
  });
  await api.request(`/api/conversion/${encodeURIComponent(HOSTILE)}`);

  const hostile = encodeURIComponent(HOSTILE);
  for (const [path, shown] of [
    ['/files', HOSTILE],
    [`/files?folder=${hostile}%2F`, 'in.mp4'],
    [`/files?path=${hostile}.mp4`, HOSTILE],
    [`/files?q=${hostile}`, HOSTILE],
    ['/jobs', HOSTILE],
    [`/jobs?q=${hostile}&status=${hostile}`, undefined],
    [`/jobs/${done.jobId}`, HOSTILE],
    [`/jobs/${failed.jobId}`, HOSTILE],
    [`/jobs/${hostile}`, undefined],
    ['/watches', HOSTILE.slice(0, 60)],
    [`/watches/${watch.watchId}`, HOSTILE],
    ['/recipes', HOSTILE],
    ['/recipes/hostile', HOSTILE],
    [`/recipes/${hostile}`, undefined],
    ['/operate', undefined],
    ...['queue', 'workers', 'clients', 'usage', 'audit', 'health', 'webhooks'].map(
      (name) => [`/operate/${name}`, undefined] as const,
    ),
    ['/operate/shares', HOSTILE],
    [`/operate/webhooks/${webhookId}`, undefined],
    [`/?file=${hostile}&recipe=${hostile}#${hostile}`, undefined],
    [shared, HOSTILE],
  ] as const) {
    await page.goto(new URL(path, server.url).href);
    await page.getByText(/\S/).first().waitFor();
    if (shown !== undefined)
      await expect
        .poll(async () => await page.locator('body').innerHTML(), { message: path })
        .toContain(shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect(await page.evaluate('window.hit'), path).toBeUndefined();
  }
  // A file that is chosen in the browser has its name from another person too.
  await page.goto(server.url);
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: `${HOSTILE}2.mp4`, mimeType: 'text/html', buffer: Buffer.from(HOSTILE) },
  });
  await expect.poll(() => page.locator('body').innerText()).toContain(`${HOSTILE}2.mp4`);
  // Even a page that could name a script could not run a file of a client.
  for (const name of ['evil.js', 'evil.html'])
    await page.evaluate(
      `new Promise((done) => {
        const script = document.createElement('script');
        script.onload = script.onerror = done;
        script.src = '/api/files/${name}';
        document.body.append(script);
      })`,
    );
  expect(await page.evaluate('window.hit')).toBeUndefined();
  const refused = errors.filter((error) => !error.includes('/api/files/evil.'));
  expect({ refused, dialogs }).toEqual({ refused: [], dialogs: [] });
});

test('a page of another site can neither frame the console nor steer it by messages', async () => {
  const server = await startServer();
  const { page, signIn } = await consoleVisitor(open, server, 'framed');
  await signIn();
  const paths = ['/', '/files', '/jobs', '/manual/', '/docs', '/s/tcl_x'];
  const frames = paths.map((path) => `<iframe src="${server.url}${path}"></iframe>`).join('');
  const attacker = await listenOnLoopback(
    createServer((_request, response) => response.setHeader('content-type', 'text/html').end(frames)),
  );
  await page.goto(attacker.replace('127.0.0.1', 'localhost'), { waitUntil: 'load' });
  await expect.poll(() => page.frames().length).toBe(paths.length + 1);
  for (const frame of page.frames().slice(1))
    await expect.poll(() => frame.url()).toBe('chrome-error://chromewebdata/');
  // A window that the attacker opened cannot be read, and takes no messages.
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`window.opened = window.open('${server.url}/files')`),
  ]);
  await opened.getByRole('heading').first().waitFor();
  await page.evaluate(`window.opened.postMessage({ type: 'navigate', path: '/operate' }, '*')`);
  await expect(page.evaluate('window.opened.document.title')).rejects.toThrow('cross-origin');
  expect(new URL(opened.url()).pathname).toBe('/files');
  expect(await opened.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0);
  expect(await opened.evaluate('caches.keys()')).toEqual([]);
});
