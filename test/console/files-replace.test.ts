import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const startWithoutBin = sharedServer({ env: { TELECINE_BIN_SECONDS: '0' } });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Uploads a file to the folder that the page shows, and replaces the one that is there. */
async function replace(page: Page, name: string, content: string): Promise<void> {
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await page.getByRole('button', { name: 'Replace it' }).click();
}

test('an upload that replaces a file can be undone, the undo too, and several of them together', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'replaces');
  await mkdir(folder, { recursive: true });
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(folder, name), `old ${name}`);
  const contents = () => Promise.all(['a.txt', 'b.txt'].map((name) => readFile(join(folder, name), 'utf8')));
  await signIn();
  await page.goto(`${server.url}/files`);
  await replace(page, 'a.txt', 'new a');
  await page.getByText('Replaced a.txt.').waitFor();
  expect(await contents()).toEqual(['new a', 'old b.txt']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Restored a.txt to your media. What was there before is in the bin.').waitFor();
  expect(await contents()).toEqual(['old a.txt', 'old b.txt']);
  // The upload is no longer what is there.
  await expect.poll(() => page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(contents).toEqual(['new a', 'old b.txt']);
  await page.getByRole('button', { name: 'Bin (1)' }).waitFor();

  await page.getByRole('button', { name: /^Dismiss/ }).click();
  await replace(page, 'a.txt', 'newest a');
  await page.getByText('Replaced a.txt.').waitFor();
  await replace(page, 'b.txt', 'new b');
  await page.getByText('Replaced 2 files.').waitFor();
  expect(await contents()).toEqual(['newest a', 'new b']);
  await page.keyboard.press('Control+z');
  await page.getByText('Restored 2 files to your media.').waitFor();
  expect(await contents()).toEqual(['new a', 'old b.txt']);

  // From the bin, a file takes the place of the one that is there, too.
  await page.getByRole('button', { name: /^Bin \(/ }).click();
  const bin = page.getByRole('table', { name: 'Bin' });
  await bin.getByRole('button', { name: 'Restore b.txt' }).click();
  await page.getByText('Restored b.txt to your media. What was there before is in the bin.').waitFor();
  expect(await contents()).toEqual(['new a', 'new b']);
  expect((await client.bin()).entries.map(({ path }) => path).sort()).toEqual(['a.txt', 'a.txt', 'b.txt']);
  expect(errors).toEqual([]);
});

test('one undo reverses two uploads that finish while another action runs', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'both');
  await mkdir(folder, { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(folder, name), `old ${name}`);
  const contents = () => Promise.all(['a.txt', 'b.txt'].map((name) => readFile(join(folder, name), 'utf8')));
  await signIn();
  await page.goto(`${server.url}/files`);
  const uploaded = Promise.withResolvers<void>();
  await page.route(/\/api\/file-deletions$/, async (route) => {
    await uploaded.promise;
    await route.continue();
  });
  await page.getByLabel('Select c.txt').check();
  await page.getByRole('group', { name: 'Selected files' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleting c.txt…').waitFor();
  for (const [index, name] of ['a.txt', 'b.txt'].entries()) {
    await replace(page, name, `new ${name}`);
    await expect.poll(() => page.getByRole('list', { name: 'Uploads' }).getByText('Uploaded').count()).toBe(index + 1);
  }
  uploaded.resolve();
  await page.getByText('Replaced 2 files.').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Restored 2 files to your media.').waitFor();
  expect(await contents()).toEqual(['old a.txt', 'old b.txt']);
  expect(errors).toEqual([]);
});

test('a service that keeps nothing says that no earlier file was kept', async () => {
  const { server } = await startWithoutBin();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'overwrites');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.txt'), 'old');
  await signIn();
  await page.goto(`${server.url}/files`);
  await replace(page, 'a.txt', 'new');
  await page.getByText('Uploaded a.txt. No earlier file was kept in the bin.').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new');
  expect(errors).toEqual([]);
});

test('an upload whose earlier file was deleted meanwhile does not say that it replaced one', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'late');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.txt'), 'old');
  await signIn();
  await page.goto(`${server.url}/files`);
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('new') });
  const replaceIt = page.getByRole('button', { name: 'Replace it' });
  await replaceIt.waitFor();
  await rm(join(folder, 'a.txt'));
  await replaceIt.click();
  await page.getByText('Uploaded a.txt. No earlier file was kept in the bin.').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new');
  expect(errors).toEqual([]);
});
