import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { dropFiles } from '../support/drop-files.ts';
import { testFolder } from '../support/folders.ts';
import { putClip, putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Visits the files page of a new client that has these files. */
async function visit(name: string, files: readonly string[]) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name);
  for (const file of files) {
    const path = join(visitor.folder, file);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, file);
  }
  await visitor.signIn();
  await visitor.page.goto(`${server.url}/files`);
  const list = visitor.page.getByRole('table', { name: 'Files' });
  return {
    ...visitor,
    server,
    list,
    link: (entry: string) => list.getByRole('link', { name: entry, exact: true }),
    names: () => list.getByRole('link').allInnerTexts(),
  };
}

test('files are selected by mouse and keys, and moved to a new folder', async () => {
  const { page, errors, names, link } = await visit('mover', ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'box/x.txt']);
  await link('a.txt').click({ modifiers: ['ControlOrMeta'] });
  await link('c.txt').click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.getByLabel('Select b.txt').uncheck();
  await page.getByText('2 selected').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 files' });
  await dialog.getByRole('button', { name: 'box/' }).click();
  await dialog.getByText('No folders here.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('New folder in box (optional)').fill('deep');
  await dialog.getByRole('button', { name: 'Move to box' }).click();
  await page.getByText('Moved 2 files to box/deep/.').waitFor();
  await expect.poll(names).toEqual(['box/', 'b.txt', 'd.txt']);
  await link('b.txt').focus();
  for (const key of [' ', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByText('selected').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('F2 renames in place, a name that is taken is refused with a reason, and Escape keeps the name', async () => {
  const { page, errors, folder, names, link } = await visit('renamer', ['film.txt', 'other.txt']);
  const field = page.getByLabel('New name of film.txt');
  await link('film.txt').focus();
  await page.keyboard.press('F2');
  // Without its extension, the name is selected.
  await page.keyboard.type('talk');
  await page.keyboard.press('Enter');
  await page.getByText('Renamed to talk.txt.').waitFor();
  await expect.poll(names).toEqual(['other.txt', 'talk.txt']);
  expect(await readFile(join(folder, 'talk.txt'), 'utf8')).toBe('film.txt');
  await link('talk.txt').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('other');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('"other.txt" exists').waitFor();
  await link('talk.txt').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('never');
  await page.keyboard.press('Escape');
  await link('talk.txt').waitFor();
  expect(await names()).toEqual(['other.txt', 'talk.txt']);
  expect(await field.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a folder is created, and files are dragged into it and to a folder above', async () => {
  const { page, errors, names, link, list } = await visit('dragger', ['a.txt', 'b.txt', 'c.txt']);
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await page.getByRole('button', { name: 'New folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New folder in Media' });
  await dialog.getByLabel('Name').fill('a.txt');
  await dialog.getByRole('button', { name: 'Create the folder' }).click();
  await dialog.getByText('"a.txt" exists').waitFor();
  await dialog.getByLabel('Name').fill('box');
  await dialog.getByRole('button', { name: 'Create the folder' }).click();
  await page.getByText('Created box/.').waitFor();
  await list.getByLabel('Select box').uncheck();
  for (const name of ['a.txt', 'b.txt']) await list.getByLabel(`Select ${name}`).check();
  await link('b.txt').dragTo(link('box/'));
  await page.getByText('Moved 2 files to box/.').waitFor();
  await expect.poll(names).toEqual(['box/', 'c.txt']);
  await link('box/').click();
  await link('a.txt').dragTo(page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Media' }));
  await page.getByText('Moved a.txt to your media.').waitFor();
  await expect.poll(names).toEqual(['b.txt']);
  expect(errors).toEqual([]);
});

test('a folder is uploaded with its folders by a button, and headings sort the list by what the address keeps', async () => {
  const { page, errors, folder, names, link } = await visit('uploads-folder', ['z.txt']);
  const trip = join(folder, '..', 'trip');
  for (const path of ['one.txt', 'day 1/long-name.txt', '.hidden']) {
    await mkdir(join(trip, path, '..'), { recursive: true });
    await writeFile(join(trip, path), path);
  }
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a folder…' }).click(),
  ]);
  await chooser.setFiles(trip);
  await link('trip/').click();
  await link('day 1/').waitFor();
  expect(await readFile(join(folder, 'trip/day 1/long-name.txt'), 'utf8')).toBe('day 1/long-name.txt');
  await expect.poll(names).toEqual(['day 1/', 'one.txt']);
  await page.getByRole('button', { name: 'Size' }).click();
  await expect.poll(() => page.url()).toContain('sort=size');
  await page.getByRole('columnheader', { name: 'Size' }).and(page.locator('[aria-sort="descending"]')).waitFor();
  expect(errors).toEqual([]);
});

test('files that are dropped anywhere on a folder are uploaded to it', async () => {
  const { page, errors, folder, names, link } = await visit('drops-files', ['z.txt']);
  const file = join(await testFolder('elsewhere'), 'a.txt');
  await writeFile(file, 'dropped');
  await link('z.txt').waitFor();
  const session = await page.context().newCDPSession(page);
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', {
      ...{ type, x: 640, y: 600 },
      data: { items: [], files: [file], dragOperationsMask: 1 },
    });
  await drag('dragEnter');
  await drag('dragOver');
  await page.getByText('Drop to upload to your media').waitFor();
  await expectAccessible(page);
  await drag('drop');
  await expect.poll(names).toEqual(['a.txt', 'z.txt']);
  await page.getByText('Drop to upload to your media').waitFor({ state: 'detached' });
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('dropped');
  expect(errors).toEqual([]);
});

test('files that are dropped onto the row of a folder are uploaded into it, and the upload says where', async () => {
  const { page, errors, folder, names, link, list } = await visit('drops-on-row', ['z.txt']);
  await mkdir(join(folder, 'camera'));
  await page.reload();
  const file = join(await testFolder('elsewhere'), 'a.txt');
  await writeFile(file, 'dropped');
  await link('camera/').waitFor();
  const row = list.getByRole('row').filter({ hasText: 'camera/' });
  const box = await row.boundingBox();
  const session = await page.context().newCDPSession(page);
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', {
      ...{ type, x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 },
      data: { items: [], files: [file], dragOperationsMask: 1 },
    });
  await drag('dragEnter');
  await drag('dragOver');
  await row.and(page.locator('[data-over="true"]')).waitFor();
  expect(await page.getByText('Drop to upload to').count()).toBe(0);
  await drag('drop');
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByText('Uploaded', { exact: true }).waitFor();
  expect(await readFile(join(folder, 'camera/a.txt'), 'utf8')).toBe('dropped');
  expect(await names()).toEqual(['camera/', 'z.txt']);
  await uploads.getByRole('link', { name: 'camera/' }).click();
  await expect.poll(names).toEqual(['a.txt']);
  expect(errors).toEqual([]);
});

