import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const open = openBrowser();
const start = sharedServer();
const test = needs('ffmpeg', 'Chromium');

/** Four parts of an upload. */
const BYTES = 30 * 2 ** 20;

test('somebody without an account uploads files by a link, also after a reload in the middle', async () => {
  const { server } = await start();
  const { page, folder, client } = await consoleVisitor(open, server, 'asks-for-files');
  const { url, shareId } = await client.share({ path: 'from ada/', files: 3 });
  await client.upload(new Blob(['theirs']), 'from ada/taken.txt');
  const film = join(folder, '..', 'ada.mp4');
  const taken = join(folder, '..', 'taken.txt');
  await writeFile(film, randomBytes(BYTES));
  await writeFile(taken, 'mine');
  /** The offsets at which parts began, and what was confirmed before. */
  const parts: { readonly offset: number; readonly confirmed: number }[] = [];
  let confirmed = 0;
  let holdsBack = false;
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    // The second part waits for the reload.
    if (holdsBack && confirmed > 0) return undefined;
    parts.push({ offset: Number(route.request().headers()['upload-offset']), confirmed });
    return route.continue();
  });
  page.on('response', (reply) => {
    const offset = Number(reply.headers()['upload-offset'] ?? 0);
    if (reply.request().method() === 'PATCH' && reply.ok()) confirmed = Math.max(confirmed, offset);
  });
  holdsBack = true;
  await page.goto(new URL(url, server.url).href);
  await page.getByText('0 of 3 files taken.').waitFor();
  await page.locator('input[type=file]').setInputFiles(film);
  await expect.poll(() => confirmed).toBeGreaterThan(0);
  await page.reload();
  holdsBack = false;
  await page.getByText('Uploaded', { exact: true }).waitFor({ timeout: 60_000 });
  await page.getByText('1 of 3 files taken.').waitFor();
  expect(parts.filter(({ offset, confirmed: known }) => offset < known)).toEqual([]);
  expect((await readFile(join(folder, 'from ada/ada.mp4'))).equals(await readFile(film))).toBe(true);

  await page.locator('input[type=file]').setInputFiles(taken);
  expect(await page.getByRole('button', { name: 'Replace it' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Keep both' }).click();
  await page.getByText('2 of 3 files taken.').waitFor();
  await expect.poll(() => readFile(join(folder, 'from ada/taken-2.txt'), 'utf8').catch(() => '')).toBe('mine');
  expect(await readFile(join(folder, 'from ada/taken.txt'), 'utf8')).toBe('theirs');
  // The address of the page has the secret; what the browser keeps has not.
  const secret = url.split('/').at(-1) ?? '';
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(secret);

  await client.revokeShare(shareId);
  await page.reload();
  await page.getByText('The link was revoked.').waitFor();
});
