import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { REQUEST_LIMITS } from '../../packages/contract/src/domain/conversion.ts';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
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

test('a name that is entered or added before its suggestions arrive waits for them', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'hasty');
  for (const name of ['film-long.mp4', 'talk-long.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  const field = page.getByLabel('Or a stored file, or a URL');
  for (const name of ['film', 'talk']) {
    const typed = Promise.withResolvers<void>();
    await page.route(new RegExp(`[?&]prefix=${name}`), async (route) => {
      await typed.promise;
      await route.continue();
    });
    await field.fill(name);
    if (name === 'film') await field.press('Enter');
    // The open list hides the button from screen readers.
    else await page.getByRole('button', { name: 'Add', exact: true, includeHidden: true }).click();
    typed.resolve();
    await page.getByRole('article', { name: `${name}-long.mp4` }).waitFor();
  }
  expect(await page.getByRole('region', { name: 'Source' }).getByRole('article').count()).toBe(2);
  expect(errors).toEqual([]);
});

test('a stored file is found by the middle of its name, and Enter takes the only one', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'middle');
  for (const name of ['film-480p.mp4', 'film-1080p.mp4', '1080p.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  const field = page.getByLabel('Or a stored file, or a URL');
  await field.fill('1080');
  const options = page.getByRole('option');
  await expect.poll(() => options.count()).toBe(2);
  expect(await options.allInnerTexts()).toEqual([
    expect.stringContaining('1080p.mp4'),
    expect.stringContaining('film-1080p.mp4'),
  ]);
  await field.fill('480P');
  await expect.poll(() => options.allInnerTexts()).toEqual([expect.stringContaining('film-480p.mp4')]);
  await field.press('Enter');
  await page.getByRole('article', { name: 'film-480p.mp4' }).waitFor();
  expect(errors).toEqual([]);
});

test('a source that is not there offers the files that were probably meant', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'misspeller');
  for (const name of ['web/film-480p.mp4', 'web/talk.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  const field = page.getByLabel('Or a stored file, or a URL');
  await field.fill('web/film-480p.mov');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Add it anyway: it will be there later' }).click();
  const meant = page.getByRole('group', { name: 'Files with similar names' });
  await meant.getByRole('button').waitFor();
  expect(await meant.getByRole('button').allInnerTexts()).toEqual(['Use web/film-480p.mp4']);
  // A frame shows whether it is the right one.
  await waitUntilDrawn(meant.locator('img'));
  await expectAccessible(page);
  await meant.getByRole('button').click();
  await page.getByRole('article', { name: 'web/film-480p.mp4' }).getByText(/^h264/).waitFor();
  await page.getByText('Ready.').waitFor();
  expect(errors).toEqual([]);
});

test('Enter chooses the best recipe for the words, also before it is found', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'typist');
  await signIn();
  const words = page.getByLabel('What to do');
  await words.pressSequentially('fit in 8 MB');
  await words.press('Enter');
  await page.getByRole('textbox', { name: /^Size/ }).waitFor();
  expect(errors).toEqual([]);
});

test('the field for a recipe tells screen readers which recipe Enter chooses', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'listener');
  await signIn();
  const words = page.getByLabel('What to do');
  await words.fill('animated GIF');
  const first = page.getByRole('list', { name: 'Recipes' }).getByRole('listitem').first();
  await first.getByText('Enter', { exact: true }).waitFor();
  const title = (await first.locator('strong').innerText()).replace(/\s*Enter$/, '');
  expect(await words.evaluate((field) => field.getAttribute('aria-describedby'))).not.toBeNull();
  await page.getByText(`Enter chooses ${title}.`).waitFor({ state: 'attached' });
  await expectAccessible(page);
});

