import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a value without an option is said at its field, and nothing is converted without it', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'nameless');
  await putClip(folder, '480p', 1, 'in.mp4');
  await signIn();
  await page.getByLabel('Or a stored file, or a URL').fill('in.mp4');
  await page.getByLabel('Or a stored file, or a URL').press('Enter');
  const run = page.getByRole('button', { name: 'Convert', exact: true });
  await expect.poll(() => run.isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByLabel('Value of the option').fill('23');
  const row = page.getByRole('list', { name: 'Options' });
  await row.getByText('This value has no option, so it is not sent.').waitFor();
  await page.getByRole('status').getByText('One field has an error.').waitFor();
  expect(await run.isDisabled()).toBe(true);
  await expectAccessible(page);
  // A fix of another error leaves it where it is.
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByRole('combobox', { name: 'Option', exact: true }).last().fill('c:v');
  await page.getByLabel('Value of c:v').fill('libx264x');
  // An open list of values hides the rest of the page from the accessibility tree.
  await page.getByLabel('Value of c:v').blur();
  await page.getByRole('button', { name: 'Use c:v: libx264', exact: true }).click();
  await expect.poll(() => page.getByLabel('Value of c:v').inputValue()).toBe('libx264');
  expect(await page.getByLabel('Value of the option').inputValue()).toBe('23');
  await page.getByRole('combobox', { name: 'Option', exact: true }).last().fill('crf');
  await page.getByLabel('Value of crf').focus();
  await expect.poll(() => run.isEnabled()).toBe(true);
  expect(errors).toEqual([]);
});

test('the options of a source are shown when a request with some is opened', async () => {
  const { server } = await start();
  const { page, folder, signIn } = await consoleVisitor(open, server, 'opened');
  await putClip(folder, '480p', 1, 'in.mp4');
  await signIn();
  await page.getByLabel('Or a stored file, or a URL').fill('in.mp4');
  await page.getByLabel('Or a stored file, or a URL').press('Enter');
  await page.getByRole('article', { name: 'in.mp4' }).waitFor();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page.getByRole('textbox', { name: /command/i }).fill('ffmpeg -ss 0.5 -i in.mp4 out.mkv');
  await page.getByRole('button', { name: 'Use this command' }).click();
  const card = page.getByRole('article', { name: 'in.mp4' });
  await expect.poll(() => card.getByLabel('Value of ss').inputValue()).toBe('0.5');
});
