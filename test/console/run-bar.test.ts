import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

async function addSource(page: Page, path: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.fill(path);
  await field.press('Enter');
}

test('beside "Convert", a source that cannot be read or is not there is said, and its card says why once', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'mistaken');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'notes.mp4'), 'Buy milk.\n'.repeat(100));
  await signIn();
  const bar = page.getByRole('group', { name: 'Run' });
  await addSource(page, 'notes.mp4');
  await bar.getByText('The source cannot be read. The job would fail.').waitFor();
  expect(await bar.getByRole('button', { name: 'Convert', exact: true }).isDisabled()).toBe(true);
  const card = page.getByRole('article');
  await expect.poll(() => card.getByRole('alert').count()).toBe(0);
  expect(await card.locator('[data-kind="error"]').count()).toBe(1);
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Remove' }).click();

  await addSource(page, 'none.mp4');
  await page.getByRole('button', { name: 'Add it anyway: it will be there later' }).click();
  await bar.getByText('The source does not exist yet.').waitFor();
  await expect.poll(() => card.locator('[data-kind="error"]').count()).toBe(1);
  await expect.poll(() => card.getByRole('alert').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a source that was not read in time is checked again without a click, until it is read', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'patient');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  let isRead = false;
  await page.route(/dryRun=true/, async (route) => {
    const response = await route.fetch();
    const { warnings, ...plan } = await response.json();
    const message = 'Reading "in.mp4" took too long.';
    const notRead = { field: '/input', code: 'INPUT_NOT_READ', message, retryAfterSeconds: 5 };
    await route.fulfill({ response, json: { ...plan, warnings: isRead ? warnings : [...warnings, notRead] } });
  });
  const bar = page.getByRole('group', { name: 'Run' });
  await addSource(page, 'in.mp4');
  await bar.getByText('The source was not checked. You can convert anyway.').waitFor();
  expect(await bar.getByRole('button', { name: 'Check again' }).count()).toBe(1);
  isRead = true;
  await bar.getByText('Ready.').waitFor();
  expect(await bar.getByRole('button', { name: 'Check again' }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('"Show" leads to what is missing: the field of an argument, or the field for the second source', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'searching');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  const bar = page.getByRole('group', { name: 'Run' });
  const show = bar.getByRole('button', { name: 'Show the first error' });
  await addSource(page, 'in.mp4');
  await page.getByLabel('What to do').fill('burn subtitles');
  await page.getByRole('button', { name: /^Subtitles burnt into the video/ }).click();
  await bar.getByText('Add the subtitles as a source.').waitFor();
  await show.click();
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
  await page.getByRole('button', { name: 'Choose another' }).click();
  await page.getByLabel('What to do').fill('text on the video');
  await page.getByRole('button', { name: /^Text on the video/ }).click();
  await bar.getByText('Fill in Text.').waitFor();
  await field.focus();
  await show.click();
  await expect
    .poll(() => page.getByRole('textbox', { name: /^Text/ }).evaluate((one) => one.matches(':focus')))
    .toBe(true);
  expect(errors).toEqual([]);
});

test('a job that was rejected is not called ready, until the request is another one', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'thrifty', {
    limits: { jobs: 1 },
  });
  await putSmallMovie(folder, 2, 'in.mp4');
  await client.submit({ input: 'in.mp4', output: 'first.mkv', parameters: { c: 'copy' } });
  await signIn();
  const bar = page.getByRole('group', { name: 'Run' });
  await addSource(page, 'in.mp4');
  await bar.getByText('Ready.').waitFor();
  await bar.getByRole('button', { name: 'Convert', exact: true }).click();
  await bar.getByText('Not started: the service rejected the request.').waitFor();
  await page.getByRole('alert').waitFor();
  expect(await bar.getByText('Ready.').count()).toBe(0);
  await page.getByLabel('File to write').fill('other.mp4');
  await bar.getByText('Ready.').waitFor();
  expect(errors).toEqual([]);
});

