import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A file must stay the same for ten seconds until it is whole, and then be converted. */
const CONVERTED = { timeout: 90_000 };

const REQUEST = { output: 'out/{name}.mkv', parameters: { c: 'copy' } };

async function visitor(name: string, width?: number) {
  const { server } = await start();
  const visited = await consoleVisitor(open, server, name, width === undefined ? {} : { width });
  await mkdir(join(visited.folder, 'in'), { recursive: true });
  return { ...visited, server };
}

/** Counts what a person does: presses and choices. */
function counting() {
  let count = 0;
  return {
    press: async (target: Locator) => {
      count += 1;
      await target.click();
    },
    count: () => count,
  };
}

const fileRow = (page: Page, path: string): Locator =>
  page
    .getByRole('table', { name: 'Files of the watch' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: path }) });

test('a newcomer watches a folder with six presses and no typing, and sees the file converted that lands there', async () => {
  const { page, errors, folder, client, signIn } = await visitor('watch-newcomer');
  await putClip(folder, '480p', 1, 'in/one.mp4');
  await signIn();
  const { press, count } = counting();
  await press(page.getByRole('link', { name: 'Watches', exact: true }).first());
  await page.getByText('There are no watches yet.').waitFor();
  await expectAccessible(page);
  await press(page.getByRole('link', { name: 'Watch a folder' }));
  await page.getByText('Choose the folder first.').waitFor();
  await press(page.getByLabel('Folder to watch'));
  await press(page.getByRole('option', { name: 'in/' }));
  await page.getByText('Choose a recipe: what happens to each file.').waitFor();
  await press(page.getByRole('button', { name: /^MP4 for the web/ }));
  await page.getByText(/^1 file would be converted, about /).waitFor();
  // Beside the folder, a person can leave them alone.
  await page.getByLabel('Ignore the files that are there now').check();
  await page.getByText(/would not be converted/).waitFor();
  await page.getByLabel('Ignore the files that are there now').uncheck();
  const examples = page.getByRole('list', { name: 'Files that would be converted' });
  await examples.getByText('out/one.mp4').waitFor();
  await expectAccessible(page);
  await page.getByRole('group', { name: 'Run' }).getByText('Ready. 1 file now.').waitFor();
  await press(page.getByRole('button', { name: 'Start watching' }));
  await page.waitForURL(/\/watches\/[0-9a-f-]{36}$/);
  // Its folder is one press away, and says that it is watched.
  await page.getByRole('link', { name: 'in/', exact: true }).first().click();
  await page.getByText('This folder is watched.').waitFor();
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Media' }).click();
  await page.getByRole('row').filter({ hasText: 'in/' }).getByRole('link', { name: 'Watched' }).click();
  await page.waitForURL(/\/watches\/[0-9a-f-]{36}$/);
  await putClip(folder, '480p', 1, 'in/mon/two.mp4');
  for (const path of ['in/one.mp4', 'in/mon/two.mp4'])
    await fileRow(page, path).getByText('Converted', { exact: true }).waitFor(CONVERTED);
  expect(count()).toBe(6);
  await page
    .getByRole('definition')
    .filter({ hasText: /ago$|just now$/ })
    .waitFor();
  expect((await client.listFiles('out/mon/')).files).toMatchObject([{ path: 'out/mon/two.mp4', type: 'file' }]);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Watches', exact: true }).first().click();
  const row = page.getByRole('table', { name: 'Watches' }).getByRole('row').filter({ hasText: 'in/' });
  await row.getByText('Watching').waitFor();
  // A row says what there is, and not what there is none of.
  await row.getByText('2 converted', { exact: true }).waitFor(CONVERTED);
  expect(await row.innerText()).not.toContain('–');
  expect(errors).toEqual([]);
});

