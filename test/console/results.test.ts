import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser, waitUntilDrawn } from '../support/browser.ts';
import { consoleVisitor, editCompletedJob } from '../support/console-visitor.ts';
import { putClip, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { readZip } from '../support/read-zip.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

async function addSource(page: Page, path: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.fill(path);
  await field.press('Enter');
  await page.getByRole('article', { name: path }).waitFor();
}

/** Scrolls to the plan: all sources are planned when the user sees it. */
const scrollToPlan = (page: Page) =>
  page.getByRole('heading', { name: /^Plan( for all \d+)?$/ }).evaluate((heading) => {
    (heading as unknown as { scrollIntoView(to: { block: string }): void }).scrollIntoView({ block: 'center' });
  });

const convert = (page: Page) => page.getByRole('button', { name: 'Convert', exact: true });

test('a success shows how small the file is, next to its source, and the next file is converted alike', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'winner');
  await putClip(folder, '480p', 4, 'in.mp4');
  await putSmallMovie(folder, 2, 'next.mp4');
  await signIn();
  await addSource(page, 'in.mp4');
  await page.getByLabel('What to do').fill('fit in 1 MB');
  await page
    .getByRole('list', { name: 'Recipes' })
    .getByRole('button', { name: /size in MB/ })
    .first()
    .click();
  // A size with its unit is the number.
  await page.getByRole('textbox', { name: 'Size (MB, required)' }).fill('0,2 MB');
  expect(await page.getByLabel('File to write').getAttribute('placeholder')).toBe('in-0.2MB.mp4');
  await page.getByText('Ready.').waitFor();
  await convert(page).click();
  const card = page.getByRole('article', { name: 'Result' });
  await card.getByText(/ → .*, −\d+\s%$/).waitFor({ timeout: 60_000 });
  // The draft is done, so nothing warns that its output exists.
  await page.getByText('Done. Change something to convert again.').waitFor();
  expect(await page.getByText('The output exists already.').count()).toBe(0);
  // The bar, which stays below the header, does not cover the line of the completed job.
  const bar = await page.getByRole('group', { name: 'Run' }).boundingBox();
  const jobs = await page.getByRole('region', { name: 'Started jobs' }).boundingBox();
  expect(jobs?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Download in-0.2MB.mp4' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('in-0.2MB.mp4');

  await card.getByRole('button', { name: 'Compare with the source' }).click();
  const line = card.getByRole('slider', { name: 'Line between source and result' });
  await line.press('ArrowRight');
  expect(await line.getAttribute('aria-valuetext')).toBe('51 % source');
  // It opens in the middle, because the first frame is often black.
  expect(await card.getByRole('slider', { name: 'Frame' }).getAttribute('aria-valuetext')).toMatch(
    /^0:02\.\d+, frame \d+ of \d+$/,
  );
  await card.getByRole('button', { name: 'More for this result' }).click();
  await card.getByRole('button', { name: 'Measure the quality' }).click();
  await card.getByText(/^SSIM 0\.\d{3}: .*, in [\d.]+\ss of the middle$/).waitFor({ timeout: 60_000 });
  await expectAccessible(page);

  await card.getByRole('button', { name: 'Same settings, new source' }).click();
  await page.getByText('Choose a source first.').waitFor();
  expect(await page.getByRole('textbox', { name: /^size/i }).inputValue()).toBe('0.2');
  await addSource(page, 'next.mp4');
  await page.getByText('Ready.').waitFor();
  await convert(page).click();
  await card.getByRole('link', { name: 'Download next-0.2MB.mp4' }).waitFor({ timeout: 60_000 });
  // With other settings, the next name is free.
  await page.getByRole('textbox', { name: /^size/i }).fill('0.20');
  await page.getByRole('textbox', { name: /^size/i }).fill('0.2');
  await page.getByText('Ready.').waitFor();
  expect(await page.getByLabel('File to write').getAttribute('placeholder')).toBe('next-0.2MB-2.mp4');
  const outputs = (await client.list()).jobs.map(({ output }) => output);
  expect(outputs.filter((path) => path !== undefined && !path.startsWith('console-previews/'))).toEqual([
    'next-0.2MB.mp4',
    'in-0.2MB.mp4',
  ]);

  // The result is converted further, and the draft before can come back.
  await card.getByRole('button', { name: 'More for this result' }).click();
  await card.getByRole('button', { name: 'Use as source' }).click();
  await page.getByRole('article', { name: 'next-0.2MB.mp4' }).waitFor();
  await page.getByLabel('What to do').waitFor();
  await page.getByRole('button', { name: 'Go back to it' }).click();
  await page.getByRole('article', { name: 'next.mp4' }).waitFor();
  const first = (await client.list()).jobs.find(({ output }) => output === 'in-0.2MB.mp4');
  await page.goto(`${server.url}/jobs/${first?.jobId}`);
  await page.getByRole('button', { name: 'More for this job' }).click();
  await page.getByRole('button', { name: 'Use as source' }).click();
  await page.getByRole('article', { name: 'in-0.2MB.mp4' }).waitFor();
  expect(errors).toEqual([]);
});

