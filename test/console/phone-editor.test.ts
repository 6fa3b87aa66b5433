import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putFilmOfScenes } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A person with a phone, at the workbench, with a stored film of 30 seconds that is red from 11.4 s to 14.24 s. */
async function editor(name: string, own?: TestServer) {
  const server = own ?? (await start()).server;
  const visitor = await consoleVisitor(open, server, name, { width: 390, hasTouch: true });
  await putFilmOfScenes(visitor.folder, 'match/goal.mp4');
  await visitor.signIn();
  const { page } = visitor;
  const strip = page.getByRole('group', { name: 'Part of match/goal.mp4' });
  const slider = (label: string) => strip.getByRole('slider', { name: label });
  return {
    ...visitor,
    strip,
    slider,
    times: async () => [
      await slider('Start of the part').getAttribute('aria-valuetext'),
      await slider('End of the part').getAttribute('aria-valuetext'),
    ],
    bar: page.getByRole('group', { name: 'Run' }),
    path: page.getByLabel('Or a stored file, or a URL'),
  };
}

async function addFilm({ path, strip }: { readonly path: Locator; readonly strip: Locator }): Promise<void> {
  await path.fill('match/goal.mp4');
  await path.press('Enter');
  await strip.locator('img[data-state="loaded"]').first().waitFor();
}

const middleOf = async (element: Locator): Promise<{ readonly x: number; readonly y: number }> => {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not shown.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** A finger on the screen. */
async function finger(page: Page) {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: y ?? 0 }] });
  return {
    down: (x: number, y: number) => send('touchStart', x, y),
    move: (x: number, y: number) => send('touchMove', x, y),
    up: () => send('touchEnd'),
  };
}

