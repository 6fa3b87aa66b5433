import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { dropFiles } from '../support/drop-files.ts';
import { putClip, putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('files are browsed, looked at, uploaded, downloaded and deleted', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'librarian');
  await putClip(folder, '480p', 3, 'films/old/in.mp4');
  await putSample(folder, 'flac', 'films/song.flac');
  const elsewhere = join(folder, '..', 'new');
  for (const name of ['one.mp4', 'two.mp4']) await putClip(elsewhere, '480p', 1, name);
  await signIn();
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('link', { name: 'films/' }).click();
  const list = page.getByRole('table', { name: 'Files' });
  const heading = page.getByRole('heading', { name: 'Files', level: 1 });
  await dropFiles(heading, [join(elsewhere, 'one.mp4'), join(elsewhere, 'two.mp4')]);
  for (const name of ['one.mp4', 'two.mp4']) {
    await list.getByRole('link', { name }).waitFor();
    expect((await readFile(join(folder, 'films', name))).equals(await readFile(join(elsewhere, name)))).toBe(true);
  }
  await page.getByLabel('Search this folder').fill('SONG');
  await expect.poll(() => list.getByRole('link').allInnerTexts()).toEqual(['song.flac']);
  expect(page.url()).toContain('q=SONG');
  await list.getByRole('link', { name: 'song.flac' }).click();
  const details = page.getByRole('region', { name: 'Details of films/song.flac' });
  await waitUntilDrawn(details.getByRole('img', { name: 'Waveform of films/song.flac' }));
  await details.getByRole('button', { name: /^Play / }).waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    details.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('song.flac');
  expect((await readFile(await download.path())).equals(await readFile(join(folder, 'films/song.flac')))).toBe(true);
  await details.getByRole('button', { name: 'More for this file' }).click();
  await details.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No name here contains “SONG”.').waitFor();
  const notice = page.getByRole('status').filter({ hasText: 'Deleted song.flac.' });
  await expect.poll(() => notice.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.getByLabel('Search this folder').fill('');
  await list.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
  await expect
    .poll(() => list.getByRole('link').allInnerTexts())
    .toEqual(['old/', ...(await bySize(client, ['one.mp4', 'two.mp4']))]);

  // As thumbnails, which lead to the same details.
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  const grid = page.getByRole('list', { name: 'Files' });
  await waitUntilDrawn(grid.getByRole('link', { name: 'one.mp4' }).locator('img'));
  await grid.getByRole('link', { name: 'old/' }).click();
  await grid.getByRole('link', { name: 'in.mp4' }).click();
  await page
    .getByLabel('Streams')
    .getByText(/^h264 854×480/)
    .waitFor();
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'films' }).click();
  await grid.getByRole('link', { name: 'two.mp4' }).waitFor();
  await expectAccessible(page);
  // A deleted file is not listed as uploaded.
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await expect.poll(() => uploads.getByRole('listitem').count()).toBe(2);
  await grid.getByRole('link', { name: 'two.mp4' }).click();
  await page.getByRole('button', { name: 'More for this file' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted two.mp4.').waitFor();
  await expect
    .poll(() => uploads.getByRole('listitem').allInnerTexts())
    .toEqual([expect.stringMatching(/^one.mp4 in films\//)]);
  expect(errors).toEqual([]);
});

/** Names of files in a folder, the largest first. */
async function bySize(
  client: {
    listFiles(prefix: string): Promise<{ readonly files: readonly { path: string; sizeBytes?: number | undefined }[] }>;
  },
  names: readonly string[],
): Promise<readonly string[]> {
  const { files } = await client.listFiles('films/');
  const sizeOf = (name: string) => files.find(({ path }) => path === `films/${name}`)?.sizeBytes ?? 0;
  return names.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.localeCompare(b));
}

test('an upload link without a size and a time says until when it works, and how many files it takes', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'gets-files');
  await signIn();
  await page.goto(`${server.url}/files`);
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await page.getByRole('button', { name: 'Upload link…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('means the maximum of the service').waitFor();
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  // The date, the zone and how long that is from now.
  await dialog.getByText(/\d{4}, .*\d:\d\d:\d\d.* \(in \d+\s\w+\)$/).waitFor();
  await dialog.getByText('100 files').waitFor();
  // The link takes the place of the form, which comes back for another one.
  expect(await dialog.getByLabel('Link', { exact: true }).inputValue()).toMatch(/^http/);
  expect(await dialog.getByLabel('Path of the folder').count()).toBe(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create another' }).click();
  await dialog.getByLabel('Path of the folder').waitFor();
  expect(errors).toEqual([]);
});

test('a client that may only read files can neither upload nor delete there, and is not asked to', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'looks-on', {
    scopes: ['jobs:read', 'files:read'],
  });
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByLabel('Streams').getByText(/^h264/).waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Upload link…' }).count()).toBe(0);
  expect(await page.locator('input[type=file]').count()).toBe(0);
  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  expect(await page.locator('input[type=file]').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a client that may not read files is not led to them, and is told why if it goes there', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'no-files', { scopes: ['jobs:read', 'jobs:write'] });
  await signIn();
  await page.getByRole('link', { name: 'Jobs' }).waitFor();
  expect(await page.getByRole('link', { name: 'Files' }).count()).toBe(0);
  await page.goto(`${server.url}/files`);
  await page.getByRole('alert').getByText('files:read').waitFor();
});