test('a file is shared by a link with a lifetime, which a stranger opens and its owner revokes', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'giver');
  await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'out.mp4', parameters: { c: 'copy' } });
  await client.wait(jobId);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  const card = page.getByRole('article', { name: 'Result' });
  await card.getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByLabel('The link works for').selectOption('1 day');
  await dialog.getByLabel('Note (for yourself)').fill('for Ada');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = (await dialog.getByRole('group', { name: 'Shared link' }).textContent()) ?? '';
  expect(link).toMatch(new RegExp(`^${server.url}/s/tcl_`));
  await expectAccessible(page);
  const [shared] = (await client.shares()).shares;
  expect(Date.parse(shared?.expiresAt ?? '') - Date.parse(shared?.createdAt ?? '')).toBe(86_400_000);

  const { page: strange, errors: strangeErrors } = await open();
  await strange.goto(link);
  await strange.getByRole('heading', { name: 'out.mp4' }).waitFor();
  await expect
    .poll(() =>
      strange
        .locator('video[aria-label="out.mp4"]')
        .evaluate((video) => (video as unknown as { readyState: number }).readyState),
    )
    .toBeGreaterThan(0);
  await expectAccessible(strange);
  const [download] = await Promise.all([
    strange.waitForEvent('download'),
    strange.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(await readFile(await download.path())).toEqual(await readFile(join(folder, 'out.mp4')));

  await dialog.getByRole('link', { name: 'All links' }).click();
  const row = page.getByRole('table', { name: 'Shared links' }).getByRole('row').filter({ hasText: 'for Ada' });
  await row.getByText('out.mp4').waitFor();
  // Each column has a value.
  expect(await row.locator('td[data-name]:not([data-name=""]):empty').count()).toBe(0);
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Nothing is shared.').waitFor();
  await strange.goto(link);
  await strange.getByRole('heading', { name: 'This link opens nothing' }).waitFor();
  expect([...errors, ...strangeErrors]).toEqual([]);
});

/** Options that fail, because the encoder takes at most two channels, and that the service knows how to mend. */
const SIX_CHANNELS = { 'c:v': 'libx264', preset: 'ultrafast', 'c:a': 'wmav2', ac: '6' };

test('a failed job runs again with its fix by one click, and the cause stays visible while a person edits', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'mender');
  await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await client.submit({
    input: 'in.mp4',
    output: 'six.mkv',
    parameters: SIX_CHANNELS,
  });
  const failed = await client.wait(jobId);
  expect(failed.error?.apply).toBeDefined();
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  const note = page.getByRole('complementary', { name: 'The failed job' });
  await note.getByText(failed.error?.message ?? '').waitFor();
  await page.getByLabel('Value of preset').fill('veryfast');
  await page.reload();
  await note.getByText('To fix it:').waitFor();
  await note.getByRole('button', { name: /^Use ac: / }).click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Export' }).locator('pre').textContent())
    .toContain('"ac": "2"');
  expect(await page.getByLabel('Value of preset').inputValue()).toBe('veryfast');
  await note.waitFor();
  await expectAccessible(page);

  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Apply this fix and run again' }).click();
  await expect.poll(() => page.url()).not.toContain(jobId);
  await page.getByRole('article', { name: 'Result' }).waitFor();
  expect((await client.list()).jobs[0]).toMatchObject({
    ...{ status: 'COMPLETED', output: 'six.mkv' },
    parameters: { ...SIX_CHANNELS, ac: '2' },
  });
  expect(errors).toEqual([]);
});

