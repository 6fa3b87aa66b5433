import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../packages/client/src/index.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { startFileSite } from '../support/file-site.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** Options that fail, because the encoder takes at most two channels, and that the service knows how to mend. */
const SIX_CHANNELS = { 'c:v': 'libx264', preset: 'ultrafast', 'c:a': 'wmav2', ac: '6' };
const SMALL = { 'c:v': 'libx264', preset: 'ultrafast', crf: '40' };

/** A recipe of the administrator. */
const OWN_RECIPE = {
  ...{ version: 1, title: 'Of the operator', description: 'A sound.', words: ['flamingo'], arguments: {} },
  inputs: [{ role: 'song', description: 'A song.' }],
  outputs: ['mka'],
  request: { parameters: { 'c:a': 'flac' } },
};

/** A client whose job has failed, and an administrator who has a file of the same name. */
async function ownerAndAdmin(name: string, request: ConversionRequest) {
  const { server } = await start();
  const owner = await consoleVisitor(open, server, name);
  const admin = await consoleVisitor(open, server, `${name}-admin`, { scopes: ['admin'] });
  for (const { folder } of [owner, admin]) await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await owner.client.submit(request);
  const failed = await owner.client.wait(jobId);
  expect(failed.status).toBe('FAILED');
  await admin.signIn();
  return { server, owner, admin, failed };
}

const jobAddress = (url: string, jobId: string): string => `${url}/jobs/${jobId}`;

/** The links between a job and its retries. */
const retryLink = (page: Page, text: 'Retry of' | 'It was run again:'): Locator =>
  page.locator('p', { hasText: `${text} …` }).getByRole('link');

test('an administrator mends a failed job of a client with the files of the client', async () => {
  const { server, owner, admin, failed } = await ownerAndAdmin('shop', {
    ...{ input: 'im.mp4', output: 'web.mp4', parameters: SMALL },
    metadata: { order: '7' },
  });
  const { page, errors } = admin;
  for (const take of ['1', '3-final']) await putSmallMovie(owner.folder, 2, `cameras/cam-${take}.mp4`);
  const asked: string[] = [];
  await admin.client.putRecipe('of-the-operator', OWN_RECIPE);
  await page.goto(`${server.url}/jobs?status=FAILED&client=shop`);
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: 'web.mp4' }).click();
  await page.getByText('It runs again for shop, with the files and limits of shop.').waitFor();
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  const note = page.getByRole('complementary', { name: 'For the client shop' });
  await note.getByText('For the client shop: runs with the files and limits of shop').waitFor();
  // The text names the client, because the reader has a media root of their own.
  await note.getByText('Input "im.mp4" does not exist in the media root of shop.').waitFor();
  await page.getByText('The source does not exist yet.').waitFor();
  // What would fail is not the main action.
  const convert = page.getByRole('button', { name: 'Convert for shop' });
  expect(await convert.getAttribute('data-variant')).toBe('plain');
  await expectAccessible(page);
  // The check knows the files of the client, and one that was probably meant is a press away.
  await page.getByRole('button', { name: 'Use in.mp4', exact: true }).click();
  await page.getByRole('article', { name: 'in.mp4' }).waitFor();
  await note.getByText('failed before your change:').waitFor();
  await page.getByText(/^Ready\./).waitFor();
  expect(await convert.getAttribute('data-variant')).toBe('primary');
  // A part of a name finds files in its folder.
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const typed = page.getByRole('combobox', { name: 'A file of shop, or a URL' });
  await typed.fill('cameras/cam-3');
  await typed.press('Enter');
  await page.getByRole('button', { name: 'Use cameras/cam-3-final.mp4' }).waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const field = page.getByRole('combobox', { name: 'A file of shop, or a URL' });
  await field.fill('in.mp4');
  await field.press('Enter');
  await page.getByText(/^Ready\./).waitFor();
  for (const name of ['Preview', 'Export']) expect(await page.getByRole('region', { name }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Paste a command' }).count()).toBe(0);
  // The recipes of the administrator are not those of the client.
  await page.getByRole('button', { name: 'Choose a recipe' }).click();
  const search = page.getByRole('searchbox', { name: 'What to do' });
  const found = page.waitForResponse((response) => response.url().includes('q=flamingo'));
  await search.fill('flamingo');
  expect(await (await found).json()).toMatchObject({ recipes: [{ name: 'of-the-operator' }] });
  await page.getByText('No recipe matches').waitFor();
  await search.fill('');
  // A reload changes nothing of whose job it is.
  await page.reload();
  await note.waitFor();
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert for shop' }).click();
  const started = page.getByRole('region', { name: 'Started jobs' });
  await started.getByText('Completed').waitFor({ timeout: 60_000 });
  // None of the administrator's own files was read, and the failure is gone while the client stays.
  expect(asked.filter((path) => /^\/api\/(?:files|probe|previews?)/.test(path))).toEqual([]);
  expect(await note.getByText('failed').count()).toBe(0);
  await note.waitFor();

  const [mended] = (await owner.client.list()).jobs;
  expect(mended).toMatchObject({
    ...{ client: 'shop', retryOf: failed.jobId, input: 'in.mp4', output: 'web.mp4', status: 'COMPLETED' },
    ...{ parameters: SMALL, metadata: { order: '7' } },
  });
  await access(join(owner.folder, 'web.mp4'));
  expect(await readdir(admin.folder)).toEqual(['in.mp4']);
  expect((await admin.client.list({ client: 'shop-admin' })).jobs).toEqual([]);

  await started.getByRole('link', { name: 'Open the job' }).click();
  await retryLink(page, 'Retry of').click();
  await expect.poll(() => page.url()).toBe(jobAddress(server.url, failed.jobId));
  await expectAccessible(page);
  await retryLink(page, 'It was run again:').click();
  await expect.poll(() => page.url()).toBe(jobAddress(server.url, mended?.jobId ?? ''));

  await page.goto(`${server.url}/operate/audit`);
  const record = page.getByRole('row').filter({ hasText: 'Job run again for shop' });
  await record.getByText('shop-admin').waitFor();
  await record.getByRole('link', { name: 'web.mp4' }).waitFor();
  expect(errors).toEqual([]);
});