test('a GIF of seconds 2 to 5 and then the red scene take nine presses, and both results stay', async () => {
  const { page, errors, strip, times, bar, path, client } = await editor('presses');
  let presses = 0;
  const tap = async (element: Locator): Promise<void> => {
    presses += 1;
    await element.tap();
  };
  await tap(path);
  await page.keyboard.type('goal');
  await tap(page.getByRole('option', { name: /goal/ }));
  await strip.locator('img[data-state="loaded"]').first().waitFor();
  await tap(page.getByRole('button', { name: 'animated GIF', exact: true }));
  await page.getByRole('textbox', { name: 'Length', exact: true }).waitFor();
  await tap(strip.getByRole('textbox', { name: 'Part, from – to' }));
  await page.keyboard.type('2-5');
  await bar.getByText('GIF, 3 s').waitFor();
  await tap(bar.getByRole('button', { name: 'Convert' }));
  await page.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });

  await tap(page.getByRole('button', { name: 'Choose another' }));
  // The picture in the middle of the strip that is red.
  await tap(strip.locator('img').nth(3));
  await expect
    .poll(() => strip.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext'))
    .toMatch(/13\./);
  await tap(strip.getByRole('button', { name: 'This scene' }));
  await expect.poll(times, { timeout: 60_000 }).toEqual(['0:11.400', '0:14.240']);
  // The frames on both sides of each edge show that it is right, without a press.
  const edges = strip.getByRole('list', { name: 'Frames at the edges of the part' }).getByRole('listitem');
  expect(await edges.allTextContents()).toEqual([
    'Before 0:11.360',
    'First 0:11.400',
    'Last 0:14.200',
    'After 0:14.240',
  ]);
  for (const edge of await edges.all()) await waitUntilDrawn(edge.getByRole('img'));
  await bar.getByText('MP4, 2.8 s').waitFor();
  await tap(bar.getByRole('button', { name: 'Convert' }));
  await expect.poll(async () => (await client.list({ status: 'COMPLETED' })).jobs.length, { timeout: 60_000 }).toBe(3);
  expect(presses).toBe(9);

  const film = page.getByRole('article', { name: 'Result' });
  await film.getByText('match/goal-11.4s-14.24s.mp4').waitFor();
  // The first result is below the second one, above the form.
  const gif = page.getByRole('region', { name: 'Earlier results' });
  await gif.getByRole('link', { name: /^Download .*\.gif$/ }).waitFor();
  const form = await page.getByRole('heading', { name: 'Source', exact: true }).boundingBox();
  expect((await gif.boundingBox())?.y).toBeLessThan(form?.y ?? 0);
  const jobs = (await client.list({ status: 'COMPLETED' })).jobs.filter(({ outputs }) => outputs !== undefined);
  expect(jobs.map(({ outputs }) => outputs?.[0]?.durationSeconds)).toEqual([
    expect.closeTo(2.84, 1),
    expect.closeTo(3, 1),
  ]);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('while a finger drags a handle, its frame is in sight above it', async () => {
  const { page, errors, strip, slider, times, ...more } = await editor('in-sight');
  await addFilm({ ...more, strip });
  const touch = await finger(page);
  const from = await middleOf(slider('End of the part'));
  await touch.down(from.x, from.y);
  await touch.move(from.x - 60, from.y);
  await touch.move(from.x - 120, from.y);
  const picture = strip.getByLabel('Frame at the position in match/goal.mp4');
  await picture.waitFor();
  await expect.poll(async () => (await picture.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
  const box = await picture.boundingBox();
  const handle = await slider('End of the part').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(handle?.y ?? 0);
  await touch.up();
  // The buttons below then move the handle that was dragged, frame by frame.
  const [, before] = await times();
  await strip.getByRole('button', { name: 'Back by a frame' }).tap();
  await strip.getByRole('button', { name: 'Forward by a frame' }).tap();
  expect((await times())[1]).toBe(before);
  await strip.getByRole('button', { name: 'Forward by a frame' }).tap();
  expect((await times())[1]).not.toBe(before);
  expect(errors).toEqual([]);
});

test('a result that arrives does not push the strip away from the finger', async () => {
  const server = await startServer({ env: { TELECINE_CONCURRENCY: '1' } });
  const { page, errors, strip, bar, client, ...more } = await editor('pushed', server);
  await addFilm({ ...more, strip });
  await bar.getByText(/^Ready/).waitFor();
  // The conversion waits for this one until the finger is at the strip.
  const long = await client.submit({
    inputs: [{ input: 'match/goal.mp4', parameters: { stream_loop: '200' } }],
    output: 'long.mp4',
    parameters: { 'c:v': 'libx264', preset: 'veryslow' },
  });
  await expect.poll(async () => (await client.get(long.jobId)).status).toBe('PROCESSING');
  await bar.getByRole('button', { name: 'Convert' }).tap();
  await page.getByRole('region', { name: 'Started jobs' }).getByRole('button', { name: 'Cancel' }).waitFor();
  await strip.getByRole('button', { name: 'Forward by a frame' }).focus();
  await page.evaluate('scrollTo(0, 0)');
  const top = async () => (await strip.boundingBox())?.y ?? Number.NaN;
  const before = await top();
  await client.cancel(long.jobId);
  const result = page.getByRole('article', { name: 'Result' });
  await result.getByRole('link', { name: /^Download/ }).waitFor({ timeout: 60_000 });
  await expect.poll(async () => (await result.boundingBox())?.height ?? 0).toBeGreaterThan(250);
  await expect.poll(top).toBeCloseTo(before, 0);
  expect(errors).toEqual([]);
});

test('a button that is held goes on from frame to frame', async () => {
  const { page, errors, strip, slider, ...more } = await editor('held');
  await addFilm({ ...more, strip });
  const position = () => slider('Position').getAttribute('aria-valuetext');
  const forward = strip.getByRole('button', { name: 'Forward by a frame' });
  const touch = await finger(page);
  const { x, y } = await middleOf(forward);
  await touch.down(x, y);
  await expect.poll(position).toBe('0:00.080');
  await touch.up();
  const reached = await position();
  await strip.getByRole('button', { name: 'Back by a frame' }).tap();
  expect(await position()).not.toBe(reached);
  expect(errors).toEqual([]);
});

test('in a zoomed strip, the handles wait at its edges, and pull it on', async () => {
  const { page, errors, strip, slider, times, ...more } = await editor('edges');
  await addFilm({ ...more, strip });
  const zoom = strip.getByRole('button', { name: 'Zoom in' });
  await strip.locator('img').nth(4).tap();
  for (let press = 0; press < 3; press++) await zoom.tap();
  expect(await zoom.getAttribute('aria-disabled')).toBe('true');
  const first = () => strip.locator('img').first().getAttribute('src');
  // At the last zoom, the button does nothing.
  await strip.locator('img').nth(1).tap();
  const view = await first();
  await zoom.tap({ force: true });
  expect(await first()).toBe(view);

  const touch = await finger(page);
  const start = await middleOf(slider('Start of the part'));
  await touch.down(start.x, start.y);
  await touch.move(start.x + 30, start.y);
  await touch.move(start.x + 60, start.y);
  await touch.up();
  // It was at 0, and is now where the finger is.
  expect((await times())[0]).toMatch(/^0:1[67]\./);
  expect(await first()).toBe(view);

  const end = await middleOf(slider('End of the part'));
  await touch.down(end.x, end.y);
  await touch.move(end.x - 40, end.y);
  // The browser tells of each movement with the next one.
  for (const beyond of [6, 8, 10]) await touch.move(end.x + beyond, end.y);
  await expect.poll(async () => Number((await times())[1]?.slice(2))).toBeGreaterThan(20);
  await touch.up();
  expect(await first()).not.toBe(view);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a source that was removed by mistake is one press away', async () => {
  const { page, errors, strip, ...more } = await editor('removed');
  await addFilm({ ...more, strip });
  await page.getByRole('article', { name: 'match/goal.mp4' }).getByRole('button', { name: 'Remove' }).tap();
  await strip.waitFor({ state: 'detached' });
  const undo = page.getByRole('button', { name: 'Undo' });
  const box = await undo.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThanOrEqual((await more.bar.boundingBox())?.y ?? 0);
  await undo.tap();
  await strip.waitFor();
  // Or it is found again among the stored files, of which the folders look like folders.
  await page.getByRole('article', { name: 'match/goal.mp4' }).getByRole('button', { name: 'Remove' }).tap();
  await page.getByRole('button', { name: 'Browse stored files…' }).tap();
  const folder = page.getByRole('option', { name: 'match/' });
  await folder.locator('svg').waitFor();
  await folder.tap();
  await page.getByRole('option', { name: /goal\.mp4/ }).tap();
  await strip.waitFor();
  expect(errors).toEqual([]);
});

test('beside a region, a finger that moves up scrolls the page, and one within it moves the region', async () => {
  const { page, errors, strip, ...more } = await editor('swipes');
  await addFilm({ ...more, strip });
  await page.getByLabel('What to do').fill('crop to a rectangle');
  await page.getByRole('button', { name: 'Crop to a region' }).first().tap();
  const region = page.getByRole('button', { name: /^Region:/ });
  await region.press('Enter');
  const value = (name: string) => page.getByLabel(new RegExp(`^${name}\\b`, 'i')).inputValue();
  const sides = async () => [await value('x'), await value('y'), await value('width'), await value('height')];
  expect(await sides()).toEqual(['80', '45', '160', '90']);
  const touch = await finger(page);
  const swipe = async (x: number, y: number): Promise<void> => {
    await touch.down(x, y);
    for (let step = 1; step <= 8; step++) await touch.move(x, y - step * 10);
    await touch.up();
  };
  const top = () => page.evaluate('scrollY');
  const { x, y } = await middleOf(region);
  const scrolled = await top();
  const isStill = page.evaluate("new Promise((done) => addEventListener('scrollend', () => done(), { once: true }))");
  // At the side of the picture, far from the region.
  await swipe(x - 140, y);
  await isStill;
  await expect.poll(top).toBeGreaterThan(Number(scrolled));
  expect(await sides()).toEqual(['80', '45', '160', '90']);
  const inside = await middleOf(region);
  const now = await top();
  await swipe(inside.x, inside.y);
  expect(await top()).toBe(now);
  expect(await sides()).toEqual(['80', '0', '160', '90']);
  expect(errors).toEqual([]);
});