test('a fix is applied in the workbench, to one of several jobs too, and the note about a failure goes when it is mended', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'stayer');
  for (const name of ['one.mp4', 'two.mp4']) await putSmallMovie(folder, 2, name);
  const { jobId } = await client.submit({ input: 'one.mp4', output: 'six.mkv', parameters: SIX_CHANNELS });
  await client.wait(jobId);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  const note = page.getByRole('complementary', { name: 'The failed job' });
  await note.waitFor();
  await page.getByText('Ready.').waitFor();
  await convert(page).click();
  const started = page.getByRole('region', { name: 'Started jobs' });
  await started.getByRole('button', { name: 'Apply this fix and run again' }).click({ timeout: 60_000 });
  await started.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  await page.getByText('Done. Change something to convert again.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  const shownRequest = page.getByRole('region', { name: 'Export' }).locator('pre');
  expect(await shownRequest.textContent()).toContain('"ac": "2"');
  // Started once, the request is no longer the one that failed before.
  expect(await note.count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  expect(await note.count()).toBe(0);

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  const command = 'ffmpeg -i one.mp4 -c:v libx264 -preset ultrafast -c:a wmav2 -ac 6 -f matroska six.mkv';
  await page.getByRole('textbox', { name: 'Command line of ffmpeg' }).fill(command);
  await page.getByRole('button', { name: 'Use this command' }).click();
  await addSource(page, 'two.mp4');
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert all 2' }).click();
  await started.getByText('All 2 jobs have ended.').waitFor({ timeout: 60_000 });
  const fixes = started.getByRole('button', { name: 'Apply this fix and run again' });
  expect(await fixes.count()).toBe(2);
  await expectAccessible(page);
  await fixes.first().click();
  await started.getByRole('link', { name: /^Download / }).waitFor({ timeout: 60_000 });
  expect(await fixes.count()).toBe(1);
  expect(await started.getByRole('listitem').count()).toBe(2);
  expect(errors).toEqual([]);
});

test('the same settings are ready for another source, from the page of a job as in the workbench', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'repeater');
  await putSmallMovie(folder, 4, 'in.mp4');
  await putSmallMovie(folder, 4, 'next.mp4');
  const { jobId } = await client.submit({
    inputs: [{ input: 'in.mp4', parameters: { ss: '1' } }],
    output: 'out.mp4',
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '40', y: '' },
    metadata: { order: '7' },
  });
  await client.wait(jobId);
  await signIn();
  const exported = page.getByRole('region', { name: 'Export' }).locator('pre');
  const shownRequest = async () => JSON.parse((await exported.textContent()) ?? '') as unknown;
  const wanted = {
    inputs: [{ input: 'next.mp4', parameters: { ss: '1' } }],
    parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '40' },
  };
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Same settings, new source' }).click();
  await page.getByText('Choose a source first.').waitFor();
  // The settings outlive a reload.
  await page.reload();
  await addSource(page, 'next.mp4');
  const fromJob = await shownRequest();
  expect(fromJob).toEqual({ ...wanted, output: expect.any(String) });

  await page.goto(`${server.url}/jobs/${jobId}`);
  await editCompletedJob(page);
  await page.getByText(/^Ready\./).waitFor();
  await convert(page).click();
  const card = page.getByRole('article', { name: 'Result' });
  await card.getByRole('button', { name: 'Same settings, new source' }).click({ timeout: 60_000 });
  await addSource(page, 'next.mp4');
  expect(await shownRequest()).toEqual(fromJob);
  expect(errors).toEqual([]);
});

