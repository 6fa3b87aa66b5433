import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor, editCompletedJob } from '../support/console-visitor.ts';
import { putClip, putSample, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Resolves when the browser has a film. */
const waitUntilPlayable = (film: Locator) =>
  expect
    .poll(() => film.evaluate((video) => (video as unknown as { videoWidth: number }).videoWidth), { timeout: 60_000 })
    .toBeGreaterThan(0);

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true });

/** What a page downloads when a link is clicked. */
async function downloaded(page: Page, link: Locator): Promise<{ readonly name: string; readonly content: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test('the page of a job says what was asked for, what ran, how long each phase took, and what came of it', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'reader');
  await putClip(folder, '480p', 3, 'in.mp4');
  const { jobId } = await client.submit({
    input: 'in.mp4',
    outputs: [
      // The encoder uses either a quality or a bit rate, so the request gets a warning.
      { output: 'film.mp4', parameters: { 'c:v': 'libx264', s: '320x180', crf: '30', 'b:v': '1M' } },
      { output: 'sound.mp3', parameters: { vn: '' } },
      { output: 'poster.jpg', parameters: { 'frames:v': '1' } },
    ],
    metadata: { order: 'A-1042' },
  });
  const job = await client.wait(jobId);
  expect(job).toMatchObject({ status: 'COMPLETED' });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);

  const timeline = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  await timeline.first().waitFor();
  const phases = ['Queued', 'Reading the inputs', 'Converting', 'Writing the outputs'];
  expect(await timeline.locator('span').allTextContents()).toEqual(phases);
  for (const text of await timeline.locator('time').allTextContents()) expect(text).toMatch(/^[\d.]+\sm?s$/);
  const details = section(page, 'Details');
  for (const text of ['A-1042', '1 (at most 3)', 'reader']) await details.getByText(text, { exact: true }).waitFor();
  await details.getByTitle(job.workerId ?? 'worker').waitFor();
  const request = JSON.parse((await section(page, 'Request').locator('pre').textContent()) ?? '');
  expect(request).toMatchObject({ input: 'in.mp4', metadata: { order: 'A-1042' } });
  for (const { message } of job.warnings ?? [])
    await section(page, 'Warnings').getByText(message, { exact: true }).waitFor();
  expect(job.warnings?.length).toBeGreaterThan(0);
  await section(page, 'Command').getByText('Show the arguments').click();
  const argv = section(page, 'Command').locator('pre');
  await argv.waitFor();
  expect(await argv.textContent()).toMatch(/^ffmpeg .*-s(?::v)? 320x180|scale=320:180/);
  // Few people read the log of a job that went well.
  const log = section(page, 'Log of ffmpeg');
  expect(await log.locator('pre').count()).toBe(0);
  await log.getByText('Show the log').click();
  await expect.poll(() => log.locator('pre').textContent()).toContain('libx264');

  // The source and each result, beside each other.
  await waitUntilPlayable(page.locator('video[aria-label="in.mp4"]'));
  await waitUntilPlayable(page.locator('video[aria-label="film.mp4"]'));
  const boxes = await Promise.all(
    ['in.mp4', 'film.mp4'].map((name) => page.locator(`video[aria-label="${name}"]`).boundingBox()),
  );
  expect(boxes[0]?.y).toBe(boxes[1]?.y);
  expect(boxes[0]?.x).toBeLessThan(boxes[1]?.x ?? 0);
  // On a phone, the result comes first, and the source is read when it is wanted.
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('heading', { name: 'Result', exact: true }).waitFor();
  expect(await page.locator('video[aria-label="in.mp4"]').count()).toBe(0);
  await page.getByText('Show the source').click();
  await waitUntilPlayable(page.locator('video[aria-label="in.mp4"]'));
  await page.setViewportSize({ width, height });
  await page.getByText('Compare frames of the same times').click();
  await waitUntilDrawn(page.getByRole('img', { name: 'Frames of in.mp4 on the left, of film.mp4 on the right' }));
  await page.getByRole('button', { name: 'Show sound.mp3' }).click();
  await waitUntilDrawn(page.getByRole('img', { name: 'Waveform of sound.mp3' }));
  // Its waveform is also where one seeks.
  await page.getByRole('button', { name: 'Play sound.mp3' }).click();
  await page.getByRole('button', { name: 'Pause sound.mp3' }).click();
  await page.getByRole('slider', { name: 'Position in sound.mp3' }).fill('2');
  await page.getByText('0:02 / 0:03').waitFor();
  await page.getByRole('button', { name: 'Show poster.jpg' }).click();
  await waitUntilDrawn(page.getByRole('img', { name: 'poster.jpg', exact: true }));
  await expectAccessible(page);

  for (const name of ['film.mp4', 'sound.mp3', 'poster.jpg']) {
    const { name: saved, content } = await downloaded(page, page.getByRole('link', { name: `Download ${name}` }));
    expect(saved).toBe(name);
    expect(content.equals(await readFile(join(folder, name))), name).toBe(true);
  }
  expect(errors).toEqual([]);
});

