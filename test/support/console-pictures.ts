import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from './browser.ts';

/** Where the pictures are written: `npm run console:pictures`. Without it, the pages are only visited. */
const FOLDER = process.env['TELECINE_PICTURES'];

type Theme = 'light' | 'dark';
type Look = readonly [theme: Theme, width: number];

/** A phone, a laptop and a large screen. `TELECINE_PICTURE_WIDTHS=390,1440 npm run console:pictures` takes other ones. */
const [PHONE = 360, LAPTOP = 1280, ...LARGER] = (process.env['TELECINE_PICTURE_WIDTHS'] ?? '360,1280,2560')
  .split(',')
  .map(Number);

const WIDTHS = [PHONE, LAPTOP, ...LARGER];

/** All widths in both themes. A theme changes colours and not widths, so where no picture is wanted, the second one has one width. */
const ALL: readonly Look[] = [
  ...WIDTHS.map((width) => ['light', width] as const),
  ...(FOLDER === undefined ? WIDTHS.slice(-1) : WIDTHS).map((width) => ['dark', width] as const),
];

/** For the states of a page that is shown in all looks anyway. */
const SOME: readonly Look[] = [
  ['light', PHONE],
  ['dark', LAPTOP],
];

/** Takes pictures of what a page shows now, named after it, and checks that nothing is wider than the window and that axe finds nothing. */
export interface PictureTaker {
  /** `isSettled`: false for a page that never stops reading. */
  look(name: string, options?: { readonly isSettled?: boolean; readonly isState?: boolean }): Promise<void>;
}

export function pictureTaker(page: Page): PictureTaker {
  const settle = settler(page);
  return {
    async look(name, { isSettled = true, isState = false } = {}) {
      if (FOLDER !== undefined) await mkdir(FOLDER, { recursive: true });
      const looks = isState ? SOME : ALL;
      for (const [theme, width] of looks) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: width < 400 ? 800 : 900 });
        if (isSettled) await settle();
        // Plots are drawn again when the window or the theme has changed.
        await page.evaluate(
          'scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow, `${name} is wider than ${width} pixels`).toBeLessThanOrEqual(0);
        if (FOLDER !== undefined)
          await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`), fullPage: true });
        // In both themes: in one, colours can have too little contrast.
        if (looks.findLast(([each]) => each === theme)?.[1] === width) await expectAccessible(page);
      }
    },
  };
}

/** A thumbnail loads once it is in sight. Returns how many have not loaded. */
const SHOW_NEXT_THUMBNAIL = `
  const waiting = [...document.querySelectorAll('[data-loading]')].filter((one) => one.checkVisibility());
  waiting[0]?.scrollIntoView();
  waiting.length;`;

/** Returns a function that resolves when the page reads nothing more, but for the streams that never end. */
function settler(page: Page): () => Promise<void> {
  // A page does not say when the picture before a film has arrived.
  const previews = new Set<unknown>();
  page.on('request', (request) => request.url().includes('view=') && previews.add(request));
  page.on('requestfinished', (request) => previews.delete(request));
  page.on('requestfailed', (request) => previews.delete(request));
  const images = page.locator('img');
  return async () => {
    await page.locator('h1').first().waitFor();
    for (const text of ['Loading…', 'Reading the streams…', 'Reading the file…', 'Checking…'])
      await page.getByText(text).first().waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(SHOW_NEXT_THUMBNAIL), { timeout: 60_000 }).toBe(0);
    await expect
      .poll(() => images.evaluateAll((all) => all.every((one) => 'complete' in one && one.complete)), {
        timeout: 60_000,
      })
      .toBe(true);
    await expect.poll(() => previews.size, { timeout: 60_000 }).toBe(0);
  };
}