test('a job of a recipe is edited as the recipe with its arguments, however it ended', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'resizer');
  await putSmallMovie(folder, 2, 'in.mp4');
  const preset = { name: 'target-size', arguments: { size: 0.2 } };
  const sent = { input: 'in.mp4', output: 'small.mp4', preset };
  const done = await client.submit(sent);
  expect(await client.wait(done.jobId)).toMatchObject({ status: 'COMPLETED' });
  // The output exists, so this one fails.
  const failed = await client.submit({ ...sent, parameters: { 'b:a': '64k' } });
  expect(await client.wait(failed.jobId)).toMatchObject({ error: { code: 'OUTPUT_EXISTS' } });
  await signIn();
  const exported = page.getByRole('region', { name: 'Export' }).locator('pre');
  const shownRequest = async () => JSON.parse((await exported.textContent()) ?? '') as unknown;
  const size = page.getByRole('textbox', { name: 'Size (MB, required)' });

  await page.goto(`${server.url}/jobs/${done.jobId}`);
  const request = page.getByRole('region', { name: 'Request', exact: true }).locator('pre');
  expect(JSON.parse((await request.textContent()) ?? '')).toEqual(sent);
  await editCompletedJob(page);
  await size.waitFor();
  expect(await size.inputValue()).toBe('0.2');
  expect(await shownRequest()).toEqual(sent);

  await page.goto(`${server.url}/jobs/${failed.jobId}`);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  await page.getByRole('complementary', { name: 'The failed job' }).waitFor();
  expect(await shownRequest()).toEqual({ ...sent, parameters: { 'b:a': '64k' } });
  await size.fill('0.3');
  await page.getByLabel('File to write').fill('other.mp4');
  await page.getByText(/^Ready\./).waitFor();
  await convert(page).click();
  await page.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  const [retry] = (await client.list()).jobs;
  expect(retry).toMatchObject({
    retryOf: failed.jobId,
    request: {
      output: 'other.mp4',
      parameters: { 'b:a': '64k' },
      preset: { name: 'target-size', arguments: { size: '0.3' } },
    },
  });

  // From the menu of its row, too.
  await page.goto(`${server.url}/jobs`);
  await page.getByRole('button', { name: 'Actions for other.mp4' }).click();
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  await size.waitFor();
  expect(await size.inputValue()).toBe('0.3');
  expect(errors).toEqual([]);
});

test('a job of a recipe that was deleted is edited with the options that the recipe had set', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'deleter');
  await putSmallMovie(folder, 2, 'in.mp4');
  await client.putRecipe('quick', {
    ...{ version: 1, title: 'Quick', description: 'Quick.', words: [], arguments: {}, outputs: ['mp4'] },
    inputs: [{ role: 'film', description: 'A film.' }],
    request: { parameters: { 'c:v': 'libx264', preset: 'ultrafast' } },
  });
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'out.mp4', preset: { name: 'quick' } });
  await client.wait(jobId);
  await client.removeRecipe('quick');
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await editCompletedJob(page);
  const exported = page.getByRole('region', { name: 'Export' }).locator('pre');
  await expect
    .poll(async () => JSON.parse((await exported.textContent()) ?? '{}') as unknown)
    .toEqual({ input: 'in.mp4', output: 'out.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast' } });
  expect(errors).toEqual([]);
});

test('an error while the settings of a job are read is said, and no other page is left for them', async () => {
  const { server } = await start();
  const { page, folder, client, signIn } = await consoleVisitor(open, server, 'unlucky');
  await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'out.mp3', preset: { name: 'mp3' } });
  await client.wait(jobId);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  let reply: 'error' | 'late' = 'error';
  const replies: (() => void)[] = [];
  await page.route('**/api/**/mp3', async (route) => {
    if (reply === 'error') return route.fulfill({ status: 500 });
    await new Promise<void>((resolve) => replies.push(resolve));
    await route.continue();
  });
  const another = page.getByRole('button', { name: 'Same settings, new source' });
  await another.click();
  await page.getByRole('alert').getByText('The reply has status 500').waitFor();
  reply = 'late';
  await another.click();
  await expect.poll(() => replies.length).toBe(1);
  expect(await another.isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  const [answered] = await Promise.all([
    page.waitForEvent('requestfinished', (request) => request.url().endsWith('/mp3')),
    replies[0]?.(),
  ]);
  await (await answered.response())?.finished();
  // The page has handled the reply when it is drawn again.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  expect(new URL(page.url()).pathname).toBe('/jobs');
  // The draft was not replaced either.
  await page.getByRole('link', { name: 'Workbench', exact: true }).click();
  await page.getByLabel('What to do').waitFor();
  expect(await page.getByRole('button', { name: 'Choose another' }).count()).toBe(0);
});

