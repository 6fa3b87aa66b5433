import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { createClient } from '../../src/client/client.ts';
import { PAGES } from '../../src/http/console/serve-console.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

/** Where the pictures are written: `npm run console:pictures`. Without it, the pages are only visited. */
const FOLDER = process.env['TELECINE_PICTURES'];

const WIDTHS = [360, 1280, 2560];
const THEMES = ['light', 'dark'] as const;

/** The jobs whose pages are shown, by what they show. */
type Jobs = Readonly<Record<'film' | 'hls' | 'failed' | 'running', string>>;

/** What is shown of each page, by the name of the picture. A page without a row here fails the test. */
const VIEWS: Readonly<Record<string, (jobs: Jobs, webhookId: string) => Readonly<Record<string, string>>>> = {
  '/': () => ({ workbench: '/' }),
  '/jobs': () => ({ jobs: '/jobs', 'jobs-none': '/jobs?status=CANCELLED' }),
  '/jobs/$jobId': (jobs) =>
    Object.fromEntries(Object.entries(jobs).map(([name, jobId]) => [`job-${name}`, `/jobs/${jobId}`])),
  '/files': () => ({
    files: '/files?folder=web/',
    'files-film': '/files?folder=in/&file=in/bunny.mp4',
    'files-sound': '/files?folder=web/&file=web/sound.m4a',
    'files-none': '/files?folder=none/',
  }),
  // Leads to the first page that the visitor may see.
  '/operate': () => ({}),
  '/operate/queue': () => ({ queue: '/operate/queue', 'queue-hour': '/operate/queue?span=hour' }),
  '/operate/workers': () => ({ workers: '/operate/workers' }),
  '/operate/clients': () => ({ clients: '/operate/clients' }),
  '/operate/webhooks': () => ({ webhooks: '/operate/webhooks' }),
  '/operate/webhooks/$webhookId': (_jobs, webhookId) => ({ webhook: `/operate/webhooks/${webhookId}` }),
  '/operate/usage': () => ({ usage: '/operate/usage' }),
  '/operate/audit': () => ({ audit: '/operate/audit', 'audit-none': '/operate/audit?target=none' }),
  '/operate/health': () => ({ health: '/operate/health' }),
};

const start = sharedServer();
const open = openBrowser();

/** The paths of the router. Its modules expect a browser, but need no more of it than its address. */
async function routedPaths(): Promise<readonly string[]> {
  vi.stubGlobal('window', { location: { origin: 'http://localhost', hash: '', pathname: '/', search: '' } });
  // By its address: the types of the console are those of browsers, which the tests do not have.
  const { createConsoleRouter } = await import(new URL('../../console/app/router.tsx', import.meta.url).pathname);
  vi.unstubAllGlobals();
  return Object.keys(createConsoleRouter().routesByPath);
}

needs()('every page of the router is served and has pictures', async () => {
  const paths = new Set(await routedPaths());
  expect(new Set(Object.keys(VIEWS))).toEqual(paths);
  expect(new Set(PAGES.map((path) => path.replace(/:(\w+)/g, (_, name) => `$${name}`)))).toEqual(paths);
});

/** Runs conversions that show what the page of a job can show. One of them still runs. */
async function runJobs(client: ReturnType<typeof createClient>): Promise<Jobs> {
  const submit = async (request: Parameters<typeof client.submit>[0]) => (await client.submit(request)).jobId;
  const film = await submit({
    input: 'in/bunny.mp4',
    outputs: [
      { output: 'web/film.mp4', parameters: { 'c:v': 'libx264', preset: 'veryfast', t: '6' } },
      { output: 'web/sound.m4a', parameters: { vn: '', 'c:a': 'aac' } },
      { output: 'web/poster.jpg', parameters: { ss: '5', 'frames:v': '1' } },
    ],
    metadata: { order: 'A-1042' },
  });
  const hls = await submit({
    input: 'in/bunny.mp4',
    output: 'hls/film_%v.m3u8',
    parameters: { t: '8' },
    preset: { name: 'hls' },
  });
  const failed = await submit({ input: 'in/missing.mov', output: 'web/none.mp4', format: 'mp4' });
  for (const jobId of [film, hls, failed]) await client.wait(jobId);
  const running = await submit({
    inputs: [{ input: 'in/bunny.mp4', parameters: { stream_loop: '20' } }],
    output: 'archive/a-very-long-name-of-a-master-file-that-goes-on-and-on.mkv',
    parameters: { 'c:v': 'libx265', preset: 'veryslow' },
  });
  return { film, hls, failed, running };
}

/** Returns a function that resolves when the page reads nothing more, but for the streams that never end. */
function settler(page: Page): () => Promise<void> {
  // A page does not say when the picture before a film has arrived.
  const previews = new Set<unknown>();
  page.on('request', (request) => request.url().includes('view=') && previews.add(request));
  page.on('requestfinished', (request) => previews.delete(request));
  page.on('requestfailed', (request) => previews.delete(request));
  const images = page.locator('img');
  return async () => {
    await page.locator('h1').first().waitFor();
    for (const text of ['Loading…', 'Reading what it holds…'])
      await page.getByText(text).first().waitFor({ state: 'detached' });
    await expect
      .poll(() => images.evaluateAll((all) => all.every((one) => 'complete' in one && one.complete)))
      .toBe(true);
    await expect.poll(() => previews.size, { timeout: 60_000 }).toBe(0);
  };
}

needs('ffmpeg', 'Chromium')(
  'each page can be looked at in both themes, on a phone, a laptop and a large screen',
  async () => {
    const { server } = await start();
    const { page, folder, client, signIn, errors } = await consoleVisitor(open, server, 'pictures', {
      scopes: ['admin'],
    });
    if (FOLDER !== undefined) await mkdir(FOLDER, { recursive: true });
    const settle = settler(page);
    const look = async (name: string): Promise<void> => {
      for (const theme of THEMES)
        for (const width of WIDTHS) {
          await page.emulateMedia({ colorScheme: theme });
          await page.setViewportSize({ width, height: 900 });
          await settle();
          const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          expect(overflow, `${name} is wider than ${width} pixels`).toBeLessThanOrEqual(0);
          if (FOLDER !== undefined)
            await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`), fullPage: true });
        }
      await expectAccessible(page);
    };
    await page.getByLabel('Secret').waitFor();
    await look('sign-in');
    await putSample(folder, '480p', 'in/bunny.mp4');
    const jobs = await runJobs(client);
    const { webhookId } = await client.addWebhook({ url: 'https://example.com/hooks/telecine' });
    await signIn();
    const views = Object.values(VIEWS).flatMap((view) => Object.entries(view(jobs, webhookId)));
    for (const [name, path] of views) {
      await page.goto(server.url + path);
      await look(name);
    }
    await client.cancel(jobs.running);
    await page.goto(`${server.url}/files?folder=in/&file=in/bunny.mp4`);
    await page.getByRole('button', { name: 'Convert…' }).click();
    await page.getByRole('heading', { name: 'Workbench' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Convert', exact: true }).isEnabled()).toBe(true);
    await look('workbench-film');
    expect(errors).toEqual([]);
  },
);
