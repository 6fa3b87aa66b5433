import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor, editCompletedJob } from '../support/console-visitor.ts';
import { startFileSite } from '../support/file-site.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';
const ENCRYPTED = {
  encryption_scheme: 'cenc-aes-ctr',
  encryption_key: KEY,
  encryption_kid: 'a7e61c373e219033c21091fa607bf3b8',
};
/** Options with which the job fails, because the encoder allows only even sizes. */
const ODD = { 'c:v': 'libx264', preset: 'ultrafast', vf: 'scale=321:181' };

const ASKED = 'This key or password is not copied into a new job.';

async function convertWithKey(page: Page): Promise<void> {
  const run = page.getByRole('button', { name: 'Convert', exact: true });
  await page.getByRole('status').getByText('One field has an error.').waitFor();
  expect(await run.isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByLabel('Value of encryption_key').fill(KEY);
  await page.getByText(/^Ready\./).waitFor();
  expect(await page.getByText(ASKED).count()).toBe(0);
  await run.click();
  await page.getByRole('article', { name: 'Result' }).waitFor({ timeout: 60_000 });
}

test('"Same settings, new source" asks for the key of the last job in place of converting with a wrong one', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'keeps-keys');
  for (const name of ['in.mp4', 'next.mp4']) await putSmallMovie(folder, 2, name);
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'a.mp4', parameters: { c: 'copy', ...ENCRYPTED } });
  expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Same settings, new source' }).click();
  await page.getByText('Choose a source first.').waitFor();
  await page.getByText(ASKED).waitFor();
  const field = page.getByRole('combobox', { name: 'Or a stored file, or a URL' });
  await field.fill('next.mp4');
  await field.press('Enter');
  await convertWithKey(page);
  expect((await client.list()).jobs[0]).toMatchObject({ input: 'next.mp4', status: 'COMPLETED' });
  expect(errors).toEqual([]);
});

test('a new job says that a fallback with a key was not copied, and so does the exported request of a retry', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'lacks-fallback');
  await putSmallMovie(folder, 2, 'in.mp4');
  const fallback = { c: 'copy', ...ENCRYPTED };
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'a.mp4', parameters: { c: 'copy' }, fallback });
  expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  await signIn();
  const note = page.getByRole('complementary', { name: 'Not copied from the job' });
  for (const action of ['Same settings, new source', 'Edit and run again']) {
    await page.goto(`${server.url}/jobs/${jobId}`);
    if (action === 'Edit and run again') await page.getByRole('button', { name: 'More for this job' }).click();
    await page.getByRole('button', { name: action }).click();
    await note.getByText('its fallback, which has a key or password').waitFor();
    await expectAccessible(page);
  }
  const exported = page.getByRole('group', { name: 'Request' });
  await exported.getByText('in.mp4').waitFor();
  expect(await exported.textContent()).not.toContain('fallback');
  await page.reload();
  await note.getByRole('button', { name: 'Close this note' }).click();
  await note.waitFor({ state: 'detached' });
  const odd = { input: 'in.mp4', output: 'odd.mp4', parameters: ODD, fallback: { ...ODD, ...ENCRYPTED } };
  const failed = await client.submit(odd);
  expect(await client.wait(failed.jobId)).toMatchObject({ status: 'FAILED' });
  await page.goto(`${server.url}/jobs/${failed.jobId}`);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  await page.getByRole('region', { name: 'Export' }).getByText('Not copied from the job: its fallback').waitFor();
  expect(await note.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a draft whose job was deleted asks for its key, and does not wait for the jobs of that one', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'forgets-keys');
  await putSmallMovie(folder, 2, 'in.mp4');
  const first = await client.submit({ input: 'in.mp4', output: 'first.mp4', parameters: { c: 'copy' } });
  const { jobId } = await client.submit({
    input: 'in.mp4',
    output: 'odd.mp4',
    parameters: { ...ODD, ...ENCRYPTED },
    after: [first.jobId],
  });
  expect(await client.wait(jobId)).toMatchObject({ status: 'FAILED' });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('button', { name: 'Edit and run again' }).click();
  await page.getByRole('textbox', { name: 'Filtergraph' }).fill('scale=320:180');
  await page.getByText(/^Ready\./).waitFor();
  // A retry has the key, which the page does not see.
  expect(await page.getByText(ASKED).count()).toBe(0);
  for (const job of [jobId, first.jobId]) await client.remove(job);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText(ASKED).waitFor();
  await convertWithKey(page);
  const [own] = (await client.list()).jobs;
  expect(own).toMatchObject({ output: 'odd.mp4', status: 'COMPLETED' });
  expect(own?.retryOf).toBeUndefined();
  expect(errors).toEqual([]);
});

test('a URL with a hidden part is not read for a new job, which asks for the whole URL', async () => {
  const site = await startFileSite();
  const server = await startServer({ env: { TELECINE_INPUT_URLS: site.host } });
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'signs-again');
  await putSmallMovie(folder, 2, 'in.mp4');
  site.answer('/signed.mp4', await readFile(join(folder, 'in.mp4')));
  const input = `${site.url}/signed.mp4?key=s3cret`;
  const { jobId } = await client.submit({ input, output: 'a.mp4', parameters: { c: 'copy' } });
  expect(await client.wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  // The command of the job needs the whole URL too, which the service has.
  await page.getByText('Show the arguments of ffmpeg for this request').click();
  await page.getByRole('group', { name: 'Arguments of ffmpeg' }).getByText('-c').first().waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await editCompletedJob(page);
  const source = page.getByRole('article', { name: `${site.url}/signed.mp4?(hidden)` });
  await source.getByText('The hidden part of this URL is not copied into a new job.').waitFor();
  await page.getByRole('status').getByText('One field has an error.').waitFor();
  expect(await page.getByRole('button', { name: 'Convert', exact: true }).isDisabled()).toBe(true);
  await expectAccessible(page);
  expect(asked.filter((path) => path.startsWith('/api/probe'))).toEqual([]);
  expect(errors).toEqual([]);
});
