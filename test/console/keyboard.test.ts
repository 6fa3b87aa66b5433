import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** The most presses of Tab to anything on a page. */
const MOST = 120;

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => (element as unknown as { matches(selector: string): boolean }).matches(':focus'));

/** Goes to a control by Tab, as people do who use no pointer. Each stop on the way is seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < MOST && !(await hasFocus(target)); i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(SEEN), `the focus can be seen at stop ${i}`).toBe('');
  }
  expect(await hasFocus(target)).toBe(true);
}

/** '' if what has the focus is on the page and marked; else what it is. Browsers draw the focus inside films and sounds themselves. */
const SEEN = `(() => {
  let element = document.activeElement;
  if (element === null || element === document.body) return '';
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (/^(?:VIDEO|AUDIO)$/.test(element.tagName)) return '';
  const box = element.getBoundingClientRect();
  let marked = element;
  // Some controls are drawn by what they are in.
  for (let i = 0; i < 3 && marked !== null; i++, marked = marked.parentElement) {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(marked);
    if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return box.width > 0 ? '' : element.outerHTML;
  }
  return element.outerHTML.slice(0, 200);
})()`;

test('a person converts a film, looks at its job and deletes the result without a pointer', async () => {
  const { server } = await start();
  const { page, errors, folder, client, credentials } = await consoleVisitor(open, server, 'no-pointer');
  await putSmallMovie(folder, 2, 'in.mp4');
  const { keyboard } = page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await tabTo(page, page.getByLabel('Client id'));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type(credentials.clientId);
  await keyboard.press('Tab');
  await keyboard.type(credentials.clientSecret);
  await keyboard.press('Enter');

  // The first stop leads past the navigation.
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  await tabTo(page, page.getByRole('link', { name: 'Skip to the content' }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('combobox', { name: 'Or a stored file, or a URL' }));
  await keyboard.type('in');
  await page.getByRole('option', { name: /^in\.mp4/ }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.getByRole('article', { name: 'in.mp4' }).getByText('h264').waitFor();
  await tabTo(page, page.getByLabel('What to do'));
  await keyboard.type('sound only mp3');
  await tabTo(page, page.getByRole('list', { name: 'Recipes' }).getByRole('button', { name: /^MP3/ }).first());
  await keyboard.press('Enter');
  // What was pressed is gone, and the focus is where the recipe is now.
  await expect.poll(() => hasFocus(page.getByRole('heading', { name: /^MP3/, level: 2 }))).toBe(true);
  await tabTo(page, button('Choose another'));
  await keyboard.press('Enter');
  await expect.poll(() => hasFocus(page.getByRole('heading', { name: 'Recipe', exact: true }))).toBe(true);
  await tabTo(page, page.getByLabel('What to do'));
  await keyboard.type('sound only mp3');
  await tabTo(page, page.getByRole('list', { name: 'Recipes' }).getByRole('button', { name: /^MP3/ }).first());
  await keyboard.press('Enter');
  await tabTo(page, button('Add an option').last());
  await keyboard.press('Enter');
  await keyboard.type('b:a');
  await keyboard.press('Tab');
  await keyboard.type('96k');
  await page.getByText('Ready.').waitFor();
  await tabTo(page, button('Convert'));
  await keyboard.press('Enter');
  await page.getByText('Completed').waitFor();
  // It is done, so it cannot be pressed again.
  await page.getByText('Done. Change something to convert again.').waitFor();
  expect(await button('Convert').isDisabled()).toBe(true);
  expect(await hasFocus(button('Convert'))).toBe(true);
  expect((await client.list()).jobs).toMatchObject([{ output: 'in.mp3', status: 'COMPLETED' }]);
  await tabTo(page, page.getByRole('link', { name: 'Open the job' }));
  await keyboard.press('Enter');

  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  await tabTo(page, button('More for this job'));
  await keyboard.press('Enter');
  await tabTo(page, button('Delete'));
  await keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog');
  // The dialog has the focus, keeps it, and gives it back.
  await tabTo(page, dialog.getByLabel('Delete its output too'));
  await keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(button('More for this job'))).toBe(true);
  await keyboard.press('Enter');
  await tabTo(page, button('Delete'));
  await keyboard.press('Enter');
  await tabTo(page, dialog.getByLabel('Delete its output too'));
  await keyboard.press('Space');
  await tabTo(page, dialog.getByRole('button', { name: 'Delete' }));
  await keyboard.press('Enter');
  await page.getByText('No jobs yet.').waitFor();
  expect((await client.listFiles('')).files.map(({ path }) => path)).toEqual(['in.mp4']);
  await tabTo(page, page.getByRole('button', { name: /^Account / }));
  await keyboard.press('Enter');
  await tabTo(page, button('Sign out'));
  await keyboard.press('Enter');
  await page.getByLabel('Secret').waitFor();
  expect(errors).toEqual([]);
});