/** Drops a file by a script. Returns for each event whether the page prevents that the browser opens the file. */
const DROP_BY_SCRIPT = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['of the dialog'], 'b.txt'));
  const options = { bubbles: true, cancelable: true, dataTransfer };
  return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(new DragEvent(type, options)));
})()`;

test('files that are dropped beside the area of an empty folder are uploaded to it, but not while a dialog is open', async () => {
  const { page, errors, folder, names } = await visit('drops-beside', []);
  const file = join(await testFolder('elsewhere'), 'a.txt');
  await writeFile(file, 'dropped');
  await page.getByText('There are no files yet.').waitFor();
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await page.getByRole('button', { name: 'New folder…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await page.evaluate(DROP_BY_SCRIPT)).toEqual([true, true]);
  expect(await page.getByText('Drop to upload to your media').count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await dropFiles(page.getByRole('heading', { name: 'Files', level: 1 }), [file]);
  await expect.poll(names).toEqual(['a.txt']);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('dropped');
  expect(await page.getByText('b.txt').count()).toBe(0);
  expect(errors).toEqual([]);
});

/**
 * Holds back the search for the files of a dropped folder until `findFiles` is called. It replaces the reader of the entry itself, because
 * Chromium does not expose the interfaces of entries and readers.
 */
const HOLD_BACK = `(() => {
  const { prototype } = DataTransferItem;
  const { webkitGetAsEntry } = prototype;
  prototype.webkitGetAsEntry = function () {
    const entry = webkitGetAsEntry.call(this);
    const reader = entry.createReader();
    const readEntries = (...callbacks) => reader.readEntries(...callbacks);
    const held = {
      readEntries(...callbacks) {
        globalThis.findFiles = () => {
          held.readEntries = readEntries;
          readEntries(...callbacks);
        };
      },
    };
    entry.createReader = () => held;
    return entry;
  };
})()`;

test('a dropped folder is uploaded to the folder that was open, also if its user opens another one meanwhile', async () => {
  const { page, errors, folder, link } = await visit('drops-and-leaves', ['box/x.txt']);
  const trip = join(await testFolder('elsewhere'), 'trip');
  await mkdir(trip);
  await writeFile(join(trip, 'one.txt'), 'one');
  await link('box/').waitFor();
  await page.evaluate(HOLD_BACK);
  // Not onto the row of a folder, into which it would go.
  await dropFiles(page.getByRole('heading', { name: 'Files', level: 1 }), [trip]);
  await expect.poll(() => page.evaluate('typeof findFiles')).toBe('function');
  await link('box/').click();
  await link('x.txt').waitFor();
  await page.evaluate('findFiles()');
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Media' }).click();
  await link('trip/').click();
  await link('one.txt').waitFor();
  expect(await readFile(join(folder, 'trip/one.txt'), 'utf8')).toBe('one');
  expect(errors).toEqual([]);
});

test('files in the list and jobs have thumbnails', async () => {
  const { page, errors, folder, client, server, list } = await visit('looks', ['notes.txt']);
  await putClip(folder, '480p', 1, 'in.mp4');
  await putSample(folder, 'flac', 'song.flac');
  const probes: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/probe') && probes.push(request.url()));
  await page.reload();
  const row = (name: string) => list.getByRole('row').filter({ hasText: name });
  await waitUntilDrawn(row('in.mp4').locator('img'));
  await waitUntilDrawn(row('song.flac').locator('img'));
  expect(await row('notes.txt').locator('img').count()).toBe(0);
  // The thumbnails bring the lengths, so that no file is probed for the list.
  const cellOf = (name: string, index: number): Promise<string> => row(name).getByRole('cell').nth(index).innerText();
  const lengthOf = (name: string): Promise<string> => cellOf(name, 4);
  expect(await cellOf('in.mp4', 3)).toBe('854×480');
  expect(await cellOf('song.flac', 3)).toBe('');
  expect(await lengthOf('in.mp4')).toMatch(/^[\d.]+\ss$/);
  expect(await lengthOf('song.flac')).toMatch(/^(?:[\d.]+\ss|[\d:]+)$/);
  expect(await lengthOf('notes.txt')).toBe('');
  await page.getByRole('button', { name: 'Thumbnails' }).click();
  const tile = page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'in.mp4' });
  await tile.getByText(/^[\d.]+\ss, 854×480$/).waitFor();
  expect(probes).toEqual([]);
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'out.mp4', parameters: { c: 'copy' } });
  await client.wait(jobId);
  await page.goto(`${server.url}/jobs`);
  await waitUntilDrawn(page.getByRole('row').filter({ hasText: 'out.mp4' }).locator('img'));
  expect(errors).toEqual([]);
});