test('a recipe that Enter has not found yet is not chosen after the user does something else, or after an error', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'wavers');
  await signIn();
  const words = page.getByLabel('What to do');
  const list = page.getByRole('list', { name: 'Recipes' });
  /** Types words and presses Enter, and holds or rejects the search until the returned function is called. */
  const enter = async (text: string, how: 'hold' | 'reject'): Promise<() => void> => {
    const [sent, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isOver = false;
    const url = new RegExp(`recipes\\?.*q=${encodeURIComponent(text).replaceAll('%20', '(%20|\\+)')}`);
    // The route stays: a browser can lose a request that is sent at the moment at which the last route is removed.
    await page.route(url, async (route) => {
      sent.resolve();
      if (how === 'hold') await over.promise;
      if (isOver) await route.continue();
      else
        await route.fulfill({
          status: 400,
          json: { code: 'VALIDATION', status: 400, title: 'No', detail: 'Not now.' },
        });
    });
    await words.fill(text);
    await words.press('Enter');
    await sent.promise;
    return () => {
      isOver = true;
      over.resolve();
    };
  };
  const showsNoChoice = async (): Promise<void> => {
    await list.getByText('Enter', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Choose another' }).count()).toBe(0);
  };

  const letWish = await enter('fit in 8 MB', 'hold');
  await page.getByRole('button', { name: 'animated GIF' }).click();
  letWish();
  // A wish is a choice of its own.
  await page.getByRole('region', { name: /^Animated GIF/ }).waitFor();
  await page.getByRole('button', { name: 'Choose another' }).click();
  await words.waitFor();

  const letBlur = await enter('fit in 9 MB', 'hold');
  await words.press('Tab');
  letBlur();
  await showsNoChoice();

  const letSearch = await enter('fit in 7 MB', 'reject');
  const retry = page.getByRole('button', { name: /again|Retry/i });
  await retry.waitFor();
  letSearch();
  await retry.click();
  await showsNoChoice();
});

test('Enter chooses nothing if no recipe is close', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'doubter');
  await signIn();
  const words = page.getByLabel('What to do');
  await words.fill('teleport the moon');
  await page.getByText(/^No recipe (does exactly this|matches)/).waitFor();
  await words.press('Enter');
  await page
    .getByRole('status')
    .getByText(/^No recipe (does exactly this|matches), so Enter chose none\./)
    .waitFor();
  await words.fill('teleport the moons');
  await page.getByText(/^No recipe (does exactly this|matches)/).waitFor();
  expect(await page.getByRole('button', { name: 'Choose another' }).count()).toBe(0);
});

test('selected files become the sources of the workbench, in the order in which they were selected', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'selector');
  for (const name of ['a.mp4', 'b.mp4', 'c.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  await page.goto(`${server.url}/files`);
  for (const name of ['c.mp4', 'a.mp4']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('group', { name: 'Selected files' }).getByRole('button', { name: 'Convert…' }).click();
  const sources = page.getByRole('region', { name: 'Source' }).getByRole('article');
  await expect.poll(() => sources.count()).toBe(2);
  await sources.nth(0).getByText('c.mp4').waitFor();
  await sources.nth(1).getByText('a.mp4').waitFor();
  expect(errors).toEqual([]);
});

test('a selection of more files than a conversion can read says so', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'collector');
  await putSmallMovie(folder, 2, 'a.mp4');
  for (let index = 0; index < REQUEST_LIMITS.inputs; index += 1) await writeFile(join(folder, `${index}.txt`), '');
  await signIn();
  await page.goto(`${server.url}/files`);
  await page.getByLabel(/^Select all/).check();
  const bar = page.getByRole('group', { name: 'Selected files' });
  const convert = bar.getByRole('button', { name: 'Convert…' });
  await bar.getByText(`A conversion has at most ${REQUEST_LIMITS.inputs} sources.`).waitFor();
  expect(await convert.isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByLabel('Select 0.txt').uncheck();
  await expect.poll(() => convert.isDisabled()).toBe(false);
  expect(await bar.getByText('at most').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('the copy button of a new shared link has the focus', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'sharer');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Share…' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const copy = page.getByRole('button', { name: 'Copy the link' });
  await expect.poll(() => copy.evaluate((button) => button.matches(':focus'))).toBe(true);
  expect(errors).toEqual([]);
});

test('the copy button of a new upload link has the focus', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'inviter');
  await signIn();
  await page.goto(`${server.url}/files`);
  await page.getByRole('button', { name: 'More for this folder' }).click();
  await page.getByRole('button', { name: 'Upload link…' }).click();
  await page.getByRole('button', { name: 'Create the link' }).click();
  const copy = page.getByRole('button', { name: 'Copy the link' });
  await expect.poll(() => copy.evaluate((button) => button.matches(':focus'))).toBe(true);
  expect(errors).toEqual([]);
});
