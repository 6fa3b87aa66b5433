import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { copyWithChapters } from '../support/chapters.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { dropFiles } from '../support/drop-files.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Resolves when the browser has the picture that a waveform is cut out of. */
const waitUntilCut = (wave: Locator) =>
  expect
    .poll(() =>
      wave.evaluate(async (element) => {
        const { style } = element as unknown as { style: { getPropertyValue(name: string): string } };
        const { Image } = globalThis as unknown as { Image: new () => Picture };
        const image = new Image();
        image.src = /url\("(.*)"\)/.exec(style.getPropertyValue('--wave'))?.[1] ?? '';
        return image.decode().then(
          () => image.naturalWidth,
          () => 0,
        );
      }),
    )
    .toBeGreaterThan(0);

/** What the tests need of an image of a page. */
interface Picture {
  src: string;
  readonly naturalWidth: number;
  decode(): Promise<void>;
}

test('files and a folder are dropped together; all are uploaded, and each shows what it holds', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'dropper-beside');
  const disk = join(folder, '..', 'disk');
  await mkdir(join(disk, 'trip/day 1'), { recursive: true });
  await putSmallMovie(disk, 3, 'film.mp4');
  await putSmallMovie(disk, 3, 'trip/b.mp4');
  await copyWithChapters(join(disk, 'film.mp4'), join(disk, 'trip/day 1/a.mkv'), ['Start', 'Middle', 'End']);
  await putSample(disk, 'flac', 'trip/song.flac');
  await writeFile(join(disk, 'trip/.DS_Store'), 'of the system');
  await signIn();
  await dropFiles(page.getByText('Drop video, audio or image files here'), [
    join(disk, 'film.mp4'),
    join(disk, 'trip'),
  ]);

  const card = (name: string) => page.getByRole('article', { name, exact: true });
  for (const name of ['film.mp4', 'trip/b.mp4', 'trip/day 1/a.mkv']) {
    await card(name)
      .getByText(/^h264 214×120/)
      .waitFor();
    await card(name).getByText(/^aac/).waitFor();
    await waitUntilDrawn(card(name).getByRole('img', { name: `Frame of ${name}` }));
  }
  await card('trip/song.flac').getByText(/^flac/).waitFor();
  await waitUntilCut(card('trip/song.flac').getByRole('img', { name: 'Waveform of trip/song.flac' }));
  // That of a film is on its strip.
  expect(await page.getByRole('img', { name: 'Waveform of film.mp4' }).count()).toBe(0);
  await card('trip/day 1/a.mkv').getByText('3 chapters').click();
  expect(
    await card('trip/day 1/a.mkv').getByRole('list', { name: 'Chapters' }).getByRole('listitem').allInnerTexts(),
  ).toEqual(
    ['0 s\nStart', '1 s\nMiddle', '2 s\nEnd'].map((text) => expect.stringMatching(text.replaceAll(/\s/g, '\\s+'))),
  );
  await expectAccessible(page);
  for (const name of ['film.mp4', 'trip/b.mp4', 'trip/day 1/a.mkv', 'trip/song.flac'])
    expect((await readFile(join(folder, name))).equals(await readFile(join(disk, name))), name).toBe(true);
  expect((await client.listFiles('trip/')).files.map(({ path }) => path).toSorted()).toEqual([
    'trip/b.mp4',
    'trip/day 1/',
    'trip/song.flac',
  ]);
  await page.getByRole('button', { name: 'Convert all 4' }).click();
  await expect.poll(() => page.getByText('Completed').count(), { timeout: 60_000 }).toBe(4);
  expect(errors).toEqual([]);
});

test('a stored file is chosen from the list by keys alone, or by its typed path', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'chooser');
  await putSmallMovie(folder, 2, 'one.mp4');
  await putSmallMovie(folder, 2, 'two.mp4');
  await signIn();
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.pressSequentially('tw');
  await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: /^two/ }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await field.press('ArrowDown');
  await field.press('Enter');
  const names = () => page.getByRole('article').getByRole('heading').allInnerTexts();
  await expect.poll(names).toEqual(['two.mp4']);
  await expect.poll(() => field.inputValue()).toBe('');
  await field.pressSequentially('one.mp4');
  await field.press('Enter');
  await expect.poll(names).toEqual(['two.mp4', 'one.mp4']);
  expect(errors).toEqual([]);
});

