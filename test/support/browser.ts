import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { onPath } from '../../scripts/setup/command.ts';

/** A page of a browser that has nothing stored, with what its console said. */
export interface BrowserPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, of the Content-Security-Policy and of the network, except rejected calls of the API. */
  readonly errors: readonly string[];
}

/**
 * Opens pages of one Chromium, which starts with the first page and ends with the file. Each page has a profile of its own. `hasTouch`: the page is
 * that of a phone, which has a touch screen and no mouse.
 */
export function openBrowser(): (width?: number, hasTouch?: boolean) => Promise<BrowserPage> {
  let browser: Promise<Browser> | undefined;
  afterAll(async () => (await browser)?.close());
  return async (width = 1280, hasTouch = false) => {
    // Chromium's own sandbox needs a user that is not root. The pages are our own.
    browser ??= chromium.launch({ executablePath: onPath('chromium') ?? '', args: ['--no-sandbox'] });
    const viewport = { width, height: hasTouch ? 844 : 900 };
    const touch = hasTouch && { hasTouch, isMobile: true };
    const context = await (await browser).newContext({ viewport, reducedMotion: 'reduce', ...touch });
    const page = await context.newPage();
    const pending = new Set<Request>();
    page.on('request', (request) => pending.add(request));
    page.on('requestfinished', (request) => pending.delete(request));
    const failed: string[] = [];
    page.on('requestfailed', (request) => {
      pending.delete(request);
      failed.push(`${request.url()} (${request.failure()?.errorText})`);
    });
    const errors: string[] = [];
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await keepPicture(page, { pending, failed, errors });
      await context.close();
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      // Chromium reports each reply with an error status. Which ones the page expects is up to the test.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    });
    return { page, context, errors };
  };
}

/** What the page of a failed test was waiting for, and what went wrong there. */
interface Traces {
  readonly pending: ReadonlySet<Request>;
  readonly failed: readonly string[];
  readonly errors: readonly string[];
}

async function keepPicture(page: Page, { pending, failed, errors }: Traces): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), 'telecine-page-')), 'page.png');
  await page.screenshot({ path }).catch(() => {});
  const waiting = [...pending].map((request) => `${request.method()} ${request.url()}`);
  const lines = [
    `Kept for inspection: ${path}, of ${page.url()}.`,
    ...[`Requests without a reply: ${waiting.join(', ') || 'none'}`, `Failed requests: ${failed.join(', ') || 'none'}`],
    `Errors of the page: ${errors.join(', ') || 'none'}`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Resolves when the browser has loaded a picture. The service renders the pictures of a page one after the other. */
export const waitUntilDrawn = (image: Locator): Promise<void> =>
  expect
    .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth), {
      timeout: 60_000,
    })
    .toBeGreaterThan(0);

/** The page breaks no rule of WCAG 2.2 AA that axe can check. `except`: rules that do not count, for a reason that the test says. */
export async function expectAccessible(page: Page, { except = [] as readonly string[] } = {}): Promise<void> {
  // A button that is scrolled below the header, which stays at the top, counts as too small.
  await page.evaluate('scrollTo(0, 0)');
  const { violations } = await inWholePage(page, () =>
    new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .disableRules([...except])
      .analyze(),
  );
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** Narrower pages have bars at the bottom of the window. */
const PHONE = 768;
const MAX_HEIGHT = 10_000;

/** Calls `look` while the window of a phone shows all of the page. Otherwise, a bar at its bottom covers parts of buttons, which count as too small. */
async function inWholePage<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const size = page.viewportSize();
  if (size === null || size.width >= PHONE) return look();
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ ...size, height: Math.min(Math.max(height, size.height), MAX_HEIGHT) });
  try {
    return await look();
  } finally {
    await page.setViewportSize(size);
  }
}
