import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '1' } });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a person sees what an option does to the picture, frame by frame, and how large and similar it gets', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'previewer');
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByRole('button', { name: 'Add an option' }).first().click();
  await page.getByLabel('Option', { exact: true }).fill('crf');
  await page.getByLabel('Value of crf').fill('40');
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  // The source comes before the result, and is not loaded again for each of its parts.
  const source = page.locator('video[aria-label="Source"]');
  await source.evaluate((video) => video.setAttribute('data-mark', 'first'));

  const line = page.getByRole('slider', { name: 'Line between source and result' });
  await line.press('ArrowRight');
  expect(await line.getAttribute('aria-valuetext')).toBe('51 % source');

  const result = page.locator('video[aria-label="Result"]');
  const shown = () => result.evaluate((video) => (video as unknown as { currentTime: number }).currentTime);
  await page.getByRole('button', { name: 'Next frame' }).click();
  await page.getByText(/ · 2\s\/\s\d+$/).waitFor();
  // The middle of the second frame of a film of 24 to 30 frames a second.
  await expect.poll(shown).toBeGreaterThan(1 / 30);
  // The buttons keep the focus at both ends.
  const frame = page.getByRole('slider', { name: 'Frame', exact: true });
  for (const [name, end, key] of [
    ['Previous frame', 'Home', 'ArrowRight'],
    ['Next frame', 'End', 'ArrowLeft'],
  ] as const) {
    await frame.press(end);
    const last = await frame.inputValue();
    await frame.press(key);
    expect(await frame.inputValue()).not.toBe(last);
    for (let press = 0; press < 2; press++) await page.getByRole('button', { name }).press('Enter');
    expect(await frame.inputValue()).toBe(last);
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe(name);
  }
  await frame.press('Home');

  const facts = page.getByRole('region', { name: 'Preview' });
  await facts.getByText('Size per minute').waitFor();
  await facts.getByText(/^\d[\d.,]*\s[kM]i?B$/).waitFor();
  await facts.getByText(/^SSIM 0\.\d{3}: /).waitFor();
  expect(await source.getAttribute('data-mark')).toBe('first');
  expect(await facts.locator('video').count()).toBe(2);
  await expectAccessible(page);

  const { jobs } = await client.list();
  expect(jobs.map(({ parameters }) => parameters)).toContainEqual({ crf: '40' });

  // A recipe is looked at in the same way, unless it writes several files.
  await page.getByRole('button', { name: 'Remove crf' }).click();
  await page.getByLabel('What to do').fill('sound only mp3');
  await page.getByRole('button', { name: 'MP3' }).first().click();
  await facts.locator('audio[aria-label="Result"]').waitFor();
  await page.getByRole('button', { name: 'Choose another' }).click();
  await page.getByLabel('What to do').fill('hls');
  await page.getByRole('button', { name: 'HLS in three qualities' }).first().click();
  await facts.getByText('There is no preview of a recipe that reads any number of files, or writes several.').waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the first frame of a preview is there before the rest, and a person reads what happens', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'impatient');
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  const command = 'ffmpeg -i in.mp4 -vf scale=1280:720,nlmeans=s=3 -c:v libx264 -preset veryslow out.mp4';
  await page.getByRole('textbox', { name: 'Command line of ffmpeg' }).fill(command);
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('This is the first frame. Converting the rest…').waitFor({ timeout: 60_000 });
  await preview.getByRole('slider', { name: 'Line between source and result' }).waitFor();
  const { jobs } = await client.list();
  expect(jobs.map(({ status }) => status)).toEqual(['PROCESSING', 'COMPLETED']);
  await Promise.all(jobs.map(({ jobId }) => client.cancel(jobId).catch(() => undefined)));
  expect(errors).toEqual([]);
});

/** Opens a preview of a result that no browser plays, in the small movie `in.mp4`. */
async function showUnplayable(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill('ffmpeg -ss 0.3 -i in.mp4 -c:v mpeg4 out.mp4');
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
}

