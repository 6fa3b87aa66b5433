import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { dropFiles } from '../support/drop-files.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const SUBTITLES = `1
00:00:01,000 --> 00:00:04,000
Good morning.

2
00:00:05,000 --> 00:00:07,500
Good night.
`;

/** A person at the workbench with a film of eight seconds and a recipe. */
async function withRecipe(name: string, words: string, title: string) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name);
  const { page, folder, signIn } = visitor;
  await putSmallMovie(folder, 8, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByLabel('What to do').fill(words);
  await page.getByRole('button', { name: title }).first().click();
  // It moves what is below it.
  await page.getByRole('slider', { name: 'Start of the part' }).waitFor();
  return visitor;
}

test('a recipe says which file it needs next, shows its cues, and shifts them in a copy', async () => {
  const { page, errors, folder, client } = await withRecipe(
    'subtitler',
    'burn subtitles',
    'Subtitles burnt into the video',
  );
  const file = join(folder, '..', 'talk.srt');
  await writeFile(file, SUBTITLES);
  await dropFiles(page.getByText('Drop the subtitles here'), [file]);
  const card = page.getByRole('article', { name: 'talk.srt' });
  await card.getByText('2 cues').click();
  await card.getByText('Good morning.').waitFor();
  await page.getByText('Drop the font here, if you want').waitFor();
  await expectAccessible(page);

  // The field says which sign is earlier. What is typed and not in force is not converted without a word.
  const shift = card.getByLabel('Shift by seconds');
  const convert = page.getByRole('button', { name: 'Convert', exact: true });
  await card.getByText('Less than 0 is earlier').waitFor();
  await shift.fill('1.5');
  await card.getByText('0:01.000 → 0:02.500', { exact: true }).waitFor();
  await card.getByText('1.5 s later: the first words at 0:02.500 instead of 0:01.000').waitFor();
  await page.getByText('The shift of the subtitles, 1.5 s later, is not in force yet.').waitFor();
  expect(await convert.getAttribute('aria-disabled')).toBe('true');
  await shift.press('Tab');
  const shifted = page.getByRole('article', { name: 'talk (+1.5 s).srt' });
  expect(await shifted.getByLabel('Shift by seconds').inputValue()).toBe('1.5');
  expect((await client.list()).jobs).toEqual([]);
  // It counts from the original, and an equal copy is not stored twice.
  await page.getByText('Ready.').waitFor();
  await shifted.getByLabel('Shift by seconds').fill('0');
  await shifted.getByLabel('Shift by seconds').press('Enter');
  await card.getByLabel('Shift by seconds').fill('1.5');
  await card.getByLabel('Shift by seconds').press('Enter');
  await shifted.waitFor();
  const stored = (await client.listFiles('talk')).files.map(({ path }) => path).toSorted();
  expect(stored).toEqual(['talk (+1.5 s).srt', 'talk.srt']);

  // The list and the field stay, with the times before and after the shift.
  const field = shifted.getByLabel('Shift by seconds');
  expect(await field.evaluate((one) => one.matches(':focus'))).toBe(true);
  await shifted.getByText('0:05.000 → 0:06.500', { exact: true }).waitFor();
  for (const wrong of ['', '36001']) {
    await field.fill(wrong);
    await field.press('Tab');
    await shifted.getByText('Type a number from −36000 to 36000, or 0 for no shift.').waitFor();
    expect(await field.inputValue()).toBe(wrong);
    expect(await convert.getAttribute('aria-disabled')).toBe('true');
  }
  await field.fill('1.5');

  // The preview draws them at the time of the frames.
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  await page.getByRole('slider', { name: 'Line between source and result' }).waitFor({ timeout: 60_000 });
  const [preview] = (await client.list()).jobs;
  expect(preview?.parameters?.['vf']).toMatch(/^setpts=PTS\+\([\d.]+\)\/TB,.*subtitles=.*,setpts=PTS-/);
  expect(errors).toEqual([]);
});

test('a press on "Convert" while a shift is typed converts with that shift', async () => {
  const { page, errors, folder, client } = await withRecipe(
    'hasty',
    'burn subtitles',
    'Subtitles burnt into the video',
  );
  await writeFile(join(folder, 'talk.srt'), SUBTITLES);
  const stored = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await stored.fill('talk.srt');
  await stored.press('Enter');
  await page.getByText('Ready.').waitFor();
  const shift = page.getByRole('article', { name: 'talk.srt' }).getByLabel('Shift by seconds');
  await shift.fill('36001');
  await page.getByRole('button', { name: 'Convert', exact: true }).click({ force: true });
  await page.getByText('The shift of the subtitles is not a number').waitFor();
  await shift.fill('1.5');
  await page.getByRole('button', { name: 'Convert', exact: true }).click({ force: true });
  await expect.poll(async () => (await client.list()).jobs.length, { timeout: 60_000 }).toBe(1);
  const [job] = (await client.list()).jobs;
  expect(JSON.stringify(job)).toContain('talk (+1.5 s).srt');
  expect(errors).toEqual([]);
});

test('an original that cannot be read for a moment is not called gone', async () => {
  const { page, errors, folder } = await withRecipe('unread', 'burn subtitles', 'Subtitles burnt into the video');
  await writeFile(join(folder, 'talk.srt'), SUBTITLES);
  await writeFile(
    join(folder, 'talk (+1 s).srt'),
    SUBTITLES.replace('00:00:01', '00:00:02').replace('00:00:04', '00:00:05'),
  );
  await page.route('**/api/files/talk.srt*', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 403, code: 'FORBIDDEN', title: 'Forbidden', detail: 'Not now.' }),
    }),
  );
  const stored = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await stored.fill('talk (+1 s).srt');
  await stored.press('Enter');
  const card = page.getByRole('article', { name: 'talk (+1 s).srt' });
  await card.getByRole('alert').getByText('Not now.').waitFor();
  expect(await card.getByText('is gone').count()).toBe(0);
  await page.unroute('**/api/files/talk.srt*');
  await card.getByRole('button', { name: 'Try again' }).click();
  await card.getByLabel('Shift by seconds').waitFor();
  expect(errors).toEqual([]);
});

test('the cues of a shifted copy have the times of its original, and those that it lacks', async () => {
  const { page, errors, folder } = await withRecipe('early-words', 'burn subtitles', 'Subtitles burnt into the video');
  await writeFile(join(folder, 'talk.srt'), SUBTITLES);
  const stored = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await stored.fill('talk.srt');
  await stored.press('Enter');
  const card = page.getByRole('article', { name: 'talk' });
  const shift = card.getByLabel('Shift by seconds');
  await card.getByText('2 cues').click();
  await shift.fill('-2');
  await shift.press('Enter');
  await page.getByRole('article', { name: 'talk (−2 s).srt' }).waitFor();
  // Its first words begin at the start of the film, and not before.
  await card.getByText('2 s earlier: the first words at 0:00.000 instead of 0:01.000').waitFor();
  await card.getByText('0:01.000 → 0:00.000', { exact: true }).waitFor();
  await shift.fill('-4.5');
  await shift.press('Enter');
  await page.getByRole('article', { name: 'talk (−4.5 s).srt' }).waitFor();
  await card.getByText('4.5 s earlier: the first words at 0:00.500 instead of 0:05.000').waitFor();
  await card.getByText('Good morning.').waitFor();
  expect(errors).toEqual([]);
});

test('a shift keeps what was changed by hand in a shifted copy', async () => {
  const { page, errors, folder } = await withRecipe('edited-words', 'burn subtitles', 'Subtitles burnt into the video');
  await writeFile(join(folder, 'talk.srt'), SUBTITLES);
  const stored = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await stored.fill('talk.srt');
  await stored.press('Enter');
  const card = page.getByRole('article', { name: 'talk' });
  const shift = card.getByLabel('Shift by seconds');
  await shift.fill('1.5');
  await shift.press('Enter');
  await page.getByRole('article', { name: 'talk (+1.5 s).srt' }).waitFor();
  const copy = join(folder, 'talk (+1.5 s).srt');
  await writeFile(copy, (await readFile(copy, 'utf8')).replace('Good morning.', 'Good evening.'));
  await shift.fill('2');
  await shift.press('Enter');
  await page.getByRole('article', { name: 'talk (+1.5 s) (+0.5 s).srt' }).waitFor();
  await card.getByText('0.5 s later: the first words at 0:03.000 instead of 0:02.500').waitFor();
  const text = await readFile(join(folder, 'talk (+1.5 s) (+0.5 s).srt'), 'utf8');
  expect(text).toContain('00:00:03,000 --> 00:00:06,000\nGood evening.');
  // Without a shift, it is the copy again, and says from what a shift counts.
  await shift.fill('0');
  await shift.press('Enter');
  await card.getByText('talk.srt is gone, or is not what this file was shifted from').waitFor();
  expect(await shift.inputValue()).toBe('0');
  expect(errors).toEqual([]);
});

test('a region is drawn on the picture, dragged, or moved by keys, and its numbers follow', async () => {
  const { page, errors } = await withRecipe('cropper', 'crop to a rectangle', 'Crop to a region');
  const value = async (name: string) => Number(await page.getByLabel(new RegExp(`^${name}\\b`, 'i')).inputValue());
  const none = page.getByRole('button', { name: 'Region: draw it' });
  // The picture is brought into sight, and no region is guessed.
  const { height: window = 0 } = page.viewportSize() ?? {};
  await expect
    .poll(async () => {
      const box = await none.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= window;
    })
    .toBe(true);
  expect(await page.getByRole('button', { name: 'corner of the region' }).count()).toBe(0);
  const picture = await none.boundingBox();
  if (picture === null) throw new Error('The picture is not shown.');
  const drag = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    const at = ([x, y]: readonly [number, number]) =>
      [picture.x + x * picture.width, picture.y + y * picture.height] as const;
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]), { steps: 3 });
    await page.mouse.move(...at(to), { steps: 3 });
    await page.mouse.up();
  };
  const sides = async () => [await value('x'), await value('y'), await value('width'), await value('height')];
  // From the lower right corner of the new region to its upper left one.
  await drag([0.75, 0.75], [0.25, 0.5]);
  const [x = 0, y = 0, wide = 0, high = 0] = await sides();
  expect(Math.abs(x * 2 - wide)).toBeLessThanOrEqual(3);
  expect(Math.abs(y - high * 2)).toBeLessThanOrEqual(3);
  // A press draws nothing. A drag from outside of the region draws another one, and one from its inside moves it.
  await page.mouse.click(picture.x + 5, picture.y + 5);
  expect(await sides()).toEqual([x, y, wide, high]);
  await drag([0.05, 0.05], [0.5, 0.5]);
  const second = await sides();
  expect(second[0]).toBeLessThan(x);
  await drag([0.25, 0.25], [0.5, 0.5]);
  const moved = await sides();
  expect(moved.slice(2)).toEqual(second.slice(2));
  expect(moved[0]).toBeGreaterThan(second[0] ?? 0);
  // A press that just misses it grabs it too, and draws no other one.
  const inside = await page.getByRole('button', { name: 'Region: drag it' }).boundingBox();
  const beside = (inside?.x ?? 0) - picture.x - 4;
  await drag([beside / picture.width, 0.6], [(beside - 10) / picture.width, 0.6]);
  const grabbed = await sides();
  expect(grabbed.slice(2)).toEqual(second.slice(2));
  expect(grabbed[0]).toBeLessThan(moved[0] ?? 0);
  await drag([0.5, 0.5], [0, 0]);

  const corner = page.getByRole('button', { name: 'Lower right corner of the region' });
  const box = await corner.boundingBox();
  if (box === null) throw new Error('The corner is not shown.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 20, box.y - 10, { steps: 3 });
  await page.mouse.up();
  expect(await value('x')).toBe(0);
  const width = await value('width');
  expect(width).toBeGreaterThan(16);
  expect(width).toBeLessThan(second[2] ?? 0);
  await page.getByRole('button', { name: 'Region: drag it' }).press('Shift+ArrowRight');
  expect(await value('x')).toBe(10);
  await corner.press('ArrowLeft');
  expect(await value('width')).toBe(width - 1);
  await page.getByLabel('Aspect ratio').selectOption('1:1');
  expect(await value('width')).toBe(await value('height'));
  await page.getByLabel(/^x\b/i).fill('20');
  await page.getByText(/ at 20, /).waitFor();
  await page.getByText('Ready.').waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a text is put into a corner of the picture by a click, by keys, or by dragging it', async () => {
  const { page, errors } = await withRecipe('placer', 'text on the video', 'Text on the video');
  // The picture does not fill in the words, so their field has the focus.
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("aria-required")')).toBe('true');
  const places = page.getByRole('group', { name: 'Place of the text' });
  await places.getByRole('radio', { name: 'Top right' }).check();
  expect(await page.getByLabel(/^place$/i).inputValue()).toBe('top-right');
  await places.scrollIntoViewIfNeeded();
  const box = await places.boundingBox();
  if (box === null) throw new Error('The picture is not shown.');
  // Each place is where its name says.
  const middleOf = async (name: string) => {
    const place = await places.getByRole('radio', { name, exact: true }).boundingBox();
    if (place === null) throw new Error(`The place ${name} is not shown.`);
    return [(place.x + place.width / 2 - box.x) / box.width, (place.y + place.height / 2 - box.y) / box.height];
  };
  const [left = 1, top = 1] = await middleOf('Top left');
  expect(Math.max(left, top)).toBeLessThan(0.15);
  for (const [name, x, y] of [
    ['Top right', 1 - left, top],
    ['Bottom left', left, 1 - top],
    ['Bottom right', 1 - left, 1 - top],
    ['Centre', 0.5, 0.5],
  ] as const) {
    const [isX = -1, isY = -1] = await middleOf(name);
    expect(isX, name).toBeCloseTo(x, 1);
    expect(isY, name).toBeCloseTo(y, 1);
  }
  const text = places.getByText('text', { exact: true });
  const from = await text.last().boundingBox();
  if (from === null) throw new Error('The text is not shown.');
  await page.mouse.move(from.x + 6, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 10, box.y + box.height - 10, { steps: 4 });
  await page.mouse.up();
  expect(await places.getByRole('radio', { name: 'Bottom left' }).isChecked()).toBe(true);
  await page.getByLabel(/^place$/i).selectOption('centre');
  expect(await places.getByRole('radio', { name: 'Centre' }).isChecked()).toBe(true);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});
