import { writeFile } from 'node:fs/promises';
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

  await card.getByLabel('Shift by seconds').fill('1.5');
  await card.getByText('0:02.500').waitFor();
  await card.getByRole('button', { name: 'Use a shifted copy' }).click();
  await page.getByRole('article', { name: 'talk (+1.5 s).srt' }).waitFor();
  const stored = (await client.listFiles('talk')).files.map(({ path }) => path).toSorted();
  expect(stored).toEqual(['talk (+1.5 s).srt', 'talk.srt']);

  // The preview draws them at the time of the frames.
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  await page.getByRole('slider', { name: 'Line between source and result' }).waitFor({ timeout: 60_000 });
  const [preview] = (await client.list()).jobs;
  expect(preview?.parameters?.['vf']).toMatch(/^setpts=PTS\+\([\d.]+\)\/TB,.*subtitles=.*,setpts=PTS-/);
  expect(errors).toEqual([]);
});

test('a region is dragged on the picture, or moved by keys, and its numbers follow', async () => {
  const { page, errors } = await withRecipe('cropper', 'crop to a rectangle', 'Crop to a region');
  const corner = page.getByRole('button', { name: 'Lower right corner of the region' });
  await corner.scrollIntoViewIfNeeded();
  const box = await corner.boundingBox();
  if (box === null) throw new Error('The corner is not shown.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 80, box.y - 40, { steps: 3 });
  await page.mouse.up();
  const value = async (name: string) => Number(await page.getByLabel(new RegExp(`^${name}\\b`, 'i')).inputValue());
  const width = await value('width');
  expect(width).toBeGreaterThan(16);
  expect(width).toBeLessThan(214);
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
  const places = page.getByRole('group', { name: 'Place of the text' });
  await places.getByRole('radio', { name: 'Top right' }).check();
  expect(await page.getByLabel(/^place$/i).inputValue()).toBe('top-right');
  await places.scrollIntoViewIfNeeded();
  const box = await places.boundingBox();
  if (box === null) throw new Error('The picture is not shown.');
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
