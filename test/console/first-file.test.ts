import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { dropFiles } from '../support/drop-files.ts';
import { testFolder } from '../support/folders.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startAtTerminal } from '../support/start-at-terminal.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium', 'linux');

test('from the first start to the first converted file, a person only opens the link, drops a film and says what they want', async () => {
  const { link = '' } = await startAtTerminal();
  const { page, errors } = await open();
  const disk = await testFolder('disk');
  await putClip(disk, '480p', 4, 'My holiday.mp4');
  await page.goto(link);
  await dropFiles(page.getByText('Drop video, audio or image files here'), [join(disk, 'My holiday.mp4')]);
  await page.getByRole('article', { name: 'My holiday.mp4' }).getByText('h264').waitFor();
  await page.getByRole('button', { name: 'animated GIF' }).click();
  await page.getByRole('region', { name: /^Animated GIF/ }).waitFor();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor({ timeout: 60_000 });
  // It is shown, and it is a file of theirs.
  const result = page.getByRole('img', { name: 'My holiday.gif' });
  await waitUntilDrawn(result);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download My holiday.gif' }).click(),
  ]);
  expect((await readFile(await download.path())).subarray(0, 3).toString()).toBe('GIF');
  expect(errors).toEqual([]);
});
