import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { withOtherContent } from '../support/other-content.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a film that is chosen after a reload is uploaded and checked, whatever was uploaded before', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'second-visit');
  const elsewhere = join(folder, '..', 'elsewhere');
  await signIn();
  for (const name of ['first.mp4', 'second.mp4', 'third.mp4']) {
    await putClip(elsewhere, '480p', 1, name);
    const checked = page.waitForResponse(/dryRun/);
    // Uploading takes longer than the pause after which the request is checked.
    await page.route('**/api/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH') await checked;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(join(elsewhere, name));
    const card = page.getByRole('article', { name });
    await checked;
    // The check of the uploaded file takes its time.
    let isSeen = false;
    await page.route(/dryRun/, async (route) => {
      await expect.poll(() => isSeen).toBe(true);
      await route.continue();
    });
    await card.getByText('h264').waitFor();
    expect(await card.innerText()).not.toContain('does not exist');
    isSeen = true;
    await page.getByText(/^(?:probably )?about [\d.]+\s[kM]?B$/).waitFor();
    expect(await card.innerText()).not.toContain('does not exist');
    expect((await stat(join(folder, name))).size).toBeGreaterThan(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  }
  expect(errors).toEqual([]);
});

test('a file that is stored already is used without a question, and one that differs is not', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'again');
  await putClip(folder, '480p', 1, 'film.mp4');
  await signIn();
  const chooser = page.locator('input[type=file]');
  const questions: string[] = [];
  await page.exposeFunction('askedFor', (text: string) => questions.push(text));
  await page.evaluate(
    "new MutationObserver(() => { const alert = document.querySelector('[role=alert]'); if (alert !== null) askedFor(alert.textContent); }).observe(document.body, { childList: true, subtree: true })",
  );
  await chooser.setInputFiles(join(folder, 'film.mp4'));
  await page.getByRole('article', { name: 'film.mp4' }).getByText('h264').waitFor();
  await page.getByText(/^Ready\./).waitFor();
  expect(questions).toEqual([]);
  expect((await client.listFiles('')).files.map(({ path }) => path)).toEqual(['film.mp4']);
  await chooser.setInputFiles(await withOtherContent(join(folder, 'film.mp4')));
  await page.getByText('A file exists at "film.mp4".').first().waitFor();
  expect(errors).toEqual([]);
});

test('"Clear" leaves no upload behind whose file exists', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'undecided');
  await putClip(folder, '480p', 1, 'film.mp4');
  await signIn();
  await page.locator('input[type=file]').setInputFiles(await withOtherContent(join(folder, 'film.mp4')));
  await page.getByText('A file exists at "film.mp4".').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Drop video, audio or image files here').waitFor();
  await expect.poll(() => page.getByText('A file exists at').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('"Clear" leaves no upload behind whose content is being compared, and few are compared at once', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'compared');
  const names = Array.from({ length: 6 }, (_, index) => `film-${index}.mp4`);
  for (const name of names) await putClip(folder, '480p', 1, name);
  await signIn();
  const compared: (() => void)[] = [];
  let most = 0;
  await page.route(/\/api\/files\/film-\d\.mp4$/, async (route) => {
    if (route.request().headers()['range'] !== undefined)
      await new Promise<void>((resolve) => {
        compared.push(resolve);
        most = Math.max(most, compared.length);
      });
    await route.continue();
  });
  let rejected = 0;
  page.on('response', (reply) => {
    if (reply.status() === 412) rejected++;
  });
  await page.locator('input[type=file]').setInputFiles(names.map((name) => join(folder, name)));
  await expect.poll(() => rejected).toBe(6);
  await expect.poll(() => compared.length).toBeGreaterThanOrEqual(3);
  for (const resolve of compared.splice(0)) resolve();
  await expect.poll(() => compared.length).toBeGreaterThanOrEqual(3);
  expect(most).toBe(3);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Drop video, audio or image files here').waitFor();
  await expect.poll(() => page.getByRole('list', { name: 'Other uploads' }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('an upload whose script could not be loaded says so, and begins after a reload', async () => {
  const { server } = await start();
  const { page, folder, signIn } = await consoleVisitor(open, server, 'cut-off');
  const elsewhere = join(folder, '..', 'cut-off-films');
  await putClip(elsewhere, '480p', 1, 'film.mp4');
  await signIn();
  await page.route('**/assets/uppy-uploads*', (route) => route.abort());
  await page.locator('input[type=file]').setInputFiles(join(elsewhere, 'film.mp4'));
  await page.getByText('The page could not load the code that uploads files.').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('article', { name: 'film.mp4' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(join(elsewhere, 'film.mp4'));
  await page.getByRole('article', { name: 'film.mp4' }).getByText('h264').waitFor();
  expect((await stat(join(folder, 'film.mp4'))).size).toBeGreaterThan(0);
});
