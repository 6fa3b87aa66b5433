import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a ladder by recipe is played back, and its playlist and its pictures come from the service alone', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'ladder');
  await putClip(folder, '480p', 6, 'in.mp4');
  await signIn();
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('blob:')) elsewhere.push(request.url());
  });
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).fill('in.mp4');
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).press('Enter');
  await page.getByLabel('What to do').fill('streaming in several qualities');
  await page
    .getByRole('button', { name: /^HLS in three qualities/ })
    .first()
    .click();
  await page.getByLabel('File to write').fill('hls/v_%v.m3u8');
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Open the job' }).click();
  expect((await client.list()).jobs).toMatchObject([{ preset: { name: 'hls' }, status: 'COMPLETED' }]);
  const player = page.locator('video[aria-label="hls/master.m3u8"]');
  const state = () =>
    player.evaluate((video) => {
      const { videoWidth, currentTime } = video as unknown as { videoWidth: number; currentTime: number };
      return { isShown: videoWidth > 0, currentTime };
    });
  await expect.poll(async () => (await state()).isShown).toBe(true);
  await page.getByText(/^Playing \d+p, [\d,.]+\skbit\/s$/).waitFor();
  // Each version is a row, with its bit rates and the size of its files. Versions of the same height differ by a bit rate in their name.
  const versions = page.getByRole('table', { name: 'Versions of the film' });
  const row = /^\d+p(?:, [\d,.]+\skbit\/s)?\s+[\d,.]+\skbit\/s\s+(?:[\d,.]+\skbit\/s\s+)?[\d.]+\s[kM]B$/;
  await expect
    .poll(async () => (await versions.getByRole('row').allInnerTexts()).slice(1))
    .toEqual([expect.stringMatching(row), expect.stringMatching(row), expect.stringMatching(row)]);
  const names = await versions.getByRole('rowheader').allInnerTexts();
  expect(new Set(names).size).toBe(3);
  await player.evaluate((video) => {
    const film = video as unknown as { muted: boolean; play(): Promise<void> };
    film.muted = true;
    return film.play();
  });
  // Beyond the first segment, so that the player has followed the playlist.
  await expect.poll(async () => (await state()).currentTime).toBeGreaterThan(4.5);
  expect(elsewhere).toEqual([]);
  expect(errors).toEqual([]);
});

test('what a browser does not play is said, and shown as a picture where the service can render one', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'unplayable');
  await putClip(folder, '480p', 3, 'in.mp4');
  const convert = async (output: string, parameters: Readonly<Record<string, string>>): Promise<string> => {
    const { jobId } = await client.submit({ input: 'in.mp4', output, parameters: { ...parameters, t: '3' } });
    await client.wait(jobId);
    return `${server.url}/jobs/${jobId}`;
  };
  await signIn();
  // Chromium plays the sound, and has no decoder of ProRes.
  await page.goto(await convert('mezzanine.mov', { 'c:v': 'prores_ks', 'c:a': 'aac', s: '320x180' }));
  await page.getByText('This browser cannot play its video, only its audio.').waitFor();
  await waitUntilDrawn(page.getByRole('img', { name: 'Contact sheet of mezzanine.mov' }));
  await page.goto(await convert('surround.mp4', { 'c:v': 'copy', 'c:a': 'ac3' }));
  const film = page.locator('video[aria-label="surround.mp4"]');
  await film.evaluate((video) => (video as unknown as { play(): Promise<void> }).play());
  await page.getByText('This browser cannot play its audio, only its video.').waitFor();
  await page.goto(await convert('dash/film.mpd', { c: 'copy' }));
  await page.getByText('This page cannot play DASH.').waitFor();
  expect(errors).toEqual([]);
});

/** The bytes of an upload that takes long enough to be killed. */
const BYTES = 40 * 2 ** 20;

test('an upload whose page was killed goes on where it was', async () => {
  const { server } = await start();
  const { page, context, folder, client, signIn } = await consoleVisitor(open, server, 'uploader');
  const film = join(folder, '..', 'film-to-upload.mp4');
  await writeFile(film, '');
  await truncate(film, BYTES);
  await signIn();
  const sent: number[] = [];
  let arrived = 0;
  // After the first part, the network fails for this page, as for a laptop that is closed.
  await page.route('**/api/uploads/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    if (arrived > 0) return route.abort();
    sent.push(Number(request.headers()['upload-offset']));
    return route.continue();
  });
  page.on('response', (reply) => {
    if (reply.request().method() === 'PATCH' && reply.ok()) arrived += 1;
  });
  await page.goto(`${server.url}/files?folder=films/`);
  await page.locator('input[type=file]').setInputFiles(film);
  await expect.poll(() => arrived).toBe(1);
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  again.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
  });
  await again.goto(`${server.url}/files?folder=films/`);
  const missing = again.getByText('Choose this file again to continue its upload.');
  const done = again.getByText('Uploaded', { exact: true });
  await missing
    .or(done)
    .or(again.getByRole('progressbar', { name: 'Upload of films/film-to-upload.mp4' }))
    .first()
    .waitFor();
  if (await missing.isVisible()) await again.locator('input[type=file]').setInputFiles(film);
  await done.waitFor({ timeout: 60_000 });
  expect(sent[0]).toBe(0);
  // No byte that had arrived is sent again.
  expect(sent.slice(1).every((offset) => offset > 0)).toBe(true);
  await again.getByRole('link', { name: 'film-to-upload.mp4' }).waitFor();
  const { files } = await client.listFiles('films/');
  expect(files).toMatchObject([{ path: 'films/film-to-upload.mp4', sizeBytes: BYTES }]);
});

test('on a phone, a person finds a failed job, reads how to mend it, and looks at a file', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'phone', { width: 360 });
  await putClip(folder, '480p', 3, 'films/in.mp4');
  await client.wait((await client.submit({ input: 'films/none.mp4', output: 'out.mp4' })).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs?status=FAILED`);
  await page.getByRole('link', { name: 'out.mp4' }).click();
  await page.getByText('To fix it:').waitFor();
  await page.getByRole('link', { name: 'Files' }).click();
  await page.getByRole('link', { name: 'films/' }).click();
  await page.getByRole('link', { name: 'in.mp4' }).click();
  await page
    .getByLabel('Streams')
    .getByText(/^h264 854×480/)
    .waitFor();
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'More for this file' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This folder is empty.').waitFor();
  expect(errors).toEqual([]);
});
