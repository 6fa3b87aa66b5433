import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { recordPage, type Shot } from './recorder.ts';

/** The window: just wide enough for two columns. */
const VIEWPORT = { width: 1024, height: 720 };

const PHRASE = 'animated gif of a scene';

/** How long each moment of something that moves is shown. */
const MOMENT_MS = 120;

/** How many moments of the finished GIF are shown, and for how long the last one stays. */
const GIF_MOMENTS = 14;
const LAST_MS = 2800;

/** Opens the link of the demo and converts its sample by a phrase. Returns what the page showed, frame by frame. */
export async function convertInConsole(browser: Browser, link: string, folder: string): Promise<readonly Shot[]> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    // Twice the pixels, so that letters stay clear when the picture is scaled.
    deviceScaleFactor: 2,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // The link has the phrase too. Here it is typed.
  const url = new URL(link);
  url.searchParams.delete('find');
  await page.goto(url.href);
  const source = page.getByRole('article', { name: /big-buck-bunny/ });
  await source.getByRole('slider', { name: 'Start of the part' }).waitFor();
  const images = page.locator('img');
  const areDrawn = () => images.evaluateAll((all) => all.every((one) => 'complete' in one && one.complete));
  while (!(await areDrawn())) await sleep(100);
  const recorder = await recordPage(page, folder);
  await recorder.hold(1200);
  await recorder.type(page.getByLabel('What to do'), PHRASE);
  const recipe = page.getByRole('button', { name: /^Animated GIF/ });
  await recipe.waitFor();
  await recorder.hold(800);
  await recorder.click(recipe);
  await page.getByText('Ready.').waitFor();
  await recorder.hold(1200);
  await recorder.click(page.getByRole('button', { name: 'Convert', exact: true }));
  const result = page.getByRole('article', { name: 'Result' });
  await recorder.watch(result.getByRole('link', { name: /^Download/ }).waitFor(), MOMENT_MS);
  await recorder.repeat(GIF_MOMENTS, MOMENT_MS);
  await recorder.hold(LAST_MS);
  await context.close();
  return recorder.shots;
}
