import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a page that is first opened while the service is restarted comes when the service is back', async () => {
  const first = await startServer();
  const { page, folder, signIn } = await consoleVisitor(open, first, 'patient');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByText('No jobs yet.').waitFor();
  await first.stop();
  await page.getByText('Not connected. Trying again…').waitFor();
  // By the keyboard: a pointer would load the page before it is opened.
  const failed = page.waitForEvent('requestfailed', (request) => /files-page.*\.js/.test(request.url()));
  await page.getByRole('link', { name: 'Files' }).press('Enter');
  await failed;
  // After the fifth, a call to the service gives up.
  for (let tries = 0; tries < 6; tries += 1)
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/health'));
  const { dataDir, mediaRoot, url } = first;
  await startServer({ dataDir, mediaRoot, env: { TELECINE_PORT: new URL(url).port } });
  // The pauses between the tries get longer.
  await page.getByRole('link', { name: 'in.mp4' }).waitFor({ timeout: 100_000 });
  await page.getByText('Not connected').waitFor({ state: 'detached' });
  expect(page.url()).toBe(`${url}/files`);
});

test('what is read while the network is gone is there when it is back, and so are a check and a run', async () => {
  const server = await startServer();
  const { page, context, client, folder, signIn } = await consoleVisitor(open, server, 'train');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByText('Ready.').waitFor();
  await context.setOffline(true);
  await page.getByLabel('File to write').fill('later.mp4');
  await page.getByText('Checking…').waitFor();
  await context.setOffline(false);
  await page.getByText('Ready.').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  expect((await client.list()).jobs).toMatchObject([{ output: 'later.mp4', status: 'COMPLETED' }]);
});
