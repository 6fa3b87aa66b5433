import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const SUBTITLES = `1
00:00:01,000 --> 00:00:02,000
Before the part.

2
00:00:08,000 --> 00:00:09,000
Good morning.

3
00:00:09,500 --> 00:00:10,500
Good night.
`;

/** A person at the workbench who adds three cues to a film of twelve seconds, usually to its picture. */
async function subtitler(name: string, width?: number, recipe = 'burn-subtitles') {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name, width === undefined ? {} : { width });
  const { page, folder, signIn } = visitor;
  await putSmallMovie(folder, 12, 'in.mp4');
  await writeFile(join(folder, 'talk.srt'), SUBTITLES);
  await signIn();
  await page.goto(`${server.url}/?source=in.mp4&recipe=${recipe}`);
  await page.getByRole('slider', { name: 'Start of the part' }).waitFor();
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.fill('talk.srt');
  await field.press('Enter');
  await page.getByText(/^Ready\./).waitFor();
  return {
    ...visitor,
    preview: page.getByRole('region', { name: 'Preview' }),
    cues: page.getByRole('article', { name: 'talk.srt' }),
  };
}

/** Chooses the seconds from 6 to 11 of the film. */
async function choosePart(page: Page): Promise<void> {
  for (let second = 0; second < 6; second++)
    await page.getByRole('slider', { name: 'Start of the part' }).press('Shift+ArrowRight');
  await page.getByRole('slider', { name: 'End of the part' }).press('Shift+ArrowLeft');
  await page.getByLabel('Value of to').fill('11');
  await page.getByLabel('Value of ss').fill('6');
  await page.getByText(/^Ready\./).waitFor();
}

