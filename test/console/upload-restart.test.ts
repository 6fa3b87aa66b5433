import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Six parts of an upload. */
const BYTES = 45 * 2 ** 20;

const sha256 = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

test('an upload goes on after the service was killed in the middle, and after a reload', async () => {
  const env = { TELECINE_PORT: String(await freePort()) };
  const first = await startServer({ env, until: 'listening' });
  const { dataDir, mediaRoot } = first;
  const { page, folder, signIn } = await consoleVisitor(open, first, 'uploader');
  const film = join(folder, '..', 'film.mp4');
  await writeFile(film, randomBytes(BYTES));
  await signIn();
  /** The offset that each part began at, and the bytes that the service had confirmed then. */
  const parts: { offset: number; confirmed: number }[] = [];
  let confirmed = 0;
  let holdsBack = false;
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    if (holdsBack) return undefined;
    parts.push({ offset: Number(route.request().headers()['upload-offset']), confirmed });
    return route.continue();
  });
  page.on('response', (reply) => {
    if (reply.request().method() === 'PATCH' && reply.ok()) confirmed = Number(reply.headers()['upload-offset']);
  });
  await page.goto(`${first.url}/files?folder=films/`);
  await page.locator('input[type=file]').setInputFiles(film);
  await expect.poll(() => confirmed).toBeGreaterThan(0);
  await first.kill9('group');
  const beforeKill = confirmed;
  const second = await startServer({ env, dataDir, mediaRoot, until: 'listening' });
  await expect.poll(() => confirmed, { timeout: 30_000 }).toBeGreaterThan(beforeKill);
  holdsBack = true;
  await page.reload();
  holdsBack = false;
  const done = page.getByText('Uploaded', { exact: true });
  const missing = page.getByText('Choose this file again to continue its upload.');
  await done
    .or(missing)
    .or(page.getByRole('progressbar', { name: 'Upload of films/film.mp4' }))
    .first()
    .waitFor();
  if (await missing.isVisible()) await page.locator('input[type=file]').setInputFiles(film);
  await done.waitFor({ timeout: 60_000 });
  // No byte that was confirmed is sent again, and none is lost.
  expect(parts.filter(({ offset, confirmed: known }) => offset < known)).toEqual([]);
  expect(await sha256(join(folder, 'films/film.mp4'))).toBe(await sha256(film));
  await second.stop();
});
