import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const startWithoutBin = sharedServer({ env: { TELECINE_BIN_SECONDS: '0' } });
const open = openBrowser();
/** What a page has, for code that runs there. */
interface Window {
  getComputedStyle(of: unknown): { readonly opacity: string };
}

const test = needs('ffmpeg', 'Chromium');

test('deleted files are brought back by undo and out of the bin, and are gone when it is emptied', async () => {
  const { server } = await start();
  const { page, errors, folder, client, credentials, signIn } = await consoleVisitor(open, server, 'tidies');
  await mkdir(join(folder, 'box'), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'box/d.txt']) await writeFile(join(folder, name), name);
  await signIn();
  await page.goto(`${server.url}/files`);
  const list = page.getByRole('table', { name: 'Files' });
  const names = () => list.getByRole('link').allInnerTexts();
  await list.getByRole('link', { name: 'box/' }).click({ modifiers: ['ControlOrMeta'] });
  await list.getByRole('link', { name: 'a.txt' }).click({ modifiers: ['ControlOrMeta'] });
  await list.getByRole('link', { name: 'b.txt' }).focus();
  await page.keyboard.press(' ');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Delete');
  await page.getByText('Deleted 2 files and 1 folder.').waitFor();
  await expect.poll(names).toEqual(['c.txt']);
  await page.keyboard.press('Control+z');
  await page.getByText('Restored 2 files and 1 folder to your media.').waitFor();
  await expect.poll(names).toEqual(['box/', 'a.txt', 'b.txt', 'c.txt']);

  await list.getByRole('link', { name: 'a.txt' }).click();
  const details = page.getByRole('region', { name: 'Details of a.txt' });
  await details.getByRole('button', { name: 'More for this file' }).click();
  await details.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted a.txt.').waitFor();
  await list.getByLabel('Select box').check();
  await page.getByRole('group', { name: 'Selected files' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted box. It is in the bin.').waitFor();
  await page.getByRole('button', { name: 'Bin (2)' }).click();
  const bin = page.getByRole('table', { name: 'Bin' });
  await bin.getByRole('button', { name: 'Restore box/' }).waitFor();
  // The size is that of all files in the folder, although no upload has counted them.
  await bin.getByRole('row', { name: 'box/' }).getByText('9 B').waitFor();
  await page.getByText('They use 14 B.').waitFor();
  await expectAccessible(page);
  await bin.getByRole('button', { name: 'Restore box/' }).click();
  await page.getByText('Restored box to your media.').waitFor();
  await bin.getByRole('row', { name: 'box/' }).getByText('Restored', { exact: true }).waitFor();
  expect((await client.listFiles('box/')).files.map(({ path }) => path)).toEqual(['box/d.txt']);
  await page.getByRole('button', { name: 'Empty the bin…' }).click();
  const question = page.getByRole('alertdialog');
  await question
    .getByText(`a.txt, 5 B, in the bin of ${credentials.clientId}: all of it is deleted permanently.`)
    .waitFor();
  await question.getByRole('button', { name: 'Empty the bin' }).click();
  await page.getByText('The bin is empty.').waitFor();
  await page.getByText('Deleted a.txt permanently: 5 B freed.').waitFor();
  expect((await client.bin()).entries).toEqual([]);
  expect(errors).toEqual([]);
});

test('a restored file keeps its row and the focus, so that a second tap or press at its place restores no other file', async () => {
  const { server } = await start();
  const { page, context, errors, folder, client, signIn } = await consoleVisitor(open, server, 'taps');
  await mkdir(folder, { recursive: true });
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
  for (const name of names) await writeFile(join(folder, name), name);
  await client.deleteFiles({ paths: names, keep: true });
  await signIn();
  await page.goto(`${server.url}/files?bin=true`);
  const bin = page.getByRole('table', { name: 'Bin' });
  const restores = bin.getByRole('button', { name: /^Restore/ });
  await restores.nth(3).waitFor();
  const rows = () => bin.getByRole('rowheader').allInnerTexts();
  const [first = '', second = '', lost = '', last = ''] = await rows();

  // Another client has deleted this one permanently. It is not restored, and its row does not say so.
  const gone = (await client.bin()).entries.find(({ path }) => path === lost);
  await client.removeFromBin(gone?.entryId);
  await bin.getByRole('button', { name: `Restore ${lost}` }).click();
  await bin.getByRole('row', { name: lost }).waitFor({ state: 'detached' });
  await page.getByText('The bin has no entry').waitFor();

  const session = await context.newCDPSession(page);
  const box = await restores.first().boundingBox();
  const tap = async () => {
    const touchPoints = [{ x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await tap();
  await bin.getByRole('button', { name: `Restored ${first}` }).waitFor();
  await tap();
  await bin.getByRole('button', { name: `Restore ${last}` }).press('Enter');
  const restored = bin.getByRole('button', { name: `Restored ${last}` });
  await restored.waitFor();
  // Actions run one after the other, so what the second tap has restored would be restored now.
  expect((await client.bin()).entries.map(({ path }) => path)).toEqual([second]);
  expect(await restored.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect(await rows()).toEqual([first, second, last]);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a service that keeps nothing asks before it deletes', async () => {
  const { server } = await startWithoutBin();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'deletes');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.txt'), 'a');
  await signIn();
  await page.goto(`${server.url}/files`);
  await page.getByLabel('Select a.txt').check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete a.txt?' });
  await dialog.getByText('They are deleted permanently.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no files yet.').waitFor();
  expect(await page.getByRole('button', { name: /^Bin/ }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('without a bin, a watch that deletes its files says that they are deleted for good', async () => {
  const { server } = await startWithoutBin();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'deleting-watch');
  await mkdir(join(folder, 'in'), { recursive: true });
  const request = { output: 'out/{name}.mkv', parameters: { c: 'copy' } };
  const { watchId } = await client.addWatch({ folder: 'in/', request, source: 'delete' });
  await signIn();
  await page.goto(`${server.url}/watches/${watchId}`);
  await page.getByText('Delete the file for good').waitFor();
  await page.getByRole('link', { name: 'Change…' }).click();
  await page.getByText('The file is deleted for good, once all its outputs exist.').waitFor();
  expect(await page.getByText(/into the bin|to the bin/).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('in a narrow window, several thumbnails can be chosen without a mouse over them', async () => {
  const { server } = await start();
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'chooses', { width: 360 });
  for (const name of ['a.txt', 'b.txt']) await client.upload(new Blob([name]), name);
  await signIn();
  await page.goto(`${server.url}/files?view=thumbnails`);
  for (const name of ['a.txt', 'b.txt']) {
    const box = page.getByLabel(`Select ${name}`);
    await box.waitFor();
    expect(await box.evaluate((one) => (globalThis as unknown as Window).getComputedStyle(one).opacity)).toBe('1');
  }
  for (const name of ['a.txt', 'b.txt']) await page.getByLabel(`Select ${name}`).check();
  await page.getByText('2 selected').waitFor();
  expect(errors).toEqual([]);
});
