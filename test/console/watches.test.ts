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

test('a newcomer watches a folder with five presses and no typing, and sees the file converted that lands there', async () => {
  const { page, errors, folder, client, signIn } = await visitor('watch-newcomer');
  await putClip(folder, '480p', 1, 'in/one.mp4');
  await signIn();
  const { press, count } = counting();
  await press(page.getByRole('link', { name: 'Watches', exact: true }).first());
  await page.getByText('There are no watches yet.').waitFor();
  await expectAccessible(page);
  await press(page.getByRole('link', { name: 'Watch a folder' }));
  await page.getByText('Choose the folder first.').waitFor();
  await press(page.getByRole('group', { name: 'Folders of your files' }).getByRole('button', { name: 'in/' }));
  await page.getByText('Choose a recipe: what happens to each file.').waitFor();
  // The files of the folder are there before a recipe is.
  await page.getByRole('list', { name: 'Files in the folder' }).getByText('in/one.mp4').waitFor();
  // The pressed button has gone, and the keyboard goes on in the field.
  expect(await page.getByLabel('Folder to watch').evaluate((field) => field.matches(':focus'))).toBe(true);
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
  expect(count()).toBe(5);
  await page
    .getByRole('definition')
    .filter({ hasText: /^Every \d+ s: / })
    .waitFor();
  expect((await client.listFiles('out/mon/')).files).toMatchObject([{ path: 'out/mon/two.mp4', type: 'file' }]);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Watches', exact: true }).first().click();
  const row = page.getByRole('table', { name: 'Watches' }).getByRole('row').filter({ hasText: 'in/' });
  await row.getByText('Watching').waitFor();
  // A row says what there is, and not what there is none of.
  await row.getByText('2 converted', { exact: true }).waitFor(CONVERTED);
  expect(await row.innerText()).not.toContain('–');
  // The disk of the service is scanned each few seconds.
  await row.getByText(/(ago|just now), every \d+\ss$/).waitFor(CONVERTED);
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
  await page.getByRole('button', { name: 'Watch this folder with these settings' }).click();
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
  // Before there is anything to check.
  await page.getByText('There is no folder cards/ yet.').waitFor();
  await page.getByRole('button', { name: 'Create the folder cards/' }).click();
  await page.getByText('Choose a recipe: what happens to each file.').waitFor();
  expect((await client.listFiles('')).files).toContainEqual(expect.objectContaining({ path: 'cards/' }));
  await page.getByRole('button', { name: /^MP4 for the web/ }).click();
  await page.getByText('No files would be converted now.').waitFor();
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

test('the settings of a watch are changed in a dialog, and its page shows files as they land', async () => {
  const { page, errors, client, signIn, server, folder } = await visitor('watch-edit');
  const { watchId } = await client.addWatch({
    ...{ folder: 'in/', name: 'incoming', request: REQUEST, settleSeconds: 1 },
    ...{ exclude: ['*_proxy.mp4'], every: 2 },
  });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the watch of in/' });
  await expectAccessible(page);
  await dialog.getByLabel('File names (empty: all media files)').fill('*.mp4');
  await dialog.getByLabel('Output', { exact: true }).fill('out/all.mp4');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/All jobs of the watch would have the same output/).waitFor();
  await dialog.getByLabel('Output', { exact: true }).fill('web/{name}.mkv');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
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
  await page.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the watch of in/' });
  await dialog.getByRole('heading', { name: /^MP4 for the web/ }).waitFor();
  await dialog.getByRole('button', { name: 'Choose another' }).click();
  const search = dialog.getByLabel('What to do');
  await search.fill('mp3');
  // Enter chooses the recipe, and does not send the form.
  await dialog.getByText(/^Enter chooses MP3/).waitFor();
  await search.press('Enter');
  await dialog.getByRole('heading', { name: /^MP3/ }).waitFor();
  await expect.poll(() => dialog.getByLabel('Output', { exact: true }).inputValue()).toBe('out/{folder}{name}.mp3');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
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
  await page.getByText('Own settings (streams copied)').waitFor();
  expect(await page.getByRole('columnheader', { name: 'Note' }).count(), 'no file has a note').toBe(0);
  await page.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the watch of in/' });
  await dialog.getByText('"copy"').waitFor();
  await dialog.getByRole('button', { name: 'Set it up in the workbench' }).click();
  const note = page.getByRole('complementary', { name: 'The changed watch' });
  await note.getByText('These are the settings of the watch incoming, for in/mon/a.mp4.').waitFor();
  await expectAccessible(page);
  const output = page.getByLabel('File to write');
  expect(await output.inputValue()).toBe('out/mon/a.mkv');
  await output.fill('out/mon/a.mov');
  await note.getByRole('button', { name: 'Use these settings for the watch' }).click();
  expect(await dialog.getByLabel('Output', { exact: true }).inputValue()).toBe('out/{folder}{name}.mov');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await client.watch(watchId)).request).toEqual({ ...request, output: 'out/{folder}{name}.mov' });
  await row.getByRole('button', { name: 'Actions for in/mon/a.mp4' }).click();
  await row.getByRole('button', { name: 'Convert again in/mon/a.mp4' }).click();
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
  for (const path of ['/watches', '/watches/new', `/watches/${watchId}`]) {
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

test('an upload to another folder is not listed on the page of a watch', async () => {
  const { page, errors, client, signIn, server } = await visitor('watch-others');
  await client.addWatch({
    folder: 'in/',
    name: 'incoming',
    request: { output: 'out/{name}.mkv', parameters: { c: 'copy' } },
  });
  const upload = (name: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await signIn();
  await page.goto(`${server.url}/files`);
  await upload('note.txt');
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByText('Uploaded').waitFor();
  // Links keep the uploads of the tab.
  await page.getByRole('link', { name: 'Watches' }).first().click();
  await page.getByRole('link', { name: 'incoming' }).click();
  await page.getByText('No file has landed yet in in/').waitFor();
  expect(await uploads.count()).toBe(0);
  await upload('mine.txt');
  await uploads.getByText('mine.txt').waitFor();
  expect(await uploads.getByText('note.txt').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('an empty watch says once that no file has landed, explains its placeholders, and names only webhooks that are told of jobs', async () => {
  const { page, errors, client, signIn, server } = await visitor('watch-empty');
  const { watchId } = await client.addWatch({
    folder: 'in/',
    request: { output: 'out/{folder}{name}.mkv', parameters: { c: 'copy' } },
  });
  await client.addWebhook({ url: 'https://example.com/watches', events: ['watch.unreachable'] });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByText('No file has landed yet in in/').waitFor();
  expect(await page.getByText('No file has landed yet').count()).toBe(1);
  await page.getByText('in/mon/film.mov becomes out/mon/film.mkv').waitFor();
  await page.getByText('To tell a program when a file is converted, add a webhook.').waitFor();
  expect(await page.getByText('example.com').count()).toBe(0);
  await expectAccessible(page);
  await client.addWebhook({ url: 'https://example.com/jobs', events: ['job.failed'] });
  await page.reload();
  await page.getByText(/^A webhook tells .+\/jobs of jobs that have ended\.$/).waitFor();
  await page.goto(`${server.url}/watches/new`);
  await page.getByLabel('Folder to watch').fill('in/');
  const placeholders = page.getByRole('list', { name: 'Placeholders for output' });
  await placeholders.getByText('Folders below in/: mon/ of in/mon/film.mov').waitFor();
  await page.getByLabel('Output', { exact: true }).fill('out/.mp4');
  await placeholders.getByRole('button', { name: '{folder}' }).click();
  expect(await page.getByLabel('Output', { exact: true }).inputValue()).toContain('{folder}');
  expect(errors).toEqual([]);
});