const applyButton = (page: Page): Locator => page.getByRole('button', { name: 'Apply this fix and run again' });

/** The page of a failed job says that its retry is complete, and proposes nothing else first. */
async function expectMended(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Open the completed job' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(await applyButton(page).getAttribute('data-variant')).toBe('plain');
  expect(await page.getByRole('region', { name: 'State' }).getAttribute('data-failed')).toBe('false');
}

test('a fix is applied to the job of a client by an administrator, and the client sees which job it became', async () => {
  const request = { input: 'in.mp4', output: 'six.mkv', parameters: SIX_CHANNELS };
  const { server, owner, admin, failed } = await ownerAndAdmin('six-shop', request);
  await owner.signIn();
  await owner.page.goto(jobAddress(server.url, failed.jobId));
  await applyButton(owner.page).waitFor();
  expect(await applyButton(owner.page).getAttribute('data-variant')).toBe('primary');
  await owner.page.getByRole('button', { name: 'Run again unchanged' }).waitFor();
  // The fix is shown once, and the button does not shorten it.
  const state = owner.page.getByRole('region', { name: 'State' });
  expect((await state.textContent())?.split('"ac": "2"')).toHaveLength(2);
  const { page } = admin;
  await page.goto(jobAddress(server.url, failed.jobId));
  await applyButton(page).click();
  await expect.poll(() => page.url()).not.toContain(failed.jobId);
  await page.getByText('Completed').first().waitFor({ timeout: 60_000 });
  await access(join(owner.folder, 'six.mkv'));
  expect(await readdir(admin.folder)).toEqual(['in.mp4']);
  const [mended] = (await owner.client.list()).jobs;
  expect(mended).toMatchObject({ client: 'six-shop', retryOf: failed.jobId, parameters: { ac: '2' } });
  // Live, on the page that was open all the time, and after it is read again.
  await expectMended(owner.page);
  await owner.page.reload();
  await expectMended(owner.page);
  await expectAccessible(owner.page);
  await owner.page.getByRole('link', { name: 'Open the completed job' }).click();
  await expect.poll(() => owner.page.url()).toBe(jobAddress(server.url, mended?.jobId ?? ''));
  await owner.page.goto(`${server.url}/jobs`);
  const rows = owner.page.getByRole('row').filter({ hasText: 'six.mkv' });
  // The number beside "Failed" leaves it out, so its row does not say that word.
  await rows.filter({ hasText: 'Was run again' }).waitFor();
  expect(await rows.filter({ hasText: 'Failed' }).count()).toBe(0);
  expect(await rows.filter({ hasText: 'Completed' }).getByText('Was run again').count()).toBe(0);
  await rows.filter({ hasText: 'Was run again' }).getByRole('link', { name: 'six.mkv' }).click();
  await retryLink(owner.page, 'It was run again:').click();
  await expect.poll(() => owner.page.url()).toBe(jobAddress(server.url, mended?.jobId ?? ''));
  await retryLink(owner.page, 'Retry of').waitFor();
  expect([...owner.errors, ...admin.errors]).toEqual([]);
});

