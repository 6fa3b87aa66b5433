import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor, editCompletedJob } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** The text of the element with the focus. */
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true });

test('a source that was removed and a draft that was cleared come back by undo, and the focus stays on the page', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'undoes');
  await putSmallMovie(folder, 1, 'in.mp4');
  await signIn();
  const path = page.getByLabel('Or a stored file, or a URL');
  await path.fill('in.mp4');
  await path.press('Enter');
  const source = page.getByRole('button', { name: 'Remove', exact: true });
  await source.press('Enter');
  await page.getByText('Removed in.mp4.').waitFor();
  expect(await source.count()).toBe(0);
  expect(await focused(page)).toContain('Removed in.mp4.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await source.waitFor();
  // The first button of the source that came back.
  expect(await focused(page)).toBe('Source options');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Cleared the draft.').waitFor();
  // With Caps Lock, the key is a capital letter.
  await page.evaluate("window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Z', ctrlKey: true }))");
  await source.waitFor();
  expect(await page.getByText('Cleared the draft.').count()).toBe(0);

  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByRole('button', { name: 'Remove the option' }).press('Enter');
  expect(await focused(page)).toBe('Add an option');
  expect(errors).toEqual([]);
});

test('a note about a removal goes after some seconds unless it is used, and Ctrl+Z still brings the source back', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'passing-note');
  await putSmallMovie(folder, 1, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/?source=in.mp4`);
  const source = page.getByRole('button', { name: 'Remove', exact: true });
  const note = page.getByText('Removed in.mp4.');
  await source.waitFor();
  await page.clock.install();
  await source.click();
  await note.waitFor();
  // The pointer is over it.
  await note.hover();
  await page.clock.fastForward(30_000);
  expect(await note.count()).toBe(1);
  await page.mouse.move(0, 0);
  await page.clock.fastForward(30_000);
  await note.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await source.waitFor();
  // With the keyboard in it.
  await source.press('Enter');
  await note.waitFor();
  await page.clock.fastForward(30_000);
  expect(await note.count()).toBe(1);
  await undo(page).press('Enter');
  await source.waitFor();
  // What clears everything stays.
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.mouse.move(0, 0);
  await page.clock.fastForward(30_000);
  await page.getByText('Cleared the draft.').waitFor();
  expect(errors).toEqual([]);
});

test('a draft that requests of jobs have replaced comes back, also after a second one and a reload', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'replaced');
  await putSmallMovie(folder, 1, 'in.mp4');
  const jobs = [];
  for (const output of ['first.mkv', 'second.mkv']) {
    const { jobId } = await client.submit({ input: 'in.mp4', output, parameters: { c: 'copy' } });
    await client.wait(jobId);
    jobs.push(jobId);
  }
  await signIn();
  const output = page.getByLabel('File to write');
  const notice = page.getByText('A request has replaced your draft.');
  const edit = async (jobId: string | undefined): Promise<void> => {
    await page.goto(`${server.url}/jobs/${jobId}`);
    await editCompletedJob(page);
    await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  };
  // What was added and removed again is no draft.
  await page.getByRole('button', { name: 'Add an option' }).click();
  await page.getByRole('button', { name: 'Remove the option' }).click();
  await edit(jobs[0]);
  expect(await output.inputValue()).toBe('first.mkv');
  expect(await notice.count()).toBe(0);
  await page.getByRole('button', { name: 'Clear' }).click();

  await output.fill('mine.mp4');
  await edit(jobs[0]);
  await notice.waitFor();
  await edit(jobs[1]);
  expect(await output.inputValue()).toBe('second.mkv');
  await output.fill('changed.mkv');
  await page.reload();
  await notice.waitFor();
  // Ctrl+Z is for the last change, and the notice of that change moves nothing on the page.
  await page.getByRole('heading', { name: 'Workbench' }).click();
  await page.keyboard.press('Control+z');
  expect(await output.inputValue()).toBe('changed.mkv');
  await page.getByRole('button', { name: 'Add an option' }).click();
  const option = page.getByRole('combobox', { name: 'Option', exact: true }).last();
  await option.fill('crf');
  await option.press('Tab');
  /** The place of the notice below the heading of the page, wherever the page is scrolled. */
  const place = (): Promise<number> =>
    notice.evaluate(
      `(one) => Math.round(
        one.getBoundingClientRect().top - document.querySelector('h1').getBoundingClientRect().top
      )`,
    );
  const before = await place();
  await page.getByRole('button', { name: 'Remove crf', exact: true }).click();
  await page.getByText('Removed crf.').waitFor();
  expect(await place()).toBe(before);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Cleared the draft.').waitFor();
  await undo(page).click();
  await page.getByRole('button', { name: 'Go back to it' }).click();
  expect(await output.inputValue()).toBe('mine.mp4');
  await page.getByText('Went back to your draft.').waitFor();
  await undo(page).click();
  expect(await output.inputValue()).toBe('changed.mkv');
  await page.getByRole('button', { name: 'Dismiss: A request has replaced your draft.' }).click();
  expect(await notice.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('on a phone, the notice about what was removed does not cover the button that converts', async () => {
  const { server } = await start();
  const { page, signIn } = await consoleVisitor(open, server, 'thumb-undoes');
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn();
  const path = page.getByLabel('Or a stored file, or a URL');
  for (const name of ['none.mp4', 'neither.mp4']) {
    await path.fill(name);
    await path.press('Enter');
    await page.getByRole('button', { name: 'Add it anyway: it will be there later' }).click();
  }
  const run = page.getByRole('group', { name: 'Run' });
  await run.getByRole('button', { name: 'Show the first error' }).waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).last().click();
  const notice = page.getByRole('status').filter({ hasText: 'Removed neither.mp4.' });
  await notice.waitFor();
  const [above, bar] = [await notice.boundingBox(), await run.boundingBox()];
  expect((above?.y ?? 800) + (above?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
});