test('the page of a job with a quality target draws what was tried', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'judge');
  await putClip(folder, '480p', 3, 'in.mp4');
  const { jobId } = await client.submit({
    ...{ input: 'in.mp4', output: 'small.mp4', quality: { target: 0.95 } },
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', vf: 'scale=214:-2', an: '' },
  });
  const { outputs } = await client.wait(jobId);
  const { tried = [], reached } = outputs?.[0]?.quality ?? {};
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('list', { name: 'Timeline' }).getByText('Trying samples').waitFor();
  const quality = section(page, 'Quality');
  await quality.getByText(`SSIM ${reached} with crf`).waitFor();
  expect(await quality.locator('circle').count()).toBe(tried.length);
  await quality.getByText('Show the values').click();
  expect(await quality.getByRole('table', { name: 'What was tried' }).getByRole('row').count()).toBe(tried.length + 1);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('while samples are tried, the pages of a job say which one, and not a percentage that stands still', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'waiter');
  await putClip(folder, '480p', 10, 'in.mp4');
  const { jobId } = await client.submit({
    ...{ input: 'in.mp4', output: 'small.mp4', quality: { target: 0.99 } },
    parameters: { 'c:v': 'libx264', preset: 'placebo', threads: '1', an: '' },
  });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  const count = /^Trying qualities, \d+ of \d+$/;
  await section(page, 'State').getByText(count).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
  await page
    .getByRole('row', { name: /small\.mp4/ })
    .getByText(count)
    .waitFor();
  await client.cancel(jobId);
  expect(errors).toEqual([]);
});

