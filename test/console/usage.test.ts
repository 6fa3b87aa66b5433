import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const open = openBrowser();
const test = needs('Chromium');

const megabytes = (count: number): Blob => new Blob([Buffer.alloc(count * 1e6)]);

test('an operator sees who uses the disk, in which folders, by which files, and what is in the bins', async () => {
  const server = await startServer({ env: { TELECINE_RATE_LIMIT: 'off' } });
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
  await space.getByRole('link', { name: 'All uploads and outputs' }).click();
  await space.getByText('7 MB in 3 files.').waitFor();
  expect(errors).toEqual([]);
});

test('an operator whose folder has those of clients opens their largest folders and files', async () => {
  const server = await startServer({ env: { TELECINE_RATE_LIMIT: 'off' } });
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
  const server = await startServer({ env: { TELECINE_RATE_LIMIT: 'off' } });
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
  await page.getByText('Sizes of folders count what uploads and jobs have stored.').waitFor();
  expect(errors).toEqual([]);
});

test('an operator of a full disk deletes what is large, and empties the bin, where it sees what takes the space', async () => {
  const server = await startServer({ env: { TELECINE_RATE_LIMIT: 'off' } });
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
  // A disk of 10 MB.
  await page.route('**/api/usage/clients*', async (route) => {
    const reply = await route.fetch();
    const usage = (await reply.json()) as Awaited<ReturnType<typeof client.usageOfAll>>;
    const freeBytes = 10e6 - usage.total.storedBytes - usage.total.binBytes;
    await route.fulfill({ response: reply, json: { ...usage, disk: { totalBytes: 10e6, freeBytes, otherBytes: 0 } } });
  });
  await signIn();
  await page.goto(server.url);
  let clicks = 0;
  const press = async (what: Locator): Promise<void> => {
    clicks += 1;
    await what.click();
  };
  // From the start page.
  await press(page.getByRole('link', { name: 'Disk: 1 MB free' }));
  await press(page.getByRole('table', { name: 'Usage by client' }).getByRole('link', { name: 'renders' }));
  const folders = page.getByRole('table', { name: 'Largest folders' });
  expect(await folders.getByRole('rowheader').allInnerTexts()).toEqual(['old', 'current']);
  await expectAccessible(page);
  await press(folders.getByRole('button', { name: 'Delete old/' }));
  await page.getByText('Deleted old. It is in the bin.').waitFor();
  await expect.poll(() => folders.getByRole('rowheader').allInnerTexts()).toEqual(['current']);
  const bin = page.getByRole('region', { name: 'Your bin' });
  await bin.getByText('They use 8 MB.').waitFor();
  await press(bin.getByRole('button', { name: 'Restore studio/masters/wedding.mp4' }));
  await page.getByText('Restored wedding.mp4 to studio/masters/.').waitFor();
  await press(bin.getByRole('button', { name: 'Empty the bin…' }));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Empty the bin' }));
  await page.getByText('permanently: 7 MB freed. The disk has 8 MB free now.').waitFor();
  await bin.getByText('The bin is empty.').waitFor();
  await page.getByRole('link', { name: /^Disk:/ }).waitFor({ state: 'detached' });
  expect(clicks).toBeLessThanOrEqual(7);
  expect((await studio.listFiles('masters/')).files.map(({ path }) => path)).toEqual(['masters/wedding.mp4']);
  expect((await renders.listFiles('')).files.map(({ path }) => path)).toEqual(['current/']);
  expect(errors).toEqual([]);
});

test('what was deleted in the list of the largest files comes back by an undo', async () => {
  const server = await startServer({ env: { TELECINE_RATE_LIMIT: 'off' } });
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'author');
  await client.upload(megabytes(2), 'films/large.mp4');
  await signIn();
  await page.goto(`${server.url}/operate/usage`);
  const files = page.getByRole('table', { name: 'Largest files' });
  await files.getByRole('button', { name: 'Delete films/large.mp4' }).click();
  await page.getByText('Deleted large.mp4. It is in the bin.').waitFor();
  await files.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await files.getByRole('link', { name: 'films/large.mp4' }).waitFor();
  expect(errors).toEqual([]);
});

test('a client whose files are in the folder of nobody else is not offered to delete those of others', async () => {
  const server = await startServer({ env: { TELECINE_RATE_LIMIT: 'off', TELECINE_BIN_SECONDS: '0' } });
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
