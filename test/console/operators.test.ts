import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import type { Scope } from '../../packages/contract/src/domain/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { ...NO_RATE_LIMITS, TELECINE_CONCURRENCY: '2' } });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A client with a film, and a function that signs it in at a page of a browser of its own. */
async function person(server: TestServer, name: string, scopes?: readonly Scope[]) {
  const credentials = await insertClient(server, name, { root: name, ...(scopes && { scopes }) });
  await putSmallMovie(join(server.mediaRoot, name), 2, 'in.mp4');
  const visit = async (path: string, width?: number) => {
    const opened = await open(width);
    await opened.page.goto(server.url + path);
    await opened.page.getByLabel('Client id').fill(credentials.clientId);
    await opened.page.getByLabel('Secret').fill(credentials.clientSecret);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
    return opened;
  };
  return { client: createClient(server.url, credentials), visit };
}

/** A conversion that takes some seconds. */
const SLOW = {
  input: 'in.mp4',
  format: 'mp4',
  parameters: { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=1280:720' },
};

const rowOf = (page: Page, output: string) => page.getByRole('row').filter({ hasText: output });

/** The progress of the job of a row in percent. NaN if it has none. */
const progressOf = async (page: Page, output: string): Promise<number> => {
  const progress = rowOf(page, output).getByRole('progressbar');
  return (await progress.count()) === 0 ? Number.NaN : Number(await progress.getAttribute('value'));
};

test('two browsers see the same progress', async () => {
  const { server } = await start();
  const { client, visit } = await person(server, 'two-browsers');
  const [{ page: one }, { page: other }] = [await visit('/jobs'), await visit('/jobs')];
  const { jobId } = await client.submit({
    inputs: [{ input: 'in.mp4', parameters: { stream_loop: '40' } }],
    output: 'seen.mp4',
    parameters: { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=1280:720' },
  });
  // The same value at the same moment, several times.
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        const [mine = 0, theirs = 0] = await Promise.all([one, other].map((page) => progressOf(page, 'seen.mp4')));
        if (mine > 0 && mine === theirs) seen.add(mine);
        return seen.size;
      },
      { timeout: 90_000, interval: 100 },
    )
    .toBeGreaterThan(1);
  await client.cancel(jobId);
  await Promise.all(
    [one, other].map((page) => rowOf(page, 'seen.mp4').getByText('Cancelled', { exact: true }).waitFor()),
  );
});

test('a worker names its jobs by what they write, and a failure leads to the jobs that have it', async () => {
  const { server } = await start();
  const { client, visit } = await person(server, 'leads', ['admin']);
  const failed = await client.submit({ input: 'missing.mp4', output: 'never.mp4', format: 'mp4' });
  await client.wait(failed.jobId);
  const { page, errors } = await visit('/operate/workers');
  const { jobId } = await client.submit({ ...SLOW, output: 'named.mp4' });
  const link = page.getByRole('link', { name: 'named.mp4' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`/jobs/${jobId}`);
  await page.getByRole('link', { name: 'Queue' }).click();
  await page.getByRole('link', { name: 'INPUT_NOT_FOUND' }).click();
  await rowOf(page, 'never.mp4').getByText('Failed').waitFor();
  expect(await rowOf(page, 'named.mp4').count()).toBe(0);
  // On a phone, each job says how it ended and when it was created too.
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await rowOf(page, 'never.mp4').getByText('"missing.mp4" does not exist').isVisible()).toBe(true);
  expect(await rowOf(page, 'never.mp4').getByRole('time').isVisible()).toBe(true);
  expect(errors).toEqual([]);
  await client.cancel(jobId);
});

test('ten thousand jobs are scrolled to the first one, and only the rows near the window exist', async () => {
  const { server } = await start();
  const { client, visit } = await person(server, 'ten-thousand');
  // None of them runs while the queue is paused.
  const admin = await insertClient(server, 'pauses', { scopes: ['admin'] });
  const operator = createClient(server.url, admin);
  await operator.pauseQueue();
  const outputs = Array.from({ length: 10_000 }, (_, i) => `out-${i}.mp4`);
  while (outputs.length > 0)
    await client.submitBatch(outputs.splice(0, 100).map((output) => ({ input: 'in.mp4', output, format: 'mp4' })));
  const { page, errors } = await visit('/jobs');
  await rowOf(page, 'out-9999.mp4').waitFor();
  await expect
    .poll(
      async () => {
        await page.keyboard.press('End');
        return rowOf(page, 'out-0.mp4').count();
      },
      { timeout: 120_000, interval: 50 },
    )
    .toBe(1);
  expect(await page.getByRole('table', { name: 'Jobs' }).getAttribute('aria-rowcount')).toBe('10001');
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  expect(errors).toEqual([]);
  await operator.revokeClient('ten-thousand');
  await page.getByLabel('Secret').waitFor();
  await operator.resumeQueue();
});

test('a page goes on when the service is restarted meanwhile', async () => {
  const first = await startServer();
  const { client, visit } = await person(first, 'restarts');
  const { page } = await visit('/jobs');
  await client.submit({ input: 'in.mp4', output: 'before.mp4', format: 'mp4' });
  await rowOf(page, 'before.mp4').getByText('Completed').waitFor();
  await first.stop();
  await page.getByText('Not connected. Trying again…').waitFor();
  const { dataDir, mediaRoot, url } = first;
  await startServer({ dataDir, mediaRoot, env: { TELECINE_PORT: new URL(url).port } });
  await client.submit({ input: 'in.mp4', output: 'after.mp4', format: 'mp4' });
  await rowOf(page, 'after.mp4').getByText('Completed').waitFor();
  expect(await page.getByText('Not connected').count()).toBe(0);
});

test('the pages for operators fit a phone', async () => {
  const { server } = await start();
  const { clientId, clientSecret } = await insertClient(server, 'phone', { scopes: ['admin'] });
  const { page, errors } = await open(360);
  await page.goto(`${server.url}/operate/queue`);
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  for (const name of ['Queue', 'Workers', 'Clients', 'Webhooks', 'Usage', 'Audit log', 'Health']) {
    await page
      .getByRole('navigation', { name: 'Pages for operators' })
      .getByRole('link', { name, exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('Loading…').first().waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name).toBe(true);
    await expectAccessible(page);
  }
  expect(errors).toEqual([]);
});