test('the page of a job with a ladder of its own has a row for each version, and draws what was tried', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'climber');
  await putSmallMovie(folder, 3, 'in.mp4');
  const { jobId } = await client.submit({
    ...{ input: 'in.mp4', output: 'stream/master.m3u8', parameters: { preset: 'ultrafast' } },
    preset: { name: 'ladder-per-title', arguments: { target: 0.95, most: 3, segment: 1 } },
  });
  const { outputs } = await client.wait(jobId);
  const { rungs = [], tried = [] } = outputs?.find(({ path }) => path === 'stream/master.m3u8')?.ladder ?? {};
  expect(rungs.length).toBeGreaterThanOrEqual(2);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  const versions = page.getByRole('table', { name: 'Versions of the film' });
  // The row of the headings, the rungs, and the sound, which players take if the connection is too slow for a picture.
  await expect.poll(() => versions.getByRole('row').count()).toBe(1 + rungs.length + 1);
  await versions.getByRole('rowheader', { name: 'Audio only' }).waitFor();
  const [best] = rungs;
  await versions
    .getByRole('row')
    .filter({ hasText: `${best?.height}p` })
    .first()
    .waitFor();
  const kbit = Math.round((best?.averageBandwidth ?? 0) / 1000).toLocaleString('en');
  await versions.getByText(`${kbit} kbit/s`).first().waitFor();
  const ladder = section(page, 'Ladder');
  await ladder.getByText('The target of the best one is 0.95.').waitFor();
  expect(await ladder.locator('circle').count()).toBe(rungs.length + tried.length);
  expect(await ladder.locator('circle[data-whole="true"]').count()).toBe(rungs.length);
  await ladder.getByText('Show the values').click();
  const table = ladder.getByRole('table', { name: 'Rungs and what was tried' });
  expect(await table.getByRole('row').count()).toBe(rungs.length + tried.length + 1);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the page of a job that chose its frame size draws the sizes that it compared', { timeout: 180_000 }, async () => {
  const { server } = await start();
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'measure');
  // Samples pay from three minutes on.
  const film = await client.submit({
    inputs: [{ source: 'testsrc2=s=214x120:r=6:d=190' }],
    output: 'long.mp4',
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '10', g: '12' },
  });
  expect(await client.wait(film.jobId)).toMatchObject({ status: 'COMPLETED' });
  const { jobId } = await client.submit({
    ...{ input: 'long.mp4', output: 'sized.mp4', frameSize: 'auto' },
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', 'b:v': '30k', pass: '2' },
  });
  const { outputs } = await client.wait(jobId);
  const { compared = [], width, height } = outputs?.[0]?.frameSize ?? {};
  expect(compared.length).toBeGreaterThan(1);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  const size = section(page, 'Frame size');
  await size.getByText(`At 30 kb/s, samples in ${width} × ${height} are most like the source.`).waitFor();
  const table = size.getByRole('table', { name: 'Sizes that were compared' });
  expect(await table.getByRole('row').count()).toBe(compared.length + 1);
  await table.getByRole('row', { name: new RegExp(`^${width} × ${height} 0\\.\\d{4} chosen$`) }).waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('pictures and sounds are shown beside their sources too', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'compares');
  await putSample(folder, 'flac', 'in/song.flac');
  await putClip(folder, '480p', 2, 'in.mp4');
  const run = async (request: Parameters<typeof client.submit>[0]): Promise<string> => {
    const { jobId } = await client.submit(request);
    expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
    return `${server.url}/jobs/${jobId}`;
  };
  const sound = await run({ input: 'in/song.flac', output: 'song.opus', parameters: { t: '5' } });
  await run({ input: 'in.mp4', output: 'large.png', parameters: { 'frames:v': '1' } });
  const picture = await run({ input: 'large.png', output: 'small.jpg', parameters: { vf: 'scale=160:-2' } });
  await signIn();
  await page.goto(sound);
  for (const name of ['in/song.flac', 'song.opus']) {
    await waitUntilDrawn(page.getByRole('img', { name: `Waveform of ${name}` }));
    const player = page.locator(`audio[aria-label="${name}"]`);
    await expect
      .poll(() => player.evaluate((audio) => (audio as unknown as { readyState: number }).readyState))
      .toBeGreaterThan(0);
  }
  await page.goto(picture);
  for (const name of ['large.png', 'small.jpg']) await waitUntilDrawn(page.getByRole('img', { name, exact: true }));
  await page.getByText('Compare at the same size').click();
  await waitUntilDrawn(page.getByRole('img', { name: 'Frames of large.png on the left, of small.jpg on the right' }));
  expect(errors).toEqual([]);
});

test('the speed and the time left of a running job are plotted as they change', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'watcher');
  await putSmallMovie(folder, 6, 'in.mp4');
  await signIn();
  const { jobId } = await client.submit({
    // The time left is a number from 1 % on.
    inputs: [{ input: 'in.mp4', parameters: { stream_loop: '30' } }],
    output: 'long.mp4',
    parameters: { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=1280:-2' },
  });
  await page.goto(`${server.url}/jobs/${jobId}`);
  const state = section(page, 'State');
  const left = /^(about |less than )?\d[\d:.]*(\ss|\smin|\sh)?$|^(estimating…|probably (hours|days))$/;
  for (const text of [/^[\d.]+\s%$/, left, /[\d.]+× playback/])
    await state.getByRole('definition').filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
  for (const title of ['Speed', 'Time left']) {
    const plot = section(page, title);
    await plot.getByText('Show the values').click();
    const values = plot.getByRole('table', { name: title }).getByRole('row');
    await expect.poll(() => values.count(), { timeout: 60_000 }).toBeGreaterThan(4);
    const [first = ''] = (await values.allInnerTexts()).slice(1);
    expect(first).toMatch(title === 'Speed' ? /\d×/ : /\d(\ss|:\d\d)/);
    // Something was drawn.
    await expect
      .poll(() =>
        plot.locator('canvas').evaluate((canvas) => {
          const { width, height, getContext } = canvas as unknown as {
            readonly width: number;
            readonly height: number;
            getContext(kind: '2d'): { getImageData(...at: readonly number[]): { readonly data: Uint8ClampedArray } };
          };
          return getContext
            .call(canvas, '2d')
            .getImageData(0, 0, width, height)
            .data.some((value) => value > 0);
        }),
      )
      .toBe(true);
  }
  await page.getByText('Since this page was opened.', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the job' }).click();
  await page.getByText('Cancelled').first().waitFor();
  expect(errors).toEqual([]);
});