test('a preview is of the part that is chosen, begins with its first words, and shows the result whole', async () => {
  const { page, errors, client, preview } = await subtitler('part-of-words');
  await choosePart(page);
  await page.getByRole('button', { name: 'Show a preview' }).click();
  const position = preview.getByRole('slider', { name: 'Start', exact: true });
  await position.waitFor();
  expect(await position.getAttribute('aria-valuetext')).toBe('2.9\u00a0s from 8.1\u00a0s');
  for (const [name, value] of [
    ['min', '6'],
    ['max', '10'],
  ] as const)
    expect(await position.getAttribute(name), name).toBe(value);
  const line = preview.getByRole('slider', { name: 'Line between source and result' });
  await line.waitFor({ timeout: 60_000 });
  expect(await line.getAttribute('aria-valuetext')).toBe('0 % source');
  await preview.getByText('Size per minute').waitFor({ timeout: 60_000 });
  const samples = (await client.list()).jobs.filter(({ output }) => output?.startsWith('console-previews/') === true);
  const parts = samples.map(({ inputs: [film] = [] }) => (typeof film === 'string' ? undefined : film?.parameters));
  expect(parts).toContainEqual({ ss: '8.1', t: '2.9' });
  expect(new Set(parts.map((one) => one?.['ss']))).toEqual(new Set(['8.1']));
  // The line still divides them.
  await line.press('End');
  expect(await line.getAttribute('aria-valuetext')).toBe('100 % source');
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a cue of the list is seen in the preview, by a click and by keys', async () => {
  const { page, errors, preview, cues } = await subtitler('cue-by-cue');
  await cues.getByText('3 cues').click();
  const cue = (text: string) => cues.getByRole('button', { name: text });
  await cue('Good morning.').click();
  const position = preview.getByRole('slider', { name: 'Start', exact: true });
  await position.waitFor();
  expect(await position.getAttribute('aria-valuetext')).toBe('3\u00a0s from 7.5\u00a0s');
  // It begins before the cue, and shows it first.
  const frame = preview.getByRole('slider', { name: 'Frame', exact: true });
  await frame.waitFor({ timeout: 60_000 });
  expect(await frame.getAttribute('aria-valuetext')).toMatch(/^0:08\.[01]\d*, frame \d+ of \d+$/);
  expect(await cue('Good morning.').getAttribute('aria-current')).toBe('true');
  // The list is one stop of the Tab key.
  expect(await cues.locator('li button[tabindex="0"]').count()).toBe(1);
  await cue('Good morning.').focus();
  await page.keyboard.press('ArrowDown');
  expect(await cue('Good night.').evaluate((one) => one.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => position.inputValue()).toBe('9');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await expect.poll(() => position.inputValue()).toBe('0.5');
  await preview.getByRole('slider', { name: 'Line between source and result' }).waitFor({ timeout: 60_000 });
  await expectAccessible(page);

  await page.getByLabel('Value of ss').waitFor({ state: 'detached' });
  await choosePart(page);
  await expect.poll(() => position.getAttribute('min')).toBe('6');
  await cue('Before the part.').click();
  await preview.getByText('That cue is not in the part that is converted.').waitFor();
  expect(errors).toEqual([]);
});

test('on a phone, a chosen cue leads to the preview, above the bar with the main button', async () => {
  const { page, errors, preview, cues } = await subtitler('cue-on-a-phone', 390);
  await cues.getByText('3 cues').click();
  await cues.getByRole('button', { name: 'Good morning.' }).click();
  const position = preview.getByRole('slider', { name: 'Start', exact: true });
  await position.waitFor();
  const bar = page.getByRole('group', { name: 'Run' });
  await expect
    .poll(async () => {
      const [inner, outer] = [await position.boundingBox(), await bar.boundingBox()];
      return inner !== null && outer !== null && inner.y >= 0 && inner.y + inner.height <= outer.y;
    })
    .toBe(true);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('cues that become a track of the video lead to no preview, which does not show them', async () => {
  const { page, errors, cues } = await subtitler('cues-of-a-track', undefined, 'soft-subtitles');
  await cues.getByText('3 cues').click();
  await cues.getByText('Good morning.').waitFor();
  expect(await cues.getByText('Choose a cue to see it in the preview.').count()).toBe(0);
  expect(await cues.getByRole('button', { name: 'Good morning.' }).count()).toBe(0);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a part that counts from the end of the film is previewed with its own words', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'words-of-the-end');
  await putSmallMovie(folder, 12, 'in.mp4');
  await writeFile(join(folder, 'talk.srt'), SUBTITLES);
  await signIn();
  const { durationSeconds = 0 } = (await client.probe({ input: 'in.mp4' })).format;
  await page.getByRole('button', { name: 'Paste a command' }).click();
  const command = 'ffmpeg -sseof -6 -i in.mp4 -i talk.srt -map 0 -vf subtitles=talk.srt out.mp4';
  await page.getByRole('textbox', { name: 'Command line of ffmpeg' }).fill(command);
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Size per minute').waitFor({ timeout: 60_000 });
  const position = preview.getByRole('slider', { name: 'Start', exact: true });
  expect(Number(await position.getAttribute('min'))).toBeCloseTo(durationSeconds - 6, 1);
  // The first words are a second after the start of the part.
  expect(Number(await position.inputValue())).toBeCloseTo(durationSeconds - 4.9, 1);
  const drawn = (await client.list()).jobs.filter(({ parameters }) => parameters?.['vf'] !== undefined);
  expect(drawn.length).toBeGreaterThan(1);
  for (const { inputs: [film] = [], parameters } of drawn) {
    const at = Number(typeof film === 'object' ? film.parameters?.['ss'] : Number.NaN);
    const [, shift] = /^setpts=PTS\+\(([\d.]+)\)\/TB,subtitles=/.exec(String(parameters?.['vf'])) ?? [];
    expect(at - Number(shift)).toBeCloseTo(durationSeconds - 6, 2);
  }
  expect(errors).toEqual([]);
});

test('the description of a file that a recipe reads has names as code, without backticks', async () => {
  const { page } = await subtitler('code-in-words');
  const files = page.getByRole('list', { name: 'Files that the recipe reads' });
  expect(await files.locator('code').allInnerTexts()).toEqual(['fontName']);
  expect(await page.locator('main').innerText()).not.toContain('`');
});

test('a recipe that needs subtitles is not proposed for a film without them, and one that works comes first', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'without-subtitles');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/?source=in.mp4`);
  const bar = page.getByRole('group', { name: 'Run' });
  await bar.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'subtitles', exact: true }).click();
  await bar.getByText('"subtitles" is not applied. Choose a recipe, or remove the words.').waitFor();
  expect(await bar.getByRole('button', { name: /^Use/ }).count()).toBe(0);
  const recipes = page.getByRole('list', { name: 'Recipes' }).getByRole('button');
  const titles = await recipes.locator('strong').allInnerTexts();
  const placeOf = (title: string): number => titles.findIndex((one) => one.startsWith(title));
  expect(placeOf('Subtitles out of a video')).toBe(titles.length - 1);
  for (const title of ['Subtitles burnt into the video', 'Subtitles as a track of the video'])
    expect(placeOf(title), title).toBeGreaterThanOrEqual(0);
  const extract = recipes.filter({ hasText: 'Subtitles out of a video' });
  await extract.getByText('Not possible: in.mp4 has no subtitles.').waitFor();
  await page.getByLabel('What to do').press('Enter');
  await page.getByText('“Subtitles out of a video” is not possible, so Enter chose none').waitFor();
  await expectAccessible(page);

  // It can be chosen, and then says why it cannot run.
  await extract.click();
  await bar.getByText('The source does not fit this conversion. The job would fail.').waitFor();
  const recipe = page.getByRole('region', { name: 'Subtitles out of a video' });
  const lack = '"in.mp4" has no subtitle stream, only video and audio, and the recipe "extract-subtitles" needs one.';
  await recipe.getByText(lack).waitFor();
  await expectAccessible(page);

  // A job without a check before says the same.
  const request = { input: 'in.mp4', output: 'out.srt', preset: { name: 'extract-subtitles' } };
  const { error } = await client.wait((await client.submit(request)).jobId);
  expect(error).toMatchObject({ code: 'INPUT_INVALID', message: lack });
  expect(errors).toEqual([]);
});

test('a result with words in its picture is compared with its source whole, until the line is moved', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'titled');
  await putClip(folder, '480p', 2, 'in.mp4');
  const preset = { name: 'text-overlay', arguments: { text: 'Hello' } };
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'titled.mp4', preset });
  expect((await client.wait(jobId)).status).toBe('COMPLETED');
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Compare with the source' }).click();
  const line = page.getByRole('slider', { name: 'Line between source and result' });
  await expect.poll(() => line.getAttribute('aria-valuetext')).toBe('0 % source');
  // Only what is seen is named.
  const named = (name: string) => page.locator('span[aria-hidden="true"]').getByText(name, { exact: true });
  await named('Result').waitFor();
  expect(await named('Source').count()).toBe(0);
  await line.press('ArrowRight');
  await named('Source').waitFor();
  expect(errors).toEqual([]);
});