test('a stored file is found by any part of its name in all folders, and only what exists can be added', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'finder');
  await putSmallMovie(folder, 2, 'films/old/marathon.mp4');
  await putSmallMovie(folder, 2, 'marble.mp4');
  await signIn();
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  // The open list hides the rest of the page from screen readers.
  const add = page.locator('button').filter({ hasText: /^Add$/ });
  const names = () => page.getByRole('article').getByRole('heading').allInnerTexts();
  await field.fill('mar');
  await expect
    .poll(() => page.getByRole('option').allInnerTexts())
    .toEqual([expect.stringMatching(/^marble\.mp4/), expect.stringMatching(/^films\/old\/marathon\.mp4/)]);
  // Two files have it, so it is not clear which one is meant.
  await expect.poll(() => add.isDisabled()).toBe(true);
  await field.fill('athon');
  await page.getByRole('option', { name: /^films\/old\/marathon\.mp4/ }).waitFor();
  await expect.poll(() => add.isEnabled()).toBe(true);
  await field.press('Enter');
  await expect.poll(names).toEqual(['films/old/marathon.mp4']);

  await field.fill('nothing.mp4');
  await field.press('Enter');
  await page.getByText('No stored file has nothing.mp4 in its path.').waitFor();
  await expect.poll(() => add.isDisabled()).toBe(true);
  await expectAccessible(page);
  // One that another program writes later can be added all the same.
  await page.getByRole('button', { name: 'Add it anyway: it will be there later' }).click();
  await expect.poll(names).toEqual(['films/old/marathon.mp4', 'nothing.mp4']);
  // The name of such a file may be a part of that of another one.
  await field.fill('arble.mp4');
  await page.getByRole('option', { name: /^marble\.mp4/ }).waitFor();
  await field.press('Enter');
  await page.getByText('No stored file has the path arble.mp4.').waitFor();
  await page.getByRole('button', { name: 'Add it anyway: it will be there later' }).click();
  await expect.poll(names).toEqual(['films/old/marathon.mp4', 'nothing.mp4', 'arble.mp4']);
  await field.fill('https://example.org/film.mp4');
  await expect.poll(() => add.isEnabled()).toBe(true);
  expect(errors).toEqual([]);
});