test('a job is run again with changes: its request opens in the workbench', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'changes');
  await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await client.submit({
    input: 'in.mp4',
    output: 'first.mp4',
    parameters: { 'c:v': 'libx264', crf: '40', preset: 'ultrafast' },
    metadata: { order: '7' },
  });
  await client.wait(jobId);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await editCompletedJob(page);
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  expect(await page.getByLabel('Value of crf').inputValue()).toBe('40');
  await page.getByLabel('Value of crf').fill('30');
  // The output of the first time is in the way, and the button says which name is free.
  await page.getByRole('button', { name: 'Write first-2.mp4' }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  expect((await client.list()).jobs[0]).toMatchObject({
    ...{ input: 'in.mp4', output: 'first-2.mp4', status: 'COMPLETED', metadata: { order: '7' } },
    parameters: { 'c:v': 'libx264', crf: '30', preset: 'ultrafast' },
  });
  expect(errors).toEqual([]);
});

test('the cause of a failed job stays while its request is edited, and the draft before comes back', async () => {
  const { server } = await start();
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'mender');
  const { jobId } = await client.submit({ input: 'none.mp4', output: 'out.mkv', parameters: { c: 'copy' } });
  const { error } = await client.wait(jobId);
  await signIn();
  await page.getByLabel('File to write').fill('mine.mp4');
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  await page
    .getByLabel('The failed job')
    .getByText(error?.message ?? '-')
    .waitFor();
  expect(await page.getByLabel('File to write').inputValue()).toBe('out.mkv');
  await expectAccessible(page);
  const notice = page.getByText('A request has replaced your draft.');
  await notice.waitFor();
  await page.getByRole('button', { name: 'Go back to it' }).click();
  expect(await page.getByLabel('File to write').inputValue()).toBe('mine.mp4');
  expect(await notice.count()).toBe(0);
  expect(await page.getByLabel('The failed job').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('an administrator reads why a job of another client shows no source and is not edited', async () => {
  const { server } = await start();
  const owner = await consoleVisitor(open, server, 'owner');
  await putSmallMovie(owner.folder, 2, 'in.mp4');
  const { jobId } = await owner.client.submit({ input: 'in.mp4', output: 'out.mkv', parameters: { c: 'copy' } });
  await owner.client.wait(jobId);
  const { page, errors, signIn } = await consoleVisitor(open, server, 'visiting-admin', { scopes: ['admin'] });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByText('This job belongs to the client owner.').waitFor();
  expect(await page.getByRole('button', { name: 'Edit and run again' }).count()).toBe(0);
  // The owner has both, and no such word.
  await owner.signIn();
  await owner.page.goto(`${server.url}/jobs/${jobId}`);
  await owner.page.getByRole('button', { name: 'More for this job' }).click();
  await owner.page.getByRole('button', { name: 'Edit and run again' }).waitFor();
  expect(await owner.page.getByText('This job belongs to').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('the page of a job that did not replace a file leads to this file', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'keeper');
  for (const name of ['in.mp4', 'films/out.mp4']) await putSmallMovie(folder, 2, name);
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'films/out.mp4', parameters: { c: 'copy' } });
  expect((await client.wait(jobId)).error).toMatchObject({ code: 'OUTPUT_EXISTS' });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByText('The existing file:').getByRole('link', { name: 'films/out.mp4' }).click();
  await page
    .getByLabel('Streams')
    .getByText(/^h264 /)
    .waitFor();
  expect(new URL(page.url()).searchParams.get('file')).toBe('films/out.mp4');
  expect(errors).toEqual([]);
});
