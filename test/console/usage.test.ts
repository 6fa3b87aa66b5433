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
  expect(errors).toEqual([]);
});