test('what failed is grouped with its fixes, and converted again by one button', async () => {
  const { page, errors, folder, client, signIn, server } = await visitor('watch-failures');
  for (const name of ['a.mp4', 'b.mp4']) await writeFile(join(folder, 'in', name), 'This is not media.');
  const { watchId } = await client.addWatch({ folder: 'in/', request: REQUEST, settleSeconds: 1 });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  const failures = page.getByRole('region', { name: '2 files need attention' });
  await failures.getByRole('heading', { name: 'Input invalid · 2 files' }).waitFor(CONVERTED);
  const listed = failures.getByRole('list', { name: 'Files with INPUT_INVALID' });
  expect(await listed.getByRole('listitem').allInnerTexts()).toEqual(['in/a.mp4', 'in/b.mp4']);
  await expectAccessible(page);
  for (const name of ['a.mp4', 'b.mp4']) {
    await rm(join(folder, 'in', name));
    await putClip(folder, '480p', 1, `in/${name}`);
  }
  await failures.getByRole('button', { name: 'Retry all failed' }).click();
  for (const path of ['in/a.mp4', 'in/b.mp4'])
    await fileRow(page, path).getByText('Converted', { exact: true }).waitFor(CONVERTED);
  await expect.poll(() => failures.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('the workbench hands its settings over, with the folder of its source', async () => {
  const { page, errors, folder, client, signIn, server } = await visitor('watch-workbench');
  await putClip(folder, '480p', 1, 'in/clip.mp4');
  await signIn();
  await page.goto(`${server.url}/files?folder=in/&file=in/clip.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByRole('button', { name: 'Use for a folder' }).click();
  await page.getByRole('heading', { name: 'New watch' }).waitFor();
  expect(await page.getByLabel('Folder to watch').inputValue()).toBe('in/');
  expect(await page.getByLabel('Output', { exact: true }).inputValue()).toMatch(/^out\/\{folder\}\{name\}.*\.mp4$/);
  await page.getByText(/^1 file would be converted/).waitFor();
  await page.getByRole('button', { name: 'Start watching' }).click();
  await page.waitForURL(/\/watches\/[0-9a-f-]{36}$/);
  expect((await client.watches()).watches).toMatchObject([{ folder: 'in/' }]);
  expect(errors).toEqual([]);
});

test('a wrong template and a missing folder are said where they are, before anything is made', async () => {
  const { page, errors, client, signIn, server, folder } = await visitor('watch-mistakes');
  await signIn();
  await page.goto(`${server.url}/watches/new`);
  await page.getByLabel('Folder to watch').fill('cards/');
  await page.getByText('Choose a recipe: what happens to each file.').waitFor();
  await page.getByRole('button', { name: /^MP4 for the web/ }).click();
  await page.getByRole('button', { name: 'Create the folder cards/' }).click();
  await page.getByText('No files would now be converted.').waitFor();
  expect((await client.listFiles('')).files).toContainEqual(expect.objectContaining({ path: 'cards/' }));
  await putClip(folder, '480p', 1, 'cards/a.mp4');
  const output = page.getByLabel('Output', { exact: true });
  await output.fill('out/all.mp4');
  await page.getByText(/All jobs of the watch would have the same output/).waitFor();
  expect(await output.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('button', { name: 'Start watching' }).getAttribute('aria-disabled')).toBe('true');
  await output.fill('out/{name}-{height}p.mp4');
  await page.getByRole('paragraph').filter({ hasText: 'out/a-1080p.mp4' }).waitFor();
  await page.getByText(/^1 file would be converted/).waitFor();
  expect((await client.watches()).watches).toEqual([]);
  expect(errors).toEqual([]);
});

test('the settings of a watch are changed in the form in which it was made, and its page shows files as they land', async () => {
  const { page, errors, client, signIn, server, folder } = await visitor('watch-edit');
  const { watchId } = await client.addWatch({
    ...{ folder: 'in/', name: 'incoming', request: REQUEST, settleSeconds: 1 },
    ...{ exclude: ['*_proxy.mp4'], every: 2 },
  });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByRole('link', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change the watch' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('File names (empty: all media files)').fill('*.mp4');
  await page.getByLabel('Output', { exact: true }).fill('out/all.mp4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/All jobs of the watch would have the same output/).waitFor();
  expect(await page.getByLabel('Output', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Output', { exact: true }).fill('web/{name}.mkv');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/watches\/[0-9a-f-]{36}$/);
  await page.getByText('web/{name}.mkv').waitFor();
  expect(await client.watch(watchId)).toMatchObject({
    ...{ patterns: ['*.mp4'], exclude: ['*_proxy.mp4'], every: 2, settleSeconds: 1 },
    request: { ...REQUEST, output: 'web/{name}.mkv' },
  });
  // The page reads the watch each minute, and at each event.
  await putClip(folder, '480p', 1, 'in/late.mp4');
  await fileRow(page, 'in/late.mp4').getByText('Converted', { exact: true }).waitFor(CONVERTED);
  await page.getByRole('button', { name: 'More for this watch' }).click();
  await page.getByRole('link', { name: 'Show its jobs' }).click();
  await page.getByText('Only jobs of one watch.').waitFor();
  expect(errors).toEqual([]);
});

test('another recipe replaces that of a watch, and its outputs get another extension', async () => {
  const { page, errors, client, signIn, server } = await visitor('watch-recipe');
  const request = { output: 'out/{folder}{name}.mp4', preset: { name: 'web-h264' }, priority: -3 };
  const { watchId } = await client.addWatch({ folder: 'in/', request });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByRole('link', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change the watch' }).waitFor();
  await page.getByRole('heading', { name: /^MP4 for the web/ }).waitFor();
  await page.getByRole('button', { name: 'Choose another' }).click();
  const search = page.getByLabel('What to do');
  await search.fill('mp3');
  await page.getByText(/^Enter chooses MP3/).waitFor();
  await search.press('Enter');
  await page.getByRole('heading', { name: /^MP3/ }).waitFor();
  await expect.poll(() => page.getByLabel('Output', { exact: true }).inputValue()).toBe('out/{folder}{name}.mp3');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/watches\/[0-9a-f-]{36}$/);
  expect(await client.watch(watchId)).toMatchObject({
    request: { output: 'out/{folder}{name}.mp3', preset: { name: 'mp3' }, priority: -3 },
  });
  expect(errors).toEqual([]);
});

test('the settings of a watch are changed in the workbench, with one of its files, and its next jobs use them', async () => {
  const { page, errors, folder, client, signIn, server } = await visitor('watch-settings');
  await putClip(folder, '480p', 1, 'in/mon/a.mp4');
  const request = { output: 'out/{folder}{name}.mkv', parameters: { c: 'copy' }, priority: -3 };
  const { watchId } = await client.addWatch({ folder: 'in/', name: 'incoming', request, settleSeconds: 1 });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  const row = fileRow(page, 'in/mon/a.mp4');
  await row.getByText('Converted', { exact: true }).waitFor(CONVERTED);
  // Settings without a recipe are named too.
  await page.getByText('Own settings (c copy)').waitFor();
  await page.getByRole('link', { name: 'Change…' }).click();
  await page.getByRole('heading', { name: 'Change the watch' }).waitFor();
  await page.getByText('"copy"').waitFor();
  await page.getByRole('button', { name: 'Set it up in the workbench' }).click();
  await page.getByRole('button', { name: 'Use these settings for the watch' }).waitFor();
  await expectAccessible(page);
  const output = page.getByLabel('File to write');
  expect(await output.inputValue()).toBe('out/mon/a.mkv');
  await output.fill('out/mon/a.mov');
  await page.getByRole('button', { name: 'Use these settings for the watch' }).click();
  await page.getByRole('heading', { name: 'Change the watch' }).waitFor();
  expect(await page.getByLabel('Output', { exact: true }).inputValue()).toBe('out/{folder}{name}.mov');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/watches\/[0-9a-f-]{36}$/);
  expect((await client.watch(watchId)).request).toEqual({ ...request, output: 'out/{folder}{name}.mov' });
  await row.getByRole('button', { name: 'Actions for in/mon/a.mp4' }).click();
  await row.getByRole('button', { name: 'Convert again' }).click();
  await expect
    .poll(async () => (await client.listFiles('out/mon/')).files.map(({ path }) => path), CONVERTED)
    .toContain('out/mon/a.mov');
  expect(errors).toEqual([]);
});

test('a watch is paused, resumed and deleted, and the files stay', async () => {
  const { page, errors, client, signIn, server } = await visitor('watch-actions');
  const { watchId } = await client.addWatch({ folder: 'in/', name: 'incoming', request: REQUEST });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByRole('heading', { name: 'incoming' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'More for this watch' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('Its jobs, its outputs and the files themselves stay.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no watches yet.').waitFor();
  expect((await client.watches()).watches).toEqual([]);
  expect(errors).toEqual([]);
});

test('on a phone, the pages of watches fit and are accessible', async () => {
  const { page, errors, folder, client, signIn, server } = await visitor('watch-phone', 390);
  await writeFile(join(folder, 'in', 'a-very-long-name-of-a-take-that-goes-on-and-on-and-on.mp4'), 'no media');
  const { watchId } = await client.addWatch({ folder: 'in/', request: REQUEST, settleSeconds: 1 });
  await signIn();
  for (const path of ['/watches', '/watches/new', `/watches/${watchId}/edit`, `/watches/${watchId}`]) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (path.endsWith(watchId)) await page.getByRole('heading', { name: /^Input invalid/ }).waitFor(CONVERTED);
    await expectAccessible(page);
    expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
  expect(errors).toEqual([]);
});

test('on a phone, the button that starts a watch stays in sight while the form is filled in, and says what is missing', async () => {
  const { page, errors, signIn, server } = await visitor('watch-bar');
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn();
  await page.goto(`${server.url}/watches/new`);
  const bar = page.getByRole('group', { name: 'Run' });
  await bar.getByText('Choose the folder first.').waitFor();
  for (const place of [page.getByLabel('Folder to watch'), page.getByLabel('Output', { exact: true })]) {
    await place.scrollIntoViewIfNeeded();
    const box = await bar.getByRole('button', { name: 'Start watching' }).boundingBox();
    expect(box?.y).toBeGreaterThan(400);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
  }
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('an empty watch says that no file has landed, and leads to its folder, where files are uploaded', async () => {
  const { page, errors, client, signIn, server } = await visitor('watch-empty');
  const { watchId } = await client.addWatch({ folder: 'in/', request: REQUEST, settleSeconds: 1 });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByText('No file has landed yet in in/').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'in/', exact: true }).click();
  await page.getByText('This folder is watched.').waitFor();
  expect(errors).toEqual([]);
});

test('a watch that cannot be read says so with a way to try again', async () => {
  const { page, errors, signIn, server } = await visitor('watch-gone');
  await signIn();
  await page.goto(`${server.url}/watches/01a22dc0-a88d-77fd-8f93-ae90786fc68d/edit`);
  await page.getByText(/does not exist/).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});
