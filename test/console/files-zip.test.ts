import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { readZip } from '../support/read-zip.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Visits a folder of a new client that has these files. */
async function visit(name: string, files: readonly string[], folder: string) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name);
  for (const file of files) {
    const path = join(visitor.folder, file);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, file);
  }
  await visitor.signIn();
  await visitor.page.goto(`${server.url}/files?folder=${encodeURIComponent(folder)}`);
  const list = visitor.page.getByRole('table', { name: 'Files' });
  await list.waitFor();
  return { ...visitor, list, bar: visitor.page.getByRole('group', { name: 'Selected files' }) };
}

async function downloaded(page: Page, button: Locator): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return download;
}

/** The names and contents of a zip. */
const contentOf = async (zip: Download): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(readZip(await readFile(await zip.path())).map(({ name, content }) => [name, content.toString()]));

test('a folder and a selection are downloaded as one zip, and a reason is said where there is none', async () => {
  const files = ['films/a b.txt', 'films/old/c.txt', 'films/old/deep/d.txt', 'films/e.txt', 'other.txt'];
  const { page, errors, folder, list, bar } = await visit('zips', files, 'films/');
  await page.getByRole('button', { name: 'More for this folder' }).click();
  const whole = await downloaded(page, page.getByRole('button', { name: 'Download folder' }));
  expect(whole.suggestedFilename()).toBe('films.zip');
  expect(await contentOf(whole)).toEqual({
    ...{ 'a b.txt': 'films/a b.txt', 'e.txt': 'films/e.txt' },
    ...{ 'old/c.txt': 'films/old/c.txt', 'old/deep/d.txt': 'films/old/deep/d.txt' },
  });
  await page.getByRole('status').getByText('The download of films/ begins.').waitFor();
  for (const name of ['old', 'e.txt']) await list.getByLabel(`Select ${name}`).check();
  await expectAccessible(page);
  const some = await downloaded(page, bar.getByRole('button', { name: 'Download as zip' }));
  expect(Object.keys(await contentOf(some))).toEqual(['old/c.txt', 'old/deep/d.txt', 'e.txt']);

  await list.getByLabel('Select e.txt').uncheck();
  await rm(join(folder, 'films/old'), { recursive: true });
  await bar.getByRole('button', { name: 'Download as zip' }).click();
  await page.getByRole('alert').getByText('Folder "films/old" does not exist').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('while the files of a zip are looked for, other actions go on, and a second press is ignored', async () => {
  const { page, errors, list, bar } = await visit('waits', ['films/a.txt', 'films/b.txt', 'films/c.txt'], 'films/');
  let asked = 0;
  const replies: (() => void)[] = [];
  await page.route('**/api/files.zip?**', async (route) => {
    asked += 1;
    if (asked === 1) await new Promise<void>((resolve) => replies.push(resolve));
    await route.continue();
  });
  const folder = page.getByRole('button', { name: 'Download folder' });
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await folder.click();
  await page.getByText('Looking for the files of films/…').waitFor();
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await folder.click();
  await list.getByLabel('Select c.txt').check();
  await bar.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('status').getByText('Deleted c.txt.').waitFor();
  expect(asked).toBe(1);
  const [download] = await Promise.all([page.waitForEvent('download'), replies[0]?.()]);
  expect(Object.keys(await contentOf(download))).toEqual(['a.txt', 'b.txt']);
  // The notice with the undo stays.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await list.getByLabel('Select c.txt').waitFor();
  expect(errors).toEqual([]);
});

test('too many files for one zip are said with what to do instead', async () => {
  const many = Array.from({ length: 102 }, (_, i) => `films/${i}.txt`);
  const { page, errors, list, bar } = await visit('manifold', many, 'films/');
  await list.getByLabel(/^Select all/).check();
  await list.getByLabel('Select 0.txt').uncheck();
  await bar.getByRole('button', { name: 'Download as zip' }).click();
  await page.getByRole('alert').getByText('Select fewer, or move them to a folder and download it.').waitFor();
  expect(errors).toEqual([]);
});

test('one selected file is downloaded as it is, and shared by a link from the list', async () => {
  const { page, errors, list, bar } = await visit('hands-out', ['a.txt', 'b.txt'], '');
  await list.getByLabel('Select a.txt').check();
  const file = await downloaded(page, bar.getByRole('link', { name: 'Download' }));
  expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual(['a.txt', 'a.txt']);
  await bar.getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByText('look at a.txt and download it').waitFor();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByLabel('Shared link').innerText();
  expect(await (await fetch(link.trim())).text()).toBe('a.txt');
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await list.getByLabel('Select b.txt').check();
  expect(await bar.getByRole('button', { name: 'Share…' }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a selection ends when the bin opens', async () => {
  const { page, errors, list, bar } = await visit('bins', ['a.txt', 'b.txt'], '');
  await list.getByLabel('Select a.txt').check();
  await bar.waitFor();
  await page.getByRole('button', { name: /^Bin/ }).click();
  await page.getByText('The bin is empty.').waitFor();
  expect(await bar.count()).toBe(0);
  await page.getByRole('main').getByRole('link', { name: 'Files' }).click();
  await list.waitFor();
  expect(await list.getByLabel('Select a.txt').isChecked()).toBe(false);
  expect(errors).toEqual([]);
});

test('on a phone, the actions for a selection are above the links to the pages', async () => {
  const { page, list, bar } = await visit('thumbs', ['a.txt', 'b.txt'], '');
  await page.setViewportSize({ width: 390, height: 800 });
  for (const name of ['a.txt', 'b.txt']) await list.getByLabel(`Select ${name}`).check();
  const [actions, pages] = [
    await bar.boundingBox(),
    await page.getByRole('navigation', { name: 'Pages' }).boundingBox(),
  ];
  expect((actions?.y ?? 0) + (actions?.height ?? 0)).toBeLessThanOrEqual(pages?.y ?? 0);
});
