import { brotliCompressSync } from 'node:zlib';
import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor, openAccount } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** The most bytes of compressed scripts that the first page may load, without the font. */
const MAX_SCRIPT_BYTES = 175_000;

/** The size of what a request has loaded as a published build compresses it. The build of the tests compresses less, to be quick. */
const bytesOf = async (request: Request): Promise<number> =>
  brotliCompressSync((await (await request.response())?.body()) ?? Buffer.alloc(0)).length;

/** The width in pixels of a text as the page draws numbers in tables. */
const widthOf = (page: Page, text: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const span = document.createElement('span');
    span.style.fontVariantNumeric = 'tabular-nums';
    span.textContent = ${JSON.stringify(text)};
    document.body.append(span);
    const { width } = span.getBoundingClientRect();
    span.remove();
    return width;
  })()`);

test('the pages have a font of their own, whose figures align, and the first page loads little script', async () => {
  const { server } = await start();
  const { context, signIn } = await consoleVisitor(open, server, 'reader');
  await signIn();
  // In a tab that no pointer has been in: the page loads more when a pointer moves.
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const sizes: Promise<number>[] = [];
  const fonts: string[] = [];
  const running = new Set<Request>();
  page.on('request', (request) => ['script', 'font'].includes(request.resourceType()) && running.add(request));
  page.on('requestfinished', (request) => {
    running.delete(request);
    if (request.resourceType() === 'script') sizes.push(bytesOf(request));
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  // The sign-in has filled the cache.
  const session = await context.newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(server.url);
  await page.getByLabel('What to do').waitFor();
  await page.getByRole('list', { name: 'Recipes' }).waitFor();
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await expect.poll(() => running.size).toBe(0);
  expect(await page.evaluate('document.fonts.check(\'14px "Inter Variable"\')')).toBe(true);
  expect(fonts.length).toBeGreaterThan(0);
  expect(fonts.filter((url) => !url.startsWith(`${server.url}/assets/`))).toEqual([]);
  expect(await widthOf(page, '1111111111')).toBeCloseTo(await widthOf(page, '0000000000'), 1);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  expect(errors).toEqual([]);
});

test('the theme, the keys, the manual and the sign-out are in the menu of the account', async () => {
  const { server } = await start();
  const { page, signIn, errors } = await consoleVisitor(open, server, 'chooser');
  await signIn();
  await openAccount(page);
  for (const name of ['Manual', 'API']) await page.getByRole('link', { name }).waitFor();
  await page.getByText('Dark', { exact: true }).click();
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await ground();
  await expectAccessible(page);
  await page.getByText('Light', { exact: true }).click();
  expect(await ground()).not.toBe(dark);
  await expectAccessible(page);
  // A key closes the menu, as everywhere.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Manual' }).waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByLabel('What to do').waitFor();
  expect(await ground()).not.toBe(dark);
  expect(errors).toEqual([]);
});

test('on a phone, the pages and the button that converts are where a thumb reaches them', async () => {
  const { server } = await start();
  const { page, signIn, errors } = await consoleVisitor(open, server, 'one-hand', { width: 390 });
  await signIn();
  const { height } = page.viewportSize() ?? { height: 0 };
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const run = page.getByRole('button', { name: 'Convert', exact: true });
  for (const part of [pages, run]) expect((await part.boundingBox())?.y).toBeGreaterThan(height * 0.75);
  const [bar, button] = [await pages.boundingBox(), await run.boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  for (const name of ['Workbench', 'Jobs', 'Files']) {
    const box = await pages.getByRole('link', { name }).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
  }
  await pages.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('on a phone, the name of an output has the width of its panel, as each way to add a source', async () => {
  const { server } = await start();
  const { page, folder, signIn, errors } = await consoleVisitor(open, server, 'narrow', { width: 360 });
  await putSmallMovie(folder, 2, 'in/holiday-film.mp4');
  await signIn();
  await page.goto(`${server.url}/files?folder=in/&file=in/holiday-film.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByText('Ready.').waitFor();
  const widthOfBox = async (box: Locator): Promise<number> => (await box.boundingBox())?.width ?? 0;
  const name = page.getByRole('region', { name: 'Output' }).getByLabel('File to write');
  expect(await widthOfBox(name)).toBeGreaterThan(280);
  const ways = ['Choose files…', 'Browse stored files…'].map((text) => page.getByRole('button', { name: text }));
  const [first, second] = await Promise.all(ways.map(widthOfBox));
  expect(first).toBeGreaterThan(200);
  expect(second).toBe(first);
  await page.setViewportSize({ width: 1440, height: 900 });
  const [choose, browse] = await Promise.all(ways.map((way) => way.boundingBox()));
  expect(choose?.y).toBe(browse?.y);
  expect(errors).toEqual([]);
});

test('the heading of a table stays in sight while its rows scroll', async () => {
  const { server } = await start();
  const { page, client, signIn, errors } = await consoleVisitor(open, server, 'scroller', { scopes: ['admin'] });
  for (let i = 0; i < 30; i++) await client.addClient({ clientId: `client-${i}` });
  await signIn();
  await page.goto(`${server.url}/operate/clients`);
  const table = page.getByRole('table', { name: 'Clients' });
  await table.getByRole('row').nth(30).scrollIntoViewIfNeeded();
  await page.evaluate('scrollTo(0, 600)');
  const head = await table.getByRole('columnheader', { name: 'Scopes' }).boundingBox();
  const header = await page.getByRole('banner').boundingBox();
  expect(head?.y).toBeCloseTo((header?.y ?? 0) + (header?.height ?? 0), 0);
  // Many clients can be searched.
  await page.getByLabel('Search clients').fill('T-29');
  await expect.poll(() => table.getByRole('rowheader').allInnerTexts()).toEqual(['client-29']);
  expect(errors).toEqual([]);
});

test('what appears moves for a moment, and not for people who asked for less motion', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'calm', { scopes: ['admin'] });
  await signIn();
  await page.goto(`${server.url}/operate/clients`);
  await page.getByRole('button', { name: 'Add a client' }).click();
  await page.getByRole('dialog').waitFor();
  const seconds = () =>
    page.evaluate<string>("getComputedStyle(document.querySelector('[role=dialog]')).transitionDuration");
  expect((await seconds()).split(', ').every((one) => one === '0s')).toBe(true);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  for (const one of (await seconds()).split(', ')) {
    expect(Number.parseFloat(one)).toBeGreaterThanOrEqual(0.12);
    expect(Number.parseFloat(one)).toBeLessThanOrEqual(0.2);
  }
});

test('an address without a page says so, and leads to the jobs', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'lost');
  await signIn();
  // The service knows the addresses of pages itself, so only the history of a browser leads to others.
  await page.evaluate("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))");
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'jobs' }).click();
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
  expect(errors).toEqual([]);
});
