import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageList } from '@telecine/client';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { startServer, type TestServer } from '../support/server.ts';

const open = openBrowser();
const test = needs('Chromium');

/** Replaces the disk of the service by one of this size, which has nothing but the files of clients and their bins. */
const fakeDisk = (page: Page, { mediaRoot }: TestServer, totalBytes: number) =>
  page.route('**/api/usage/clients*', async (route) => {
    const reply = await route.fetch();
    const usage = (await reply.json()) as UsageList;
    const entries = await readdir(mediaRoot, { recursive: true, withFileTypes: true });
    const files = entries.filter((one) => one.isFile());
    const sizes = await Promise.all(files.map(async (one) => (await stat(join(one.parentPath, one.name))).size));
    const freeBytes = totalBytes - sizes.reduce((sum, size) => sum + size, 0);
    await route.fulfill({ response: reply, json: { ...usage, disk: { totalBytes, freeBytes, otherBytes: 0 } } });
  });

const megabytes = (count: number): Blob => new Blob([Buffer.alloc(count * 1e6)]);

test('an operator sees who uses the disk, in which folders, by which files, and what is in the bins', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, signIn } = await consoleVisitor(open, server, 'operator', { scopes: ['admin'] });
  const shop = createClient(server.url, await insertClient(server, 'shop', { root: 'shop', limits: { storage: 9e6 } }));
  const blog = createClient(server.url, await insertClient(server, 'blog', { root: 'blog' }));
  await shop.upload(megabytes(4), 'films/2026/a.mp4');
  await shop.upload(megabytes(2), 'films/b.mp4');
  await shop.upload(megabytes(1), 'c.mp4');
  await blog.upload(megabytes(3), 'd.mp4');
  await blog.upload(megabytes(2), 'e.mp4');
  await blog.deleteFiles({ paths: ['e.mp4'], keep: true });
  await signIn();
  await page.goto(`${server.url}/operate/usage`);
  const clients = page.getByRole('table', { name: 'Usage by client' });
  const rows = async () =>
    Promise.all((await clients.locator('tbody tr').all()).map((row) => row.locator('th, td').allInnerTexts()));
  await expect
    .poll(async () => (await rows()).slice(0, 2).map((cells) => cells.slice(0, 4)))
    .toEqual([
      ['shop', '7\u00a0MB of 9\u00a0MB', '70\u00a0%', 'empty'],
      ['blog', '3\u00a0MB', '30\u00a0%', '2\u00a0MB'],
    ]);
  const figure = (name: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByRole('definition')
      .innerText();
  expect(await figure('Files of clients')).toMatch(/^10\sMB/);
  expect(await figure('Bins')).toMatch(/^2\sMB/);
  // The share of a limit is drawn, and nothing where no client has a value.
  expect(await clients.getByRole('meter', { name: 'Share of the limit' }).count()).toBe(1);
  // So is the share of each client: of both, and of the operator, who has stored nothing.
  expect(await clients.getByRole('meter', { name: 'Share of all stored files' }).count()).toBe(
    await clients.locator('tbody tr').count(),
  );
  expect(await clients.getByRole('columnheader', { name: 'Jobs today' }).count()).toBe(0);
  expect(await figure('Free')).toMatch(/^[\d.]+\s[MGT]B \d+\s% of [\d.]+\s[MGT]B$/);
  await expectAccessible(page);

  await clients.getByRole('link', { name: 'shop' }).click();
  const space = page.getByRole('region', { name: 'Largest folders and files' });
  await space.getByText('7 MB in 3 files.').waitFor();
  expect(await space.getByRole('table', { name: 'Largest files' }).getByRole('rowheader').allInnerTexts()).toEqual([
    'films/2026/a.mp4',
    'films/b.mp4',
    'c.mp4',
  ]);
  // The files are not in the folder of the operator.
  expect(await space.getByRole('table', { name: 'Largest files' }).getByRole('link').count()).toBe(0);
  await space.getByText('in the folder of shop, outside of yours').waitFor();
  expect(await space.getByRole('link', { name: 'Open films in Files' }).count()).toBe(0);
  await space.getByRole('link', { name: 'jobs of shop' }).waitFor();
  await space.getByRole('table', { name: 'Largest folders' }).getByRole('link', { name: 'films' }).click();
  await space.getByText('6 MB in 2 files.').waitFor();
  await space.getByRole('link', { name: '2026' }).waitFor();
  await expectAccessible(page);
  await space.getByRole('link', { name: 'All files' }).click();
  await space.getByText('7 MB in 3 files.').waitFor();
  expect(errors).toEqual([]);
});

