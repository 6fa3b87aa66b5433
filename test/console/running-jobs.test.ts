import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A conversion that takes a minute on any machine. */
const SLOW = { 'c:v': 'libx264', preset: 'veryslow', threads: '1', vf: 'scale=1280:-2', an: '' };

test('a running job shows where in its source it is, and asks for another frame after ten seconds only', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'watches');
  await putSample(folder, '480p', 'in.mp4');
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'slow.mp4', parameters: SLOW });
  await signIn();
  const asked: { readonly url: URL; readonly at: number }[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.searchParams.get('view') === 'frame' && url.searchParams.has('at')) asked.push({ url, at: Date.now() });
  });
  await page.goto(`${server.url}/jobs/${jobId}`);
  const frame = page.getByRole('img', { name: /^Frame of in\.mp4 at / });
  await frame.waitFor({ timeout: 60_000 });
  await waitUntilDrawn(frame);
  await page.getByText(/^At .+ of 30\ss$/).waitFor();
  await expectAccessible(page);
  await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(2);
  const [first, second] = asked;
  // Timers of a browser may be a little early.
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(9_500);
  const times = asked.map(({ url }) => Number(url.searchParams.get('at')));
  expect(times[1]).toBeGreaterThan(times[0] ?? 30);
  for (const time of times) expect(time * 2).toBeCloseTo(Math.round(time * 2), 1);
  await client.cancel(jobId);
  await page.getByText('Cancelled').first().waitFor();
  expect(await frame.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('the title has one number for all running jobs, whichever reports last', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'titles');
  await putSample(folder, '480p', 'in.mp4');
  await signIn();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill('ffmpeg -i in.mp4 -c:v libx264 -preset veryslow -threads 1 -vf scale=1280:-2 -an own.mp4');
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await expect.poll(() => page.title(), { timeout: 60_000 }).toMatch(/^\d+ % · Workbench · Telecine$/);
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'other.mp4', parameters: SLOW });
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
  await page.getByRole('link', { name: 'other.mp4' }).click();
  await expect.poll(() => page.title(), { timeout: 60_000 }).toMatch(/^2 jobs, \d+ % · other\.mp4 · Telecine$/);
  await page.evaluate(`
    window.titles = [];
    new MutationObserver(() => window.titles.push(document.title)).observe(document.head, { subtree: true, childList: true });
  `);
  await expect.poll(() => page.evaluate<number>('new Set(window.titles).size'), { timeout: 60_000 }).toBeGreaterThan(2);
  for (const title of await page.evaluate<string[]>('window.titles')) expect(title).toMatch(/^2 jobs, \d+ % · other/);
  await client.cancel(jobId);
  await expect.poll(() => page.title()).toMatch(/^\d+ % · other\.mp4 · Telecine$/);
  expect(errors).toEqual([]);
});
