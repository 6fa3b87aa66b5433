import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a source that was removed and a draft that was cleared come back by undo', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'undoes');
  await putSmallMovie(folder, 1, 'in.mp4');
  await signIn();
  const path = page.getByLabel('Or a stored file, or a URL');
  await path.fill('in.mp4');
  await path.press('Enter');
  const source = page.getByRole('button', { name: 'Remove', exact: true });
  await source.click();
  await page.getByText('Removed in.mp4.').waitFor();
  expect(await source.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await source.waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Cleared the draft.').waitFor();
  await page.keyboard.press('Control+z');
  await source.waitFor();
  expect(await page.getByText('Cleared the draft.').count()).toBe(0);
  expect(errors).toEqual([]);
});
