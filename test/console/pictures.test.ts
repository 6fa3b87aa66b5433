import { expect, vi } from 'vitest';
import type { createClient } from '../../packages/client/src/client.ts';
import { PAGES } from '../../packages/service/src/http/console/serve-console.ts';
import { openBrowser } from '../support/browser.ts';
import { pictureTaker } from '../support/console-pictures.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

/** The jobs whose pages are shown, by what they show. */
type Jobs = Readonly<Record<'film' | 'hls' | 'encrypted' | 'failed' | 'running', string>>;

/** What is shown of each page, by the name of the picture. A page without a row here fails the test. */
const VIEWS: Readonly<
  Record<string, (jobs: Jobs, webhookId: string, watchId: string, link: string) => Readonly<Record<string, string>>>
> = {
  '/': () => ({ workbench: '/' }),
  '/jobs': () => ({ jobs: '/jobs', 'jobs-none': '/jobs?status=CANCELLED' }),
  '/jobs/$jobId': (jobs) =>
    Object.fromEntries(Object.entries(jobs).map(([name, jobId]) => [`job-${name}`, `/jobs/${jobId}`])),
  '/files': () => ({
    files: '/files?folder=web/',
    'files-film': '/files?folder=in/&file=in/bunny.mp4',
    'files-sound': '/files?folder=web/&file=web/sound.m4a',
    'files-thumbnails': '/files?folder=web/&view=thumbnails',
    'files-none': '/files?folder=none/',
  }),
  '/s/$link': (_jobs, _webhookId, _watchId, link) => ({ link }),
  '/watches': () => ({ watches: '/watches' }),
  '/watches/new': () => ({ 'watch-new': '/watches/new' }),
  '/watches/$watchId': (_jobs, _webhookId, watchId) => ({ watch: `/watches/${watchId}` }),
  '/watches/$watchId/edit': (_jobs, _webhookId, watchId) => ({ 'watch-edit': `/watches/${watchId}/edit` }),
  '/recipes': () => ({ recipes: '/recipes' }),
  '/recipes/$recipeName': () => ({
    recipe: '/recipes/house-style?file=in/bunny.mp4',
    'recipe-shared': '/recipes/gif',
  }),
  // Leads to the first page that the visitor may see.
  '/operate': () => ({}),
  '/operate/queue': () => ({ queue: '/operate/queue', 'queue-hour': '/operate/queue?span=hour' }),
  '/operate/workers': () => ({ workers: '/operate/workers' }),
  '/operate/clients': () => ({ clients: '/operate/clients' }),
  '/operate/webhooks': () => ({ webhooks: '/operate/webhooks' }),
  '/operate/webhooks/$webhookId': (_jobs, webhookId) => ({ webhook: `/operate/webhooks/${webhookId}` }),
  '/operate/usage': () => ({ usage: '/operate/usage' }),
  '/operate/shares': () => ({ shares: '/operate/shares' }),
  '/operate/audit': () => ({ audit: '/operate/audit', 'audit-none': '/operate/audit?target=none' }),
  '/operate/health': () => ({ health: '/operate/health' }),
};

const start = sharedServer();
const open = openBrowser();

/** The paths of the router. Its modules expect a browser, but need no more of it than its address and its events. */
async function routedPaths(): Promise<readonly string[]> {
  vi.stubGlobal('window', {
    location: { origin: 'http://localhost', hash: '', pathname: '/', search: '' },
    addEventListener: () => undefined,
  });
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
  const encrypted = await submit({
    input: 'in/bunny.mp4',
    output: 'encrypted/film.m3u8',
    parameters: { c: 'copy', t: '8', hls_time: '4', hls_list_size: '0' },
    encrypt: { keyUri: 'film.key' },
  });
  const failed = await submit({ input: 'in/missing.mov', output: 'web/none.mp4', format: 'mp4' });
  for (const jobId of [film, hls, encrypted, failed]) await client.wait(jobId);
  const running = await submit({
    inputs: [{ input: 'in/bunny.mp4', parameters: { stream_loop: '20' } }],
    output: 'archive/a-very-long-name-of-a-master-file-that-goes-on-and-on.mkv',
    parameters: { 'c:v': 'libx265', preset: 'veryslow' },
  });
  return { film, hls, encrypted, failed, running };
}

needs('ffmpeg', 'Chromium')(
  'each page can be looked at in both themes, on a phone, a laptop and a large screen',
  async () => {
    const { server } = await start();
    const { page, folder, client, signIn, errors } = await consoleVisitor(open, server, 'pictures', {
      scopes: ['admin'],
    });
    const { look } = pictureTaker(page);
    await page.getByLabel('Secret').waitFor();
    await look('sign-in');
    await putSample(folder, '480p', 'in/bunny.mp4');
    const jobs = await runJobs(client);
    await client.putRecipe('house-style', {
      ...{ version: 1, title: 'House style', description: 'The format of our pages.', words: ['intranet'] },
      inputs: [{ role: 'film', description: 'A film.', parameters: { ss: '{{start}}' } }],
      outputs: ['mp4'],
      arguments: {
        start: { type: 'time', description: 'Where the part begins.' },
        look: {
          type: 'choice',
          choices: { plain: 'null', mirrored: 'hflip' },
          default: 'plain',
          description: 'The look.',
        },
      },
      request: { parameters: { 'c:v': 'libx264', crf: '24', vf: 'scale=-2:360,{{look}}', movflags: '+faststart' } },
    });
    const { webhookId } = await client.addWebhook({ url: 'https://example.com/hooks/telecine' });
    const request = { output: 'watched/{name}.mkv', parameters: { c: 'copy' } };
    const { watchId } = await client.addWatch({ name: 'films', folder: 'in/', request, settleSeconds: 1 });
    const { url } = await client.share({ path: 'from ada/', files: 3 });
    const link = url.replace(server.url, '');
    await signIn();
    const views = Object.values(VIEWS).flatMap((view) => Object.entries(view(jobs, webhookId, watchId, link)));
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
  1_200_000,
);
