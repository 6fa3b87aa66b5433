import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A person at the page of a job that has converted a test picture of this size, which is black at some times. */
async function withResult(name: string, size: string, black: string, own: Readonly<Record<string, string>> = {}) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name);
  const { page, client, signIn } = visitor;
  const run = async (request: Parameters<typeof client.submit>[0]): Promise<string> => {
    const { jobId } = await client.submit(request);
    expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
    return jobId;
  };
  const h264 = { 'c:v': 'libx264', preset: 'ultrafast' };
  await run({
    inputs: [{ source: `testsrc2=s=${size}:r=10`, duration: '12' }],
    output: 'film.mp4',
    parameters: { vf: `drawbox=color=black:t=fill:enable='${black}'`, ...h264 },
  });
  const jobId = await run({ inputs: [{ input: 'film.mp4', parameters: own }], output: 'out.mp4', parameters: h264 });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  return visitor;
}

const posterOf = (page: Page, path: string) =>
  page.locator(`video[aria-label="${path}"]`).first().getAttribute('poster', { timeout: 60_000 });

/** Opens the comparison. Returns the time that its slider says first, in seconds. */
async function compare(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Compare with the source' }).click();
  const slider = page.getByRole('slider', { name: 'Frame', exact: true });
  const text = (await slider.getAttribute('aria-valuetext', { timeout: 60_000 })) ?? '';
  const [, minutes, seconds] = /^(\d+):([\d.]+), frame/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

test('the posters and the comparison of a film that is black in its middle begin with the same bright frame', async () => {
  const { page, errors } = await withResult('night', '320x180', 'between(t,5,7)', { ss: '0' });
  const source = () => posterOf(page, 'film.mp4');
  await expect.poll(source, { timeout: 60_000 }).toMatch(/view=frame.*&at=4\.[12]/);
  // The service itself chooses the frame of the result.
  expect(await posterOf(page, 'out.mp4')).not.toContain('at=');
  expect(await compare(page)).toBeCloseTo(4.2, 0);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('until the comparison has its pictures, it says that they are being loaded', async () => {
  const { page, errors } = await withResult('waits', '320x180', 'lt(t,1)');
  await posterOf(page, 'film.mp4');
  const loaded = Promise.withResolvers<void>();
  await page.route(/film\.mp4(?:$|\?)/, async (route) => {
    if (new URL(route.request().url()).searchParams.has('view')) return route.continue();
    await loaded.promise;
    return route.continue();
  });
  await compare(page);
  const note = page.getByText('Loading the picture…');
  await note.waitFor();
  loaded.resolve();
  await note.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('a comparison whose two pictures are drawn does not say that it loads, however late the browser reports it', async () => {
  const { page, errors } = await withResult('drawn', '320x180', 'lt(t,1)');
  await posterOf(page, 'film.mp4');
  await page.evaluate("addEventListener('loadeddata', (event) => event.stopImmediatePropagation(), true)");
  await compare(page);
  await page.getByText('Loading the picture…').waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('the poster of the source of a part that counts from its end shows the frame of the result', async () => {
  const { page, errors } = await withResult('ending', '320x180', 'lt(t,1)', { sseof: '-4' });
  await expect.poll(() => posterOf(page, 'film.mp4'), { timeout: 60_000 }).toMatch(/&at=10(?:\.\d*)?$/);
  expect(await compare(page)).toBeCloseTo(2, 1);
  expect(errors).toEqual([]);
});

const SIZES = [
  [1280, 900],
  [1280, 620],
  [900, 700],
  [390, 800],
  [740, 360],
] as const;

/** Scrolls to the end of an element. */
const scrollToEnd = (element: Locator): Promise<void> =>
  element.evaluate((one) => (one as unknown as { scrollIntoView(to: object): void }).scrollIntoView({ block: 'end' }));

test.for(['270x480', '320x320', '400x300', '480x270'])(
  'the comparison of a video of %s fits into the window, with its slider and the time',
  async (size) => {
    const { page, errors } = await withResult(`shape-${size}`, size, 'lt(t,1)');
    await compare(page);
    await page.getByText('Compare frames of the same times').click();
    const pairs = page.getByAltText('Frames of film.mp4 on the left, of out.mp4 on the right');
    await waitUntilDrawn(pairs);
    const slider = page.getByRole('slider', { name: 'Frame', exact: true });
    const line = page.getByRole('slider', { name: 'Line between source and result' });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await scrollToEnd(slider);
      const what = `${width} x ${height}`;
      const header = await page.getByRole('banner').boundingBox();
      const top = Math.max(0, (header?.y ?? 0) + (header?.height ?? 0));
      const [frames, row, all] = await Promise.all([line, slider, pairs].map((one) => one.boundingBox()));
      expect(frames?.y, what).toBeGreaterThanOrEqual(top);
      expect((row?.y ?? 0) + (row?.height ?? 0), what).toBeLessThanOrEqual(height);
      expect(all?.height, what).toBeLessThanOrEqual(height - top);
      // They are not smaller than they have to be.
      expect(Math.max((frames?.height ?? 0) / height, (frames?.width ?? 0) / width), what).toBeGreaterThan(0.25);
      expect(all?.height, what).toBeGreaterThan(100);
    }
    expect(errors).toEqual([]);
  },
);

test.for(['270x480', '480x270'])(
  'a preview of a video of %s fits into the window, with both of its sliders',
  async (size) => {
    const { server } = await start();
    const { page, errors, client, signIn } = await consoleVisitor(open, server, `preview-${size}`);
    const { jobId } = await client.submit({
      inputs: [{ source: `testsrc2=s=${size}:r=10`, duration: '12' }],
      output: 'film.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast' },
    });
    expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
    await signIn();
    await page.goto(`${server.url}/?source=film.mp4`);
    await page.getByText(/^Ready\./).waitFor();
    await page.getByRole('button', { name: 'Show a preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Size per minute').waitFor({ timeout: 60_000 });
    const startSlider = preview.getByRole('slider', { name: 'Start', exact: true });
    const slider = preview.getByRole('slider', { name: 'Frame', exact: true });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await scrollToEnd(slider);
      const what = `${width} x ${height}`;
      const [header, bar, first, last] = await Promise.all(
        [page.getByRole('banner'), page.getByRole('group', { name: 'Run' }), startSlider, slider].map((one) =>
          one.boundingBox(),
        ),
      );
      // The bar with the main button is below the header of a wide window, and at the end of another one.
      const isBarAbove = (bar?.y ?? 0) < (first?.y ?? 0);
      const top = isBarAbove
        ? (bar?.y ?? 0) + (bar?.height ?? 0)
        : Math.max(0, (header?.y ?? 0) + (header?.height ?? 0));
      expect(first?.y, what).toBeGreaterThanOrEqual(top);
      expect((last?.y ?? 0) + (last?.height ?? 0), what).toBeLessThanOrEqual(isBarAbove ? height : (bar?.y ?? 0));
    }
    expect(errors).toEqual([]);
  },
);
