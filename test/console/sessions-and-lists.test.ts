import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a sign-out that does not reach the service is said, and the browser is still signed in', async () => {
  const { server } = await start();
  const { page, context, signIn } = await consoleVisitor(open, server, 'offline');
  await signIn();
  await page.route('**/api/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  );
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await context.cookies()).toHaveLength(1);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Secret').waitFor();
  await page.reload();
  await page.getByLabel('Secret').waitFor();
  expect(await context.cookies()).toEqual([]);
});

test('a list of one status shows a job when it gets it, without a reload', async () => {
  const { server } = await start();
  const { page, signIn, client, folder } = await consoleVisitor(open, server, 'filters');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/jobs?status=COMPLETED`);
  await page.getByText('No jobs are completed.').waitFor();
  // A job that waits for another one is seen before it is completed.
  const first = await client.submit({ input: 'in.mp4', output: 'first.mkv', parameters: { c: 'copy' } });
  await client.submit({ input: 'in.mp4', output: 'second.mkv', parameters: { c: 'copy' }, after: [first.jobId] });
  for (const name of ['first.mkv', 'second.mkv'])
    await page.getByRole('row').filter({ hasText: name }).getByText('Completed').waitFor();
  await page.getByRole('button', { name: 'Queued' }).click();
  await page.getByText('No jobs are queued.').waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'second.mkv' }).count()).toBe(0);
});
