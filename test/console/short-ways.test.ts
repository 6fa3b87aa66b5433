import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('the first press on the field of stored files lists them, also while the list is loaded', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'presser');
  await putSmallMovie(folder, 2, 'in.mp4');
  const pressed = Promise.withResolvers<void>();
  await page.route(/suggest-combobox/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await signIn();
  await page.getByLabel('Or a stored file, or a URL').click();
  pressed.resolve();
  await page.getByRole('option', { name: 'in.mp4' }).click();
  await page.getByRole('article', { name: 'in.mp4' }).waitFor();
  expect(errors).toEqual([]);
});

test('Enter takes the only stored file that begins with what is typed, and a name that is complete as it is', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'finder');
  for (const name of ['film-long.mp4', 'talk', 'talk-2.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  const field = page.getByLabel('Or a stored file, or a URL');
  await field.fill('film');
  await page.getByRole('option', { name: 'film-long.mp4' }).waitFor();
  await field.press('Enter');
  await page.getByRole('article', { name: 'film-long.mp4' }).waitFor();
  await field.fill('talk');
  await page.getByRole('option', { name: 'talk-2.mp4' }).waitFor();
  await field.press('Enter');
  await page.getByRole('article', { name: 'talk', exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('Enter chooses the best recipe for the words, with their values, also before it is found', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'typist');
  await signIn();
  const words = page.getByLabel('What to do');
  await words.pressSequentially('fit in 8 MB');
  await words.press('Enter');
  await expect.poll(() => page.getByRole('textbox', { name: /^Size/ }).inputValue()).toBe('8');
  expect(errors).toEqual([]);
});

test('Enter chooses nothing if no recipe is close', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'doubter');
  await signIn();
  const words = page.getByLabel('What to do');
  await words.fill('teleport the moon');
  await page.getByText(/^No recipe (does exactly this|matches)/).waitFor();
  await words.press('Enter');
  await words.fill('teleport the moons');
  await page.getByText(/^No recipe (does exactly this|matches)/).waitFor();
  expect(await page.getByRole('button', { name: 'Choose another' }).count()).toBe(0);
});

test('selected files become the sources of the workbench, in the order of the list', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'selector');
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  await page.goto(`${server.url}/files`);
  for (const name of ['c.mp4', 'a.mp4']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('group', { name: 'Selected files' }).getByRole('button', { name: 'Convert…' }).click();
  const sources = page.getByRole('region', { name: 'Source' }).getByRole('article');
  await expect.poll(() => sources.count()).toBe(2);
  await sources.nth(0).getByText('a.mp4').waitFor();
  await sources.nth(1).getByText('c.mp4').waitFor();
  expect(errors).toEqual([]);
});

test('the copy button of a new shared link has the focus', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'sharer');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Share…' }).click();
  await page.getByRole('button', { name: 'Make a link' }).click();
  const copy = page.getByRole('button', { name: 'Copy the link' });
  await expect.poll(() => copy.evaluate((button) => button.matches(':focus'))).toBe(true);
  expect(errors).toEqual([]);
});
