import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** The sum of layout shifts that is allowed. Browsers call 0.1 good: https://web.dev/articles/cls. */
const ALLOWED = 0.02;

/** Chromium does not count shifts of this time, in ms, after an input: the user expects them. */
const EXPECTED_MS = 500;

interface Shift {
  readonly value: number;
  readonly hadRecentInput: boolean;
  /** The texts of what moved. */
  readonly moved: readonly string[];
}

/** Begins to record the layout shifts of a page. */
const record = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    globalThis.shifts = [];
    globalThis.lastInputMs = 0;
    for (const type of ['keydown', 'keyup', 'pointerdown', 'pointerup'])
      addEventListener(type, () => { lastInputMs = performance.now(); }, true);
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        shifts.push({ value, hadRecentInput, moved: sources.map(({ node }) => node?.textContent.slice(0, 60)) });
    }).observe({ type: 'layout-shift' });
  }`);

/** Resolves when the page has drawn what it has. The observer is told of a shift after the frame in which it is. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))');

/** Resolves when a shift would no longer count as an answer to an input. */
const waitUntilUnexpected = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    const look = () => (performance.now() - lastInputMs > ${EXPECTED_MS} ? done() : requestAnimationFrame(look));
    look();
  })`);

/** Holds the requests that match until the returned function is called. */
async function hold(page: Page, pattern: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route: Route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const PHONE = 390;

test.for([
  { width: 1440, file: 'in.mp4', recipe: '' },
  { width: PHONE, file: 'in.mp4', recipe: '' },
  { width: 1440, file: 'in.mp4', recipe: 'plays everywhere' },
  { width: PHONE, file: 'in.mp4', recipe: 'plays everywhere' },
  // Its arguments are chosen on a frame of the source.
  { width: 1440, file: 'in.mp4', recipe: 'crop' },
  { width: PHONE, file: 'in.mp4', recipe: 'crop' },
  { width: 1440, file: 'song.flac', recipe: '' },
  { width: PHONE, file: 'song.flac', recipe: '' },
])('the workbench stays in its place while a source is read and checked: %o', async ({ width, file, recipe }) => {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, `still-${width}-${file}-${recipe.slice(0, 4)}`, { width });
  const { page, errors, folder, signIn } = visitor;
  await putSmallMovie(folder, 8, 'in.mp4');
  await putSample(folder, 'flac', 'song.flac');
  const read = await hold(page, /\/api\/probe/);
  const check = await hold(page, /dryRun=true/);
  await signIn();
  await chooseRecipe(page, recipe);
  const field = page.getByLabel('Or a stored file, or a URL');
  await field.fill(file);
  await page.getByRole('option', { name: file }).waitFor();
  await record(page);
  await field.press('Enter');
  await page.getByRole('article').getByText('Reading the file…').waitFor();
  await waitUntilUnexpected(page);
  read();
  await waitUntilRead(page, file);
  check();
  await expectStill(page);
  expect(errors).toEqual([]);
});

test.for([1440, PHONE])('the workbench stays in its place when an upload ends, in a window of %i', async (width) => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, `still-upload-${width}`, { width });
  const disk = join(folder, '..', `disk-${width}`);
  await putSmallMovie(disk, 8, 'in.mp4');
  const upload = await hold(page, /\/api\/uploads/);
  const read = await hold(page, /\/api\/probe/);
  await signIn();
  await chooseRecipe(page, '');
  await page.locator('input[type="file"]').first().setInputFiles(join(disk, 'in.mp4'));
  const card = page.getByRole('article', { name: 'in.mp4' });
  await card.getByRole('progressbar').waitFor();
  await settle(page);
  await record(page);
  upload();
  await card.getByText('Reading the file…').waitFor();
  await settle(page);
  read();
  await waitUntilRead(page, 'in.mp4');
  await expectStill(page);
  expect(errors).toEqual([]);
});

/** Chooses the first recipe that a search finds, if there are words, and shows the top of the page. */
async function chooseRecipe(page: Page, words: string): Promise<void> {
  await page.getByRole('list', { name: 'Recipes' }).getByRole('button').first().waitFor();
  if (words !== '') {
    await page.getByLabel('What to do').fill(words);
    await page.getByLabel('What to do').press('Enter');
    await page.getByRole('button', { name: 'Choose another' }).waitFor();
    // What the recipe does, and its arguments, arrive after its name.
    await page
      .getByText(/^(?:Quality|Region)/)
      .first()
      .waitFor();
    await settle(page);
  }
  await page.evaluate('scrollTo(0, 0)');
}

/** Resolves when the card of a source has its facts, its strip and its pictures. */
async function waitUntilRead(page: Page, file: string): Promise<void> {
  const card = page.getByRole('article', { name: file });
  await card.getByText(/^(?:h264|flac)/).waitFor();
  await card.getByRole('slider', { name: 'Start of the part' }).waitFor();
  if (!file.endsWith('.mp4')) return;
  await waitUntilDrawn(card.getByRole('img', { name: `Frame of ${file}` }));
  await card.locator('img[data-state="loaded"]').waitFor();
}

/** Waits for the end of the check. Nothing has moved much that the user did not expect. */
async function expectStill(page: Page): Promise<void> {
  await page
    .getByRole('group', { name: 'Run' })
    .getByText(/Ready\.|Fill in/)
    .waitFor();
  await settle(page);
  const shifts = ((await page.evaluate('shifts')) as readonly Shift[]).filter((one) => !one.hadRecentInput);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(ALLOWED);
}