test('an operator whose folder has those of clients opens their largest folders and files', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, signIn } = await consoleVisitor(open, server, 'operator', { scopes: ['admin'], root: '.' });
  const shop = createClient(server.url, await insertClient(server, 'shop', { root: 'shop' }));
  await shop.upload(megabytes(2), 'films/2026/a.mp4');
  await shop.upload(megabytes(1), 'films/b.mp4');
  await signIn();
  await page.goto(`${server.url}/operate/usage?client=shop`);
  const space = page.getByRole('region', { name: 'Largest folders and files' });
  await space.getByRole('link', { name: 'Open films in Files' }).click();
  const names = page.getByRole('table', { name: 'Files' }).getByRole('link');
  await expect.poll(() => names.allInnerTexts()).toEqual(['2026/', 'b.mp4']);
  await page.goBack();
  await space.getByRole('link', { name: 'films/b.mp4' }).click();
  await page.getByRole('region', { name: 'Details of shop/films/b.mp4' }).waitFor();
  expect(page.url()).toContain('shop');
  // The sizes of folders include what clients have in them.
  const list = page.getByRole('table', { name: 'Files' });
  await page.goto(`${server.url}/files?sort=size`);
  await list.getByRole('row', { name: 'shop/' }).getByText('3 MB').waitFor();
  await page.goto(`${server.url}/files?sort=size&folder=shop/films/`);
  await list.getByRole('row', { name: '2026/' }).getByText('2 MB').waitFor();
  expect(errors).toEqual([]);
});

test('a client sees its own largest files, and opens their folder with the largest first', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'author');
  await client.upload(megabytes(1), 'films/small.mp4');
  await client.upload(megabytes(2), 'films/large.mp4');
  await signIn();
  await page.goto(`${server.url}/operate/usage?folder=films/`);
  await page.getByText('Jobs today').waitFor();
  expect(await page.getByRole('table', { name: 'Usage by client' }).count()).toBe(0);
  expect(await page.getByText('can open. What a job has written').count()).toBe(0);
  await page.getByRole('link', { name: 'Show the folder, largest first' }).click();
  const names = page.getByRole('table', { name: 'Files' }).getByRole('link');
  await expect.poll(() => names.allInnerTexts()).toEqual(['large.mp4', 'small.mp4']);
  // A folder is as large as what is in it.
  await client.upload(megabytes(1), 'a/one.mp4');
  await page.goto(`${server.url}/files?sort=size`);
  const list = page.getByRole('table', { name: 'Files' });
  await list.getByRole('row', { name: 'films/' }).getByText('3 MB').waitFor();
  expect(await list.getByRole('link').allInnerTexts()).toEqual(['films/', 'a/']);
  expect(errors).toEqual([]);
});

