import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor, signIn, signOut } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('Chromium');

/** Two parts of an upload. */
const BYTES = 10 * 2 ** 20;

test('what one person uploads never goes on as an upload of the next person at the browser', async () => {
  const { server } = await start();
  const { page, folder, client, signIn: signInFirst } = await consoleVisitor(open, server, 'leaving');
  const next = await insertClient(server, 'coming', { root: 'coming' });
  const film = join(folder, '..', 'private.mp4');
  await writeFile(film, Buffer.alloc(BYTES));
  await signInFirst();
  let isOnline = false;
  let failures = 0;
  await page.route('**/api/uploads/*', async (route) => {
    if (isOnline || route.request().method() !== 'PATCH') return route.continue();
    failures += 1;
    return route.abort('connectionfailed');
  });
  await page.goto(`${server.url}/files`);
  await page.locator('input[type=file]').setInputFiles(film);
  // It then waits for some seconds, and after that looks for its upload on the service, or begins another one.
  await expect.poll(() => failures, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
  await signOut(page);
  await signIn(page, next);
  isOnline = true;
  await page.waitForTimeout(10_000);
  expect((await createClient(server.url, next).listFiles('')).files).toEqual([]);
  await signOut(page);
  await signInFirst();
  await page.goto(`${server.url}/files`);
  const missing = page.getByText('Choose this file again to continue its upload.');
  const done = page.getByText('Uploaded', { exact: true });
  await missing.or(done).first().waitFor();
  if (await missing.isVisible()) await page.locator('input[type=file]').setInputFiles(film);
  await done.waitFor();
  expect((await client.listFiles('')).files).toMatchObject([{ path: 'private.mp4', sizeBytes: BYTES }]);
});

test('a page shows who has signed in in another tab, and nothing of the client before', async () => {
  const { server } = await start();
  const { page, context, signIn: signInFirst } = await consoleVisitor(open, server, 'first-tab');
  const other = await insertClient(server, 'second-tab', { root: 'second-tab' });
  await signInFirst();
  await page.getByRole('button', { name: 'Account first-tab' }).waitFor();
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByRole('combobox', { name: 'Option', exact: true }).fill('crf');
  const second = await context.newPage();
  await second.goto(server.url);
  await signOut(second);
  await signIn(second, other);
  await page.bringToFront();
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole('button', { name: 'Account second-tab' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Option', exact: true }).count()).toBe(0);
});