test('several sources are a list with their names, pictures and sizes, and several outputs are one zip', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'batcher');
  for (const name of ['one.mp4', 'two.mp4']) await putSmallMovie(folder, 2, name);
  await signIn();
  for (const name of ['one.mp4', 'two.mp4']) await addSource(page, name);
  await page.getByLabel('Format').fill('mov');
  // What all of them take comes first, and then each by itself.
  await scrollToPlan(page);
  await page.getByText(/^Ready\. All: about /).waitFor();
  const plan = page.getByRole('region', { name: 'Plan for all 2' });
  await plan.getByText('Time to convert all').waitFor();
  const each = plan.getByRole('list', { name: 'Plan of each source' });
  expect(await each.locator('button > span:first-child').allInnerTexts()).toEqual(['one.mp4', 'two.mp4']);
  await plan.getByRole('heading', { name: 'one.mp4' }).waitFor();
  await each.getByRole('button', { name: 'two.mp4' }).click();
  await plan.getByRole('heading', { name: 'two.mp4' }).waitFor();
  // The export says which request it has, and can have both.
  const exported = page.getByRole('region', { name: 'Export' });
  const text = async () => JSON.parse((await exported.locator('pre').textContent()) ?? '{}');
  await expect.poll(async () => (await text()).input).toBe('two.mp4');
  await exported.getByRole('button', { name: 'All 2 as a batch' }).click();
  await expect
    .poll(async () => (await text()).requests?.map(({ input }: { readonly input: string }) => input))
    .toEqual(['one.mp4', 'two.mp4']);
  await page.getByRole('button', { name: 'Convert all 2' }).click();
  const started = page.getByRole('region', { name: 'Started jobs' });
  await started.getByText('All 2 jobs have ended.').waitFor({ timeout: 60_000 });
  const lines = started.getByRole('listitem');
  expect(await lines.count()).toBe(2);
  for (const line of await lines.all()) {
    await line.getByText(/^[\d.]+\s[kM]B$/).waitFor();
    await waitUntilDrawn(line.locator('img'));
    await line.getByRole('link', { name: /^Download / }).waitFor();
  }
  expect(await started.locator('video').count()).toBe(0);
  await expectAccessible(page);
  // The started jobs remain after the user opens one of them and goes back, and cannot be started a second time.
  await lines.first().getByRole('link').first().click();
  await page.waitForURL(/\/jobs\/./);
  await page.goBack();
  await started.getByText('All 2 jobs have ended.').waitFor();
  await page.getByText('Done. Change something to convert again.').waitFor();

  const outputs = [
    { output: 'both/film.mp4', parameters: { c: 'copy' } },
    { output: 'both/sound.m4a', parameters: { vn: '' } },
  ];
  const { jobId } = await client.submit({ input: 'one.mp4', outputs });
  await client.wait(jobId);
  await page.goto(`${server.url}/jobs/${jobId}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download all as one zip' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('film.zip');
  expect(readZip(await readFile(await download.path())).map(({ name }) => name)).toEqual(['film.mp4', 'sound.m4a']);
  expect(errors).toEqual([]);
});

test('a long job shows its progress in the title of every page, and the browser tells when it has ended', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'waiter');
  await putSmallMovie(folder, 30, 'in.mp4');
  // Chromium without a window has no notifications. This one notes what it is told, and starts as if nobody was asked.
  await page.addInitScript(`
    window.told = [];
    class Notification {
      static permission = 'default';
      static requestPermission = async () => (Notification.permission = 'granted');
      constructor(title, { body }) { window.told.push(title + ': ' + body); }
    }
    window.Notification = Notification;
  `);
  await signIn();
  await page.reload();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill('ffmpeg -i in.mp4 -c:v libx264 -preset veryslow -vf scale=1920:-2 long.mp4');
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText('Ready.').waitFor();
  await convert(page).click();
  const yes = page.getByRole('group', { name: 'Notification' }).getByRole('button', { name: 'Yes, notify me' });
  await yes.click({ timeout: 60_000 });
  await expect.poll(() => page.title()).toMatch(/^\d+ % · Workbench · Telecine$/);
  await page.getByRole('link', { name: 'Files' }).click();
  await expect.poll(() => page.title()).toMatch(/^\d+ % · Files · Telecine$/);
  await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })");
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByRole('link', { name: 'long.mp4' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the job' }).click();
  await expect.poll(() => page.evaluate('window.told')).toEqual([expect.stringMatching(/^Conversion cancelled: /)]);
  await expect.poll(() => page.title()).toBe('long.mp4 · Telecine');
  expect(errors).toEqual([]);
});

test('on a phone, the result is above the form when the job has ended, and one press away later', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'small-screen', { width: 390 });
  await putSmallMovie(folder, 4, 'in.mp4');
  await signIn();
  await addSource(page, 'in.mp4');
  await page.getByText('Ready.').waitFor();
  // The recipes and the export would only be in the way. The wishes and the figures of the plan are one press away.
  expect(await page.getByRole('list', { name: 'Recipes' }).getByRole('listitem').count()).toBe(0);
  await page.getByRole('button', { name: 'animated GIF', exact: true }).waitFor();
  expect(await page.getByRole('region', { name: 'Export' }).locator('pre').isVisible()).toBe(false);
  const bar = page.getByRole('group', { name: 'Run' });
  await bar.getByRole('link', { name: /^Ready\./ }).click();
  await expect.poll(async () => (await page.getByText('Time to convert').boundingBox())?.y ?? 800).toBeLessThan(400);
  expect((await bar.boundingBox())?.height).toBeLessThan(80);
  await page.getByRole('button', { name: /^Show all \d/ }).click();
  await page.getByRole('list', { name: 'Recipes' }).getByRole('listitem').first().waitFor();
  await convert(page).click();
  const card = page.getByRole('article', { name: 'Result' });
  await card.waitFor({ timeout: 60_000 });
  await page.getByText('Done. Change something to convert again.').waitFor();
  const { height } = page.viewportSize() ?? { height: 0 };
  const top = async () => (await card.boundingBox())?.y ?? height;
  await expect.poll(top).toBeLessThan(height / 3);
  // Nothing leads to what is shown.
  await page.getByRole('button', { name: 'Show the result' }).waitFor({ state: 'detached' });
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.getByRole('button', { name: 'Show the result' }).waitFor();
  expect((await bar.boundingBox())?.height).toBeLessThan(80);
  expect(await convert(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Show the result' }).click();
  await expect.poll(top).toBeLessThan(height / 3);
  await expect.poll(top).toBeGreaterThan(0);
  const form = await page.getByRole('heading', { name: 'Source', exact: true }).boundingBox();
  expect(form?.y).toBeGreaterThan(await top());
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('encrypted segments have a picture of their source before they play', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'encrypter');
  await putSmallMovie(folder, 4, 'in.mp4');
  const { jobId } = await client.submit({
    ...{ input: 'in.mp4', output: 'hls/film.m3u8', encrypt: { keyUri: 'film.key' } },
    parameters: { c: 'copy', hls_time: '2', hls_list_size: '0' },
  });
  await client.wait(jobId);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  const player = page.locator('video[aria-label="hls/film.m3u8"]');
  await player.waitFor();
  const poster = (video: string) => page.locator(`video[aria-label="${video}"]`).getAttribute('poster');
  await expect.poll(() => poster('hls/film.m3u8')).toMatch(/^\/api\/files\/in\.mp4\?.*view=frame/);
  // The source shows the same frame.
  expect(await poster('in.mp4')).toBe(await poster('hls/film.m3u8'));
  expect(errors).toEqual([]);
});

test('on a phone, the filter of jobs is one line, which shows the chosen state', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'filter-hand', { width: 390 });
  await signIn();
  await page.goto(`${server.url}/jobs?status=CANCELLED`);
  const choices = page.getByRole('group', { name: 'Show' }).getByRole('button');
  const boxes = async () => Promise.all((await choices.all()).map((choice) => choice.boundingBox()));
  await choices.last().waitFor();
  expect(new Set((await boxes()).map((box) => box?.y)).size, 'lines').toBe(1);
  await expect
    .poll(async () => {
      const { x = 390, width = 0 } = (await boxes()).at(-1) ?? {};
      return x + width;
    })
    .toBeLessThanOrEqual(390);
  expect(errors).toEqual([]);
});

test('of several sources, the bar says how many cannot run and leads to the first, and a new one costs one plan', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'planner');
  for (const name of ['one.mp4', 'two.mp4', 'three.mp4']) await putSmallMovie(folder, 2, name);
  await writeFile(join(folder, 'two.mov'), 'already there');
  await signIn();
  for (const name of ['one.mp4', 'two.mp4']) await addSource(page, name);
  await page.getByLabel('Format').fill('mov');
  await scrollToPlan(page);
  await page.getByText('1 of 2 sources cannot run.').waitFor();
  const each = page.getByRole('list', { name: 'Plan of each source' });
  await each.getByText('cannot run: its output exists already').waitFor();
  await page.getByRole('button', { name: 'Show the first error' }).click();
  const second = each.getByRole('button', { name: 'two.mp4' });
  const isFocused = () =>
    second.evaluate((button) => (button as unknown as { matches(selector: string): boolean }).matches(':focus'));
  await expect.poll(isFocused).toBe(true);
  const planned: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('dryRun=true')) planned.push(JSON.parse(request.postData() ?? '{}').input);
  });
  await addSource(page, 'three.mp4');
  await scrollToPlan(page);
  await page.getByText('1 of 3 sources cannot run.').waitFor();
  expect(planned.filter((input) => input !== 'one.mp4')).toEqual(['three.mp4']);
  expect(errors).toEqual([]);
});

test('results of earlier conversions can be downloaded until the person leaves, also after "Clear"', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'collector');
  await putSmallMovie(folder, 4, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/?source=in.mp4&find=animated+gif`);
  await page.getByRole('button', { name: /^Use “Animated GIF/ }).click();
  const length = page.getByRole('textbox', { name: 'Length', exact: true });
  const started = page.getByRole('region', { name: 'Started jobs' });
  const earlier = page.getByRole('region', { name: 'Earlier results' });
  const download = (name: string) => page.getByRole('link', { name: `Download ${name}` });
  const convertTo = async (seconds: string) => {
    await length.fill(seconds);
    await page.getByText(`GIF, ${seconds} s · `).waitFor();
    await convert(page).click();
    await started.getByText(`in-${seconds}s.gif`).waitFor();
    await started.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  };
  await convertTo('1');
  expect(await earlier.count()).toBe(0);
  // A change of a value takes no result away.
  await length.fill('2');
  await page.getByText('GIF, 2 s · ').waitFor();
  expect(await download('in-1s.gif').count()).toBe(1);
  await convertTo('2');
  await earlier.getByRole('link', { name: 'Download in-1s.gif' }).waitFor();
  expect(await earlier.getByText('in-2s.gif').count()).toBe(0);
  await expectAccessible(page);
  // Another page and back.
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.getByRole('link', { name: 'Workbench', exact: true }).first().click();
  await earlier.getByRole('link', { name: 'Download in-1s.gif' }).waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await earlier.getByRole('link', { name: 'Download in-2s.gif' }).waitFor();
  expect(await earlier.getByRole('listitem').count()).toBe(2);
  await expectAccessible(page);
  // When all earlier jobs are deleted, their section disappears.
  for (const { jobId } of (await client.list()).jobs) await client.remove(jobId);
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.getByRole('link', { name: 'Workbench', exact: true }).first().click();
  await earlier.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});