test('words that are typed and not applied are said beside "Convert", with a button that applies them', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'wordy');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  const bar = page.getByRole('group', { name: 'Run' });
  const convert = bar.getByRole('button', { name: 'Convert', exact: true });
  await addSource(page, 'in.mp4');
  await bar.getByText('Ready.').waitFor();
  const words = page.getByLabel('What to do');
  await words.fill('teleport the moon');
  await bar.getByText('"teleport the moon" is not applied. Choose a recipe, or remove the words.').waitFor();
  await words.fill('fit in 8 MB');
  await bar.getByText('"fit in 8 MB" is not applied yet.').waitFor();
  expect(await convert.isDisabled()).toBe(false);
  expect(await convert.getAttribute('data-variant')).toBe('plain');
  await expectAccessible(page);
  await bar.getByRole('button', { name: /^Use “Compress a video to fit.*”$/ }).click();
  await expect.poll(() => convert.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.getByRole('textbox', { name: /^Size/ }).fill('8');
  await bar.getByText('Ready.').waitFor();
  expect(await convert.getAttribute('data-variant')).toBe('primary');
  // The bar says what it makes, not only that it is ready.
  await bar.getByText(/MP4, 2\ss · .*about /).waitFor();

  await page.getByRole('button', { name: 'Choose another' }).click();
  await page.getByLabel('What to do').fill('smaller file');
  await bar.getByText(/^"smaller file" is not applied/).waitFor();
  await page.getByLabel('What to do').fill('');
  await bar.getByText('Ready.').waitFor();
  expect(errors).toEqual([]);
});

test('on a phone, what gets the focus is not behind the bar, also if the bar has two lines', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'covered', { width: 390 });
  await putSmallMovie(folder, 2, 'in.mp4');
  await putSmallMovie(folder, 2, 'out.mp4');
  await signIn();
  const bar = page.getByRole('group', { name: 'Run' });
  await addSource(page, 'in.mp4');
  await page.getByLabel('File to write').fill('out.mp4');
  await bar.getByText('The output exists already.').waitFor();
  const preview = page.getByRole('button', { name: 'Show a preview' });
  const isUncovered = () =>
    preview.evaluate((button) => {
      const { left, width, bottom } = button.getBoundingClientRect();
      const seen = button.ownerDocument.elementFromPoint(left + width / 2, bottom - 2);
      return seen === button || button.contains(seen);
    });
  // Scrolled so that the bar covers its end.
  const { y = 0, height = 0 } = (await preview.boundingBox()) ?? {};
  const top = (await bar.boundingBox())?.y ?? 0;
  await page.evaluate(`scrollBy(0, ${y + height - top - 12})`);
  expect(await isUncovered()).toBe(false);
  await preview.focus();
  await expect.poll(isUncovered).toBe(true);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('on a small phone, the whole bar is above the tabs, also while a command is pasted above the form', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'small-phone', { width: 360 });
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await addSource(page, 'in.mp4');
  const bar = page.getByRole('group', { name: 'Run' });
  await bar.getByText('MP4').waitFor();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill('ffmpeg -i in.mp4 -c:v libx264 -tune flm -vf scale=640:-2 out.mp4');
  const fix = page.getByRole('button', { name: 'Use -tune film' });
  await fix.waitFor();
  // What is wrong is mended first.
  expect(await fix.getAttribute('data-variant')).toBe('primary');
  const use = page.getByRole('button', { name: 'Use this command' });
  expect(await use.getAttribute('data-variant')).toBe('plain');
  await page.evaluate('scrollTo(0, 0)');
  const [inner, tabs] = [
    await bar.boundingBox(),
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).boundingBox(),
  ];
  expect((inner?.y ?? 0) + (inner?.height ?? 0)).toBeLessThanOrEqual((tabs?.y ?? 0) + 1);
  expect(inner?.height).toBeGreaterThan(40);
  await fix.click();
  await fix.waitFor({ state: 'detached' });
  await expect.poll(() => use.getAttribute('data-variant')).toBe('primary');
  await expectAccessible(page);
  expect(errors).toEqual([]);
});
