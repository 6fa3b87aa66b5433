import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => (element as unknown as { matches(selector: string): boolean }).matches(':focus'));

test('Ctrl-K finds a page, a recipe, a job and a file, and opens them', async () => {
  const { server } = await start();
  const { page, folder, client, signIn, errors } = await consoleVisitor(open, server, 'finder', { scopes: ['admin'] });
  await putSmallMovie(folder, 2, 'holiday/beach.mp4');
  const { jobId } = await client.submit({ input: 'holiday/beach.mp4', output: 'beach.mkv', parameters: { c: 'copy' } });
  await client.wait(jobId);
  await signIn();
  const { keyboard } = page;
  const search = page.getByRole('combobox', { name: 'Search pages, recipes, jobs and files' });
  const option = (name: RegExp) => page.getByRole('option', { name });
  const find = async (text: string): Promise<void> => {
    await keyboard.press('Control+k');
    await search.waitFor();
    await keyboard.type(text);
  };

  await find('aud');
  await option(/^Audit log/).waitFor();
  await expectAccessible(page);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await find('beach.mkv');
  await option(/^beach\.mkv from/).click();
  await page.waitForURL(`**/jobs/${jobId}`);
  await find(jobId);
  await option(/Open the job/).waitFor();
  await search.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // What had the focus before has it again.
  const again = page.getByRole('button', { name: 'More for this job' });
  await again.focus();
  await find('holiday');
  await search.press('Escape');
  await expect.poll(() => hasFocus(again)).toBe(true);

  await find('holiday/bea');
  await option(/^beach\.mp4/)
    .first()
    .click();
  await page.waitForURL('**/files?**');
  await page.getByRole('heading', { name: 'beach.mp4' }).waitFor();

  // A recipe is chosen in the workbench, also by its address.
  await find('animated gif');
  await option(/GIF/).first().click();
  await page.getByRole('button', { name: 'Choose another' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await find('mp3');
  await option(/^MP3/).first().click();
  await page.getByRole('heading', { name: /^MP3/, level: 2 }).waitFor();
  expect(errors).toEqual([]);
});

test('a slash searches the page, a question mark shows the keys, and Ctrl-Enter converts', async () => {
  const { server } = await start();
  const { page, folder, client, signIn, errors } = await consoleVisitor(open, server, 'typist');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  const { keyboard } = page;
  await page.getByLabel('What to do').waitFor();
  await keyboard.press('/');
  expect(await hasFocus(page.getByLabel('What to do'))).toBe(true);
  // In a text field, keys are letters.
  await keyboard.type('a/b?');
  expect(await page.getByLabel('What to do').inputValue()).toBe('a/b?');
  // Words that are not applied are said instead of "Ready.".
  await page.getByLabel('What to do').fill('');
  await page.getByRole('heading', { name: 'Workbench' }).click();
  await keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard' });
  await dialog.getByText('Search this page').waitFor();
  await expectAccessible(page);
  // The dialog keeps the keys.
  await keyboard.press('Control+k');
  expect(await page.getByRole('combobox', { name: 'Search pages, recipes, jobs and files' }).count()).toBe(0);
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).fill('in.mp4');
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).press('Enter');
  await page.getByText('Ready.').waitFor();
  await keyboard.press('Control+Enter');
  await expect.poll(async () => (await client.list()).jobs.length).toBe(1);

  await page.goto(`${server.url}/jobs`);
  await page.getByRole('row').nth(1).waitFor();
  await keyboard.press('/');
  await keyboard.type('nothing');
  await page.getByText('No jobs match “nothing”').waitFor();
  expect(errors).toEqual([]);
});