test('if the browser cannot play the result, the rest is converted after the image of its first frame was made', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'unplayable');
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/conversion')) seen.push('convert');
  });
  page.on('response', (response) => {
    if (/output\?.*view=frame/.test(response.url())) seen.push('image');
  });
  await showUnplayable(page, server.url);
  await page.getByText(/^SSIM 0\.\d{3}: /).waitFor({ timeout: 60_000 });
  // The first frame, its image, and the rest.
  expect(seen.slice(0, 3)).toEqual(['convert', 'image', 'convert']);
  // All begin at the key frame nearest to the middle, 1.3 s, where the source can be shown and converted at once.
  const { jobs } = await client.list();
  const starts = jobs.flatMap(({ inputs = [] }) =>
    inputs.map((one) => (typeof one === 'string' ? undefined : one.parameters?.['ss'])),
  );
  expect([...new Set(starts)]).toEqual(['1.5']);
  expect(errors).toEqual([]);
});

test.each([
  ['cannot be made', (route: Route) => route.abort()],
  ['does not come', () => undefined],
])('a preview goes on if the image of its first frame %s', async (what, answer) => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, what.replaceAll(' ', '-'));
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  const asked: Route[] = [];
  await page.route(/output\?.*view=frame/, async (route) => {
    asked.push(route);
    await answer(route);
  });
  await showUnplayable(page, server.url);
  await page.getByText(/^SSIM 0\.\d{3}: /).waitFor({ timeout: 60_000 });
  expect(asked).not.toEqual([]);
  await Promise.all(asked.map((route) => route.abort().catch(() => undefined)));
  expect(errors).toEqual([]);
});

test('a preview does not wait behind the films of the queue', async () => {
  const { server } = await start();
  const { page, folder, client, signIn } = await consoleVisitor(open, server, 'queued');
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  const film = {
    inputs: [{ input: 'in.mp4', parameters: { stream_loop: '200' } }],
    parameters: { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=1280:-2' },
  };
  const films = await client.submitBatch(['one.mp4', 'two.mp4'].map((output) => ({ ...film, output })));
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  await page.getByText(/^SSIM 0\.\d{3}: /).waitFor({ timeout: 60_000 });
  const statuses = await Promise.all(films.jobs.map(async ({ jobId }) => (await client.get(jobId)).status));
  expect(statuses.toSorted()).toEqual(['PENDING', 'PROCESSING']);
  await Promise.all(films.jobs.map(({ jobId }) => client.cancel(jobId)));
});

test('a preview that is queued says so, and what it waits for', async () => {
  const { server } = await start();
  const operator = createClient(server.url, await insertClient(server, 'pauser', { scopes: ['admin'] }));
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'waiting');
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByText('Ready.').waitFor();
  await operator.pauseQueue();
  await page.getByRole('button', { name: 'Show a preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Queued. The operator has paused the queue.').waitFor();
  await operator.resumeQueue();
  await preview.getByText(/^SSIM 0\.\d{3}: /).waitFor({ timeout: 60_000 });
  expect(await preview.getByText('Queued.').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('on a phone, a preview that is opened is above the bar with the main button', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'previews-by-hand', {
    width: 390,
    hasTouch: true,
  });
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/?source=in.mp4`);
  const button = page.getByRole('button', { name: 'Show a preview' });
  // At the end of what the bar leaves of the window, the frames below it are out of sight.
  await button.evaluate((element) =>
    (element as unknown as { scrollIntoView(at: object): void }).scrollIntoView({ block: 'end' }),
  );
  await button.tap();
  const frames = page.getByRole('region', { name: 'Preview' }).locator('video').first();
  await frames.waitFor();
  const bar = page.getByRole('group', { name: 'Run' });
  await expect
    .poll(async () => {
      const [inner, outer] = [await frames.boundingBox(), await bar.boundingBox()];
      return inner !== null && outer !== null && inner.y >= 0 && inner.y + inner.height <= outer.y;
    })
    .toBe(true);
  expect(errors).toEqual([]);
});