test('an operator of a full disk deletes what is large, and empties the bin, where it sees what takes the space', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'operator', {
    scopes: ['admin'],
    root: '.',
  });
  const renders = createClient(server.url, await insertClient(server, 'renders', { root: 'renders' }));
  const studio = createClient(server.url, await insertClient(server, 'studio', { root: 'studio' }));
  await renders.upload(megabytes(6), 'old/attempt.mp4');
  await renders.upload(megabytes(1), 'current/film.mp4');
  await studio.upload(megabytes(1), 'masters/wedding.mp4');
  await client.upload(megabytes(1), 'tests/noise.mp4');
  await client.deleteFiles({ paths: ['studio/masters/wedding.mp4', 'tests/noise.mp4'], keep: true });
  await fakeDisk(page, server, 11e6);
  await signIn();
  await page.goto(server.url);
  let clicks = 0;
  const press = async (what: Locator): Promise<void> => {
    clicks += 1;
    await what.click();
  };
  // From the start page.
  await press(page.getByRole('link', { name: 'Disk: 2 MB free' }));
  await press(page.getByRole('table', { name: 'Usage by client' }).getByRole('link', { name: 'renders' }));
  const folders = page.getByRole('table', { name: 'Largest folders' });
  await folders.waitFor();
  expect(await folders.getByRole('rowheader').allInnerTexts()).toEqual(['old', 'current']);
  const free = page.locator('dl > div').filter({ hasText: 'Free on the disk' });
  await free.getByText('18 % of 11 MB').waitFor();
  await page.getByText('“Delete” moves to your bin.').waitFor();
  await expectAccessible(page);
  const place = await folders.getByRole('button', { name: 'Delete old/' }).boundingBox();
  await press(folders.getByRole('button', { name: 'Delete old/' }));
  await page.getByText('Deleted old. It is in the bin.').waitFor();
  await folders.getByRole('button', { name: 'In the bin: old/' }).waitFor();
  await expectAccessible(page);
  // The second press of a double press, after the lists were read again, deletes nothing else.
  await page.mouse.click((place?.x ?? 0) + 10, (place?.y ?? 0) + 10);
  expect(await folders.getByRole('rowheader').allInnerTexts()).toEqual(['old', 'current']);
  const bin = page.getByRole('region', { name: 'Your bin' });
  await bin.getByText('They use 8 MB.').waitFor();
  await press(bin.getByRole('button', { name: 'Restore studio/masters/wedding.mp4' }));
  await page.getByText('Restored wedding.mp4 to studio/masters/.').waitFor();
  // It is not kept until some time, but for good.
  const restored = bin.getByRole('row', { name: 'wedding.mp4' });
  await restored.getByText('Restored', { exact: true }).waitFor();
  expect(await restored.locator('[data-name="Kept until"]').innerText()).toBe('');
  await press(bin.getByRole('button', { name: 'Empty the bin…' }));
  const question = page.getByRole('alertdialog');
  await question.getByText('In the bin: old/ and noise.mp4.').waitFor();
  await question.getByText('wedding.mp4 was restored and stays.').waitFor();
  await press(question.getByRole('button', { name: 'Empty the bin' }));
  await page.getByText('permanently: 7 MB freed. The disk has 9 MB of 11 MB free now.').waitFor();
  await bin.getByText('The bin is empty.').waitFor();
  await free.getByText('81 % of 11 MB').waitFor();
  // Nothing else has come to where the mouse was.
  await folders.getByRole('button', { name: 'Deleted: old/' }).waitFor();
  expect(await folders.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  await page.getByRole('link', { name: /^Disk:/ }).waitFor({ state: 'detached' });
  expect(clicks).toBeLessThanOrEqual(7);
  expect((await studio.listFiles('masters/')).files.map(({ path }) => path)).toEqual(['masters/wedding.mp4']);
  expect((await renders.listFiles('')).files.map(({ path }) => path)).toEqual(['current/']);
  expect(errors).toEqual([]);
});

test('what was deleted in the list of the largest files comes back by an undo', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'author');
  await client.upload(megabytes(2), 'films/large.mp4');
  await signIn();
  await page.goto(`${server.url}/operate/usage`);
  const files = page.getByRole('table', { name: 'Largest files' });
  const folder = page.getByRole('table', { name: 'Largest folders' }).getByRole('row', { name: 'films' });
  await files.getByRole('button', { name: 'Delete films/large.mp4' }).click();
  await page.getByText('Deleted large.mp4. It is in the bin.').waitFor();
  await files.getByRole('button', { name: 'In the bin: films/large.mp4' }).waitFor();
  // The folder of the file is empty now, and keeps its row too.
  await folder.getByText('0 B').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await files.getByRole('link', { name: 'films/large.mp4' }).waitFor();
  await folder.getByText('2 MB').waitFor();

  // The row has an undo too, and keeps the focus of the keyboard.
  await files.getByRole('button', { name: 'Delete films/large.mp4' }).press('Enter');
  const state = files.getByRole('button', { name: 'In the bin: films/large.mp4' });
  await state.waitFor();
  expect(await state.evaluate((one) => one.matches(':focus'))).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  const button = files.getByRole('button', { name: 'Delete films/large.mp4', exact: true });
  await button.waitFor();
  expect(await button.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect((await client.listFiles('films/')).files.map(({ path }) => path)).toEqual(['films/large.mp4']);
  expect(errors).toEqual([]);
});