test('a job whose source has another name runs again with that file by one press, and leads to the next failed job', async () => {
  const { server, owner, admin, failed } = await ownerAndAdmin('newsroom', {
    ...{ input: 'cameras/cam-3.mp4', output: 'weather.mp4', parameters: SMALL },
  });
  await putSmallMovie(owner.folder, 2, 'cameras/cam-3-final.mp4');
  const other = await owner.client.submit({ input: 'in.mp4', output: 'teaser.mkv', parameters: SIX_CHANNELS });
  await owner.client.wait(other.jobId);
  // A newer failed preview is no job of the person.
  const preview = await owner.client.submit({
    input: 'in.mp4',
    output: 'console-previews/1.mkv',
    parameters: SIX_CHANNELS,
  });
  await owner.client.wait(preview.jobId);
  const { page, errors } = admin;
  await page.goto(jobAddress(server.url, failed.jobId));
  const use = page.getByRole('button', { name: 'Use cameras/cam-3-final.mp4 and run again' });
  await use.waitFor();
  expect(await use.getAttribute('data-variant')).toBe('primary');
  expect(await page.getByRole('button', { name: 'Edit and run again' }).getAttribute('data-variant')).toBe('plain');
  await use.click();
  await expect.poll(() => page.url()).not.toContain(failed.jobId);
  const result = page.getByRole('article', { name: 'Result' });
  await result.waitFor({ timeout: 60_000 });
  await expectAccessible(page);
  const [mended] = (await owner.client.list()).jobs;
  expect(mended).toMatchObject({ retryOf: failed.jobId, input: 'cameras/cam-3-final.mp4', status: 'COMPLETED' });
  // The link leaves out the failed job that was run again.
  await result.getByText('Another job has failed').getByRole('link', { name: 'teaser.mkv' }).click();
  await expect.poll(() => page.url()).toBe(jobAddress(server.url, other.jobId));
  await applyButton(page).click();
  await expect.poll(() => page.url()).not.toContain(other.jobId);
  await result.waitFor({ timeout: 60_000 });
  expect(await result.getByText('Another job has failed').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('of several similar files the person chooses one, and another episode is not proposed', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'moves-sources');
  for (const name of ['cameras/cam-3-final.mp4', 'cameras/cam-3-raw.mp4', 'episodes/e01.mp4'])
    await putSmallMovie(folder, 2, name);
  const failedJob = async (input: string): Promise<string> => {
    const { jobId } = await client.submit({ input, output: 'web.mp4', parameters: SMALL });
    expect((await client.wait(jobId)).status).toBe('FAILED');
    return jobId;
  };
  const [several, other] = [await failedJob('cameras/cam-3.mp4'), await failedJob('episodes/e02.mp4')];
  await signIn();
  const use = page.getByRole('button', { name: /^Use .* and run again$/ });
  const edit = page.getByRole('button', { name: 'Edit and run again' });
  const openJob = async (jobId: string) => {
    const checked = page.waitForResponse((reply) => reply.url().includes('dryRun=true'));
    await page.goto(jobAddress(server.url, jobId));
    await checked;
  };
  await openJob(several);
  await use.waitFor();
  expect(await use.getAttribute('data-variant')).toBe('plain');
  expect(await edit.getAttribute('data-variant')).toBe('primary');
  // Another episode is another video.
  await openJob(other);
  await edit.waitFor();
  expect(await use.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a failed job whose retry has failed too still proposes its fix first', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'retries-in-vain');
  await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'six.mkv', parameters: SIX_CHANNELS });
  await client.wait(jobId);
  await client.wait((await client.retry(jobId)).jobId);
  await signIn();
  await page.goto(jobAddress(server.url, jobId));
  await page
    .locator('p', { hasText: 'It was run again: …' })
    .locator('..')
    .getByText('Failed', { exact: true })
    .waitFor();
  await expect.poll(() => applyButton(page).getAttribute('data-variant')).toBe('primary');
  expect(await page.getByRole('link', { name: 'Open the completed job' }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a client that edits its own failed job runs it again, and its jobs lead to each other', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'mends-own');
  await putSmallMovie(folder, 2, 'in.mp4');
  const request = { input: 'in.mp4', output: 'six.mkv', format: 'matroska', parameters: SIX_CHANNELS };
  const { jobId } = await client.submit(request);
  await client.wait(jobId);
  await signIn();
  await page.goto(jobAddress(server.url, jobId));
  expect(await page.getByText('This job belongs to').count()).toBe(0);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  const note = page.getByRole('complementary', { name: 'The failed job' });
  await note.getByRole('button', { name: /^Use ac: / }).click();
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  const started = page.getByRole('region', { name: 'Started jobs' });
  await started.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  expect((await client.list()).jobs[0]).toMatchObject({ retryOf: jobId, status: 'COMPLETED' });
  // The same settings for another source are a new job.
  await page.getByRole('button', { name: 'Same settings, new source' }).click();
  await putSmallMovie(folder, 2, 'next.mp4');
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.fill('next.mp4');
  await field.press('Enter');
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  // The result of the first run is shown until the second one has started.
  await expect.poll(async () => (await client.list()).jobs[0]?.input).toBe('next.mp4');
  await started.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  const [next] = (await client.list()).jobs;
  expect(next).toMatchObject({ input: 'next.mp4' });
  expect(next?.retryOf).toBeUndefined();
  expect(errors).toEqual([]);
});

test('a client mends a job with a signed URL, which the page does not see and does not read', async () => {
  const site = await startFileSite();
  const server = await startServer({ env: { TELECINE_INPUT_URLS: site.host } });
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'signs');
  await putSmallMovie(folder, 2, 'in.mp4');
  site.answer('/signed.mp4', await readFile(join(folder, 'in.mp4')));
  const { jobId } = await client.submit({
    input: `${site.url}/signed.mp4?key=s3cret`,
    output: 'six.mkv',
    parameters: SIX_CHANNELS,
  });
  await client.wait(jobId);
  await signIn();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(jobAddress(server.url, jobId));
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  await page
    .getByRole('complementary')
    .getByRole('button', { name: /^Use ac: / })
    .click();
  await page.getByText(/^Ready\./).waitFor();
  expect(asked.filter((path) => path.startsWith('/api/probe'))).toEqual([]);
  for (const name of ['Preview', 'Export']) expect(await page.getByRole('region', { name }).count()).toBe(0);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  expect((await client.list()).jobs[0]).toMatchObject({ retryOf: jobId, status: 'COMPLETED' });
  expect(errors).toEqual([]);
});

test('a draft for a job that was deleted meanwhile becomes a job of its own, or says for whom it cannot run and closes', async () => {
  const request = { input: 'in.mp4', output: 'six.mkv', parameters: SIX_CHANNELS };
  const { server, owner, admin, failed } = await ownerAndAdmin('deletes', request);
  await owner.signIn();
  for (const { page } of [owner, admin]) {
    await page.goto(jobAddress(server.url, failed.jobId));
    await page.getByRole('button', { name: 'Edit and run again' }).click();
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^Use ac: / })
      .click();
    await page.getByText(/^Ready\./).waitFor();
  }
  await owner.client.remove(failed.jobId);
  const checked = owner.page.waitForResponse((reply) => reply.url().includes('/api/conversion?dryRun=true'));
  await owner.page.getByRole('button', { name: 'Convert', exact: true }).click();
  await checked;
  await owner.page.getByText(/^Ready\./).waitFor();
  await owner.page.getByRole('button', { name: 'Convert', exact: true }).click();
  await owner.page.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
  const [own] = (await owner.client.list()).jobs;
  expect(own).toMatchObject({ status: 'COMPLETED' });
  expect(own?.retryOf).toBeUndefined();

  await admin.page.getByRole('button', { name: 'Convert for deletes' }).click();
  const note = admin.page.getByRole('complementary', { name: 'For the client deletes' });
  await note.getByText('The job of the client deletes was deleted').waitFor();
  await note.getByRole('button', { name: 'Close this request' }).click();
  await note.waitFor({ state: 'detached' });
  expect((await owner.client.list()).jobs).toHaveLength(1);
});

test('an administrator runs a job with a key again as it is, and is told who can change its request', async () => {
  const encrypted = { output: 'hls/six.m3u8', encrypt: { keyUri: 'six.key' } };
  const request = { input: 'in.mp4', parameters: SIX_CHANNELS, ...encrypted };
  const { server, admin, failed } = await ownerAndAdmin('has-keys', request);
  expect(failed.error?.apply).toBeDefined();
  const { page } = admin;
  await page.goto(jobAddress(server.url, failed.jobId));
  await page.getByText('It has keys, so only has-keys can change its request.').waitFor();
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  for (const name of ['Edit and run again', 'Apply this fix and run again'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
});