test('the list of found files says that there are more of them, and that not all names were looked at', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'searcher');
  for (let index = 100; index < 160; index++) await writeFile(join(folder, `clip-${index}.mp4`), '');
  await mkdir(join(folder, 'films'));
  await writeFile(join(folder, 'films/marathon.mp4'), '');
  await signIn();
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  const more = page
    .getByRole('status', { includeHidden: true })
    .filter({ hasText: 'There are more: type a part of the name.' });
  await field.fill('lip');
  await more.waitFor();
  expect(await page.getByRole('option').count()).toBe(50);
  await field.fill('lip-12');
  await expect.poll(() => page.getByRole('option').count()).toBe(10);
  expect(await more.count()).toBe(0);
  // In a media root with more names than the service looks at in one request, and then with more than the page reads.
  const isLater = (url: string): boolean => new URL(url).searchParams.has('cursor');
  const searches = /\/api\/files\?.*q=/;
  await page.route(searches, async (route) =>
    isLater(route.request().url()) ? route.fallback() : route.fulfill({ json: { files: [], nextCursor: 'YQ' } }),
  );
  await field.fill('rathon');
  await page.getByRole('option', { name: /^films\/marathon\.mp4/ }).waitFor();
  await page.unroute(searches);
  await page.route(searches, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...((await reply.json()) as object), nextCursor: 'bQ' } });
  });
  const notSearched = page.getByText('Not all folders were searched: type the folder of the file.');
  await field.fill('athon');
  await page.getByRole('option', { name: /^films\/marathon\.mp4/ }).waitFor();
  await notSearched.waitFor();
  // There may be another one, so Enter chooses only a whole path, and nothing is said to be missing.
  await field.fill('athon.mp4');
  await page.getByRole('option', { name: /^films\/marathon\.mp4/ }).waitFor();
  await field.press('Enter');
  await page.getByText('No stored file has the path athon.mp4. Not all folders were searched').waitFor();
  await field.fill('marathon.mp4');
  await page.getByRole('option', { name: /^films\/marathon\.mp4/ }).waitFor();
  await field.press('Enter');
  await page.getByText('No stored file has the path marathon.mp4. Not all folders were searched').waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
  const inFolder = page.waitForRequest((request) => request.url().includes('prefix=films%2F&q=athon'));
  await field.fill('films/athon');
  await inFolder;
  await field.fill('nothing');
  await expect.poll(() => page.getByRole('option').count()).toBe(0);
  await notSearched.waitFor();
  await field.press('Escape');
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a file that is dropped beside the drop zones does not replace the console', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'dropper');
  await signIn();
  const isPrevented = await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['film'], 'film.mp4'));
    const options = { bubbles: true, cancelable: true, dataTransfer };
    return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(new DragEvent(type, options)));
  })()`);
  expect(isPrevented).toEqual([true, true]);
});

test('stored files are browsed folder by folder, in a list that stays open', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'browser');
  await putSmallMovie(folder, 2, 'films/old/marathon.mp4');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  const options = () => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').allInnerTexts();
  const option = (name: RegExp) => page.getByRole('option', { name });
  await page.getByRole('button', { name: 'Browse stored files…' }).click();
  await expect.poll(options).toEqual(['films/', expect.stringMatching(/^in\.mp4/)]);
  await option(/^films\/$/).click();
  await expect.poll(options).toEqual([expect.stringMatching(/^\.\.\//), 'films/old/']);
  await option(/^\.\.\//).click();
  await option(/^in\.mp4/).waitFor();
  // By keys, too.
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.fill('fil');
  await option(/^films\/$/).waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await option(/^films\/old\/$/).waitFor();
  await option(/^films\/old\/$/).click();
  await option(/marathon/).click();
  await page.getByRole('article', { name: 'films/old/marathon.mp4' }).waitFor();
  await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
  expect(errors).toEqual([]);
});

test.for(['Enter', 'Tab'])(
  'a path that is typed and left by %s before the list of stored files is loaded leaves no list open over the page',
  async (key) => {
    const { server } = await start();
    const { page, errors, folder, signIn } = await consoleVisitor(open, server, `quick-${key.toLowerCase()}`);
    await putSmallMovie(folder, 1, 'in.mp4');
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    await page.route('**/assets/suggest-combobox*', async (route) => {
      await isLeft;
      await route.continue();
    });
    await signIn();
    const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
    await field.fill('in.mp4');
    const plain = await field.elementHandle();
    await field.press(key);
    if (key === 'Enter') await page.getByRole('article', { name: 'in.mp4' }).waitFor();
    leave();
    const isShown = () => plain?.evaluate((element) => (element as unknown as { isConnected: boolean }).isConnected);
    await expect.poll(isShown).toBe(false);
    // An open list would hide the rest of the page from screen readers.
    await page.getByRole('heading', { name: 'Workbench' }).waitFor();
    expect(await page.getByRole('listbox').count()).toBe(0);
    expect(errors).toEqual([]);
  },
);

test('what is below a source does not move while its pictures and its strip are loaded', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'steady');
  await putSmallMovie(folder, 8, 'in.mp4');
  const pictures = Promise.withResolvers<void>();
  const strip = Promise.withResolvers<void>();
  const probe = Promise.withResolvers<void>();
  const after = (held: Promise<void>) => async (route: { continue(): Promise<void> }) => {
    await held;
    await route.continue();
  };
  // Drawn here, because on a busy machine the service takes longer than the test waits.
  await page.route(/view=(?:frame|sheet|waveform)/, async (route) => {
    await pictures.promise;
    const size = route.request().url().includes('sheet') ? 'width="1280" height="88"' : 'width="320" height="180"';
    const body = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="99" height="99"/></svg>`;
    await route.fulfill({ contentType: 'image/svg+xml', body });
  });
  // A warning of the check would have a line of its own.
  await page.route(/dryRun=true/, () => undefined);
  await page.route(/trim-strip.*\.js/, after(strip.promise));
  await page.route(/\/api\/probe/, after(probe.promise));
  await signIn();
  const field = page.getByLabel('Or a stored file, or a URL');
  await field.fill('in.mp4');
  await field.press('Enter');
  const card = page.getByRole('article', { name: 'in.mp4' });
  await card.getByText('Reading the file…').waitFor();
  const top = async () => Math.round((await page.getByLabel('What to do').boundingBox())?.y ?? -1);
  const unread = await top();
  probe.resolve();
  await card.getByText(/^h264/).waitFor();
  const read = await top();
  strip.resolve();
  await card.getByRole('slider', { name: 'Start of the part' }).waitFor();
  expect(await top()).toBe(read);
  pictures.resolve();
  await card.locator('img[data-state="loaded"]').waitFor();
  await waitUntilDrawn(card.getByRole('img', { name: 'Frame of in.mp4' }));
  expect(await top()).toBe(read);
  // The size of the video and the text of its streams are known only when it is read.
  expect(Math.abs(read - unread)).toBeLessThan(32);
  expect(errors).toEqual([]);
});