test('on a phone, a second tap at the place of "Delete" deletes nothing else and takes nothing back', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'author', { width: 390, hasTouch: true });
  await client.upload(megabytes(3), 'a/large.mp4');
  await client.upload(megabytes(2), 'b/small.mp4');
  await signIn();
  await page.goto(`${server.url}/operate/usage`);
  const tapTwice = async (list: Locator, path: string): Promise<void> => {
    const button = list.getByRole('button', { name: `Delete ${path}` });
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    const tap = () => page.touchscreen.tap((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
    await tap();
    await list.getByRole('button', { name: `In the bin: ${path}` }).waitFor();
    await tap();
  };
  await tapTwice(page.getByRole('table', { name: 'Largest files' }), 'a/large.mp4');
  const folders = page.getByRole('table', { name: 'Largest folders' });
  expect(await folders.getByRole('rowheader').allInnerTexts()).toEqual(['a', 'b']);
  await tapTwice(folders, 'b/');
  await page.getByRole('region', { name: 'Your bin' }).getByText('They use 5 MB.').waitFor();
  expect((await client.bin()).entries.map(({ path }) => path)).toEqual(['b/', 'a/large.mp4']);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

for (const width of [1440, 390])
  test(`at ${width} px, the notice of a deletion covers no row at the end of the page`, async () => {
    const server = await startServer({ env: NO_RATE_LIMITS });
    const { page, errors, client, signIn } = await consoleVisitor(open, server, 'author', { width });
    const names = Array.from({ length: 12 }, (_, i) => `${String.fromCodePoint(97 + i)}.mp4`);
    for (const name of names) await client.upload(new Blob([name]), name);
    await client.deleteFiles({ paths: names.slice(1), keep: true });
    await signIn();
    await page.goto(`${server.url}/operate/usage`);
    await page.getByRole('button', { name: 'Delete a.mp4' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Deleted a.mp4. It is in the bin.' });
    await notice.waitFor();
    const rows = page.getByRole('table', { name: 'Bin' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(12);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const [row, over] = [await rows.last().boundingBox(), await notice.boundingBox()];
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(over?.y ?? 0);
    expect(errors).toEqual([]);
  });

test('while less than a fifth of the disk is free, the pages for operators say so beside "Usage"', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'operator', { scopes: ['admin'] });
  await client.upload(megabytes(9), 'film.mp4');
  await fakeDisk(page, server, 11e6);
  await signIn();
  await page.getByRole('link', { name: 'Operate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  const usage = page.getByRole('navigation', { name: 'Pages for operators' }).getByRole('link', { name: 'Usage' });
  await usage.getByText('2 MB free').waitFor();
  await expectAccessible(page);
  await usage.click();
  await page.getByRole('table', { name: 'Usage by client' }).waitFor();
  await expectAccessible(page);
  await client.deleteFiles({ paths: ['film.mp4'] });
  await page.reload();
  // The service itself has a file of 512 bytes on the disk.
  await page.getByText(/^99\s% of 11\sMB$/).waitFor();
  expect(await usage.innerText()).toBe('Usage');
  expect(errors).toEqual([]);
});

test('a client whose files are in the folder of nobody else is not offered to delete those of others', async () => {
  const server = await startServer({ env: { ...NO_RATE_LIMITS, TELECINE_BIN_SECONDS: '0' } });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'operator', { scopes: ['admin'] });
  const shop = createClient(server.url, await insertClient(server, 'shop', { root: 'shop' }));
  await shop.upload(megabytes(1), 'films/a.mp4');
  await client.upload(megabytes(1), 'b.mp4');
  await signIn();
  await page.goto(`${server.url}/operate/usage?client=shop`);
  const files = page.getByRole('table', { name: 'Largest files' });
  await files.getByText('films/a.mp4').waitFor();
  await page.getByText('in the folder of shop, outside of yours').waitFor();
  expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  // A service that keeps nothing asks before it deletes, and has no bin to show.
  await page.goto(`${server.url}/operate/usage?client=operator`);
  await files.getByRole('button', { name: 'Delete b.mp4' }).click();
  await page.getByRole('dialog', { name: 'Delete b.mp4?' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted b.mp4.').waitFor();
  expect(await page.getByRole('region', { name: 'Your bin' }).count()).toBe(0);
  expect(errors).toEqual([]);
});
