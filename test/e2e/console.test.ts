// @module-tag long
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { startService } from '../../scripts/lib/service.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { signOut } from '../support/console-visitor.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { withOtherContent } from '../support/other-content.ts';
import { sharedServer } from '../support/shared-server.ts';
import { startAtTerminal } from '../support/start-at-terminal.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A person with a client of their own, at the page to sign in. */
async function visitor(name: string, width?: number) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: name });
  await putSmallMovie(join(server.mediaRoot, name), 2, 'in.mp4');
  const visited = await open(width);
  const { page } = visited;
  await page.goto(`${server.url}/jobs`);
  const signIn = async (): Promise<void> => {
    await page.getByLabel('Client id').fill(credentials.clientId);
    await page.getByLabel('Secret').fill(credentials.clientSecret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  };
  return { ...visited, server, credentials, signIn, client: createClient(server.url, credentials) };
}

const CONVERSION = { input: 'in.mp4', output: 'out.mp4', format: 'mp4', parameters: { 'c:v': 'libx264' } };

test('a person signs in, sees a job run and end without a reload, and plays its output', async () => {
  const { page, errors, signIn, client } = await visitor('console');
  await expectAccessible(page);
  await signIn();
  await page.getByText('No jobs yet.').waitFor();
  await expectAccessible(page);
  const { jobId } = await client.submit(CONVERSION);
  await page.getByRole('row').filter({ hasText: 'out.mp4' }).getByText('Completed').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'out.mp4' }).click();
  await page.waitForURL(`**/jobs/${jobId}`);
  // Chromium reads the size from the film, so it was downloaded with the session.
  const width = () =>
    page
      .locator('video[aria-label="out.mp4"]')
      .evaluate((video) => (video as unknown as { videoWidth: number }).videoWidth);
  await expect.poll(width).toBeGreaterThan(0);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a wrong secret is said, and nobody is signed in', async () => {
  const { page, credentials } = await visitor('wrong');
  await page.getByLabel('Client id').fill(credentials.clientId);
  await page.getByLabel('Secret').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The client id or the client secret is wrong.').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

test('someone who signs out is at the page to sign in, also after a reload', async () => {
  const { page, signIn } = await visitor('signs-out');
  await signIn();
  await page.reload();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await signOut(page);
  await page.getByLabel('Secret').waitFor();
  await page.reload();
  await page.getByLabel('Secret').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

/** An operator with a client of their own, signed in at a page. */
async function operator(name: string, path: string) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { scopes: ['admin'] });
  const opened = await open();
  await opened.page.goto(server.url + path);
  await opened.page.getByLabel('Client id').fill(credentials.clientId);
  await opened.page.getByLabel('Secret').fill(credentials.clientSecret);
  await opened.page.getByRole('button', { name: 'Sign in' }).click();
  return opened;
}

test('an operator pauses the queue, adds a client and revokes another, who is signed out', async () => {
  const revoked = await visitor('revoked');
  await revoked.signIn();
  const { page, errors } = await operator('operator', '/operate/queue');
  await page.getByRole('button', { name: 'Pause the queue' }).click();
  await page.getByRole('alertdialog').getByText('Running jobs continue').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause the queue' }).click();
  await page.getByText('Paused by the client operator').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resume the queue' }).click();
  await page.getByText('Running', { exact: true }).first().waitFor();

  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('button', { name: 'Add a client' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Not a name');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('added');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const clientSecret = await page.getByRole('dialog').getByText('tcs_').textContent();
  await createClient(revoked.server.url, { clientId: 'added', clientSecret: String(clientSecret) }).list();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Actions for revoked' }).click();
  await page.getByRole('button', { name: 'Revoke revoked' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await revoked.page.getByLabel('Secret').waitFor();
  expect(errors).toEqual([]);
});

test('a client that is no administrator has only the pages about itself', async () => {
  const { page, server, signIn } = await visitor('no-operator');
  await signIn();
  await page.getByRole('link', { name: 'Operate' }).click();
  await page.getByText('has no webhooks').waitFor();
  expect(
    await page.getByRole('navigation', { name: 'Pages for operators' }).getByRole('link').allTextContents(),
  ).toEqual(['Webhooks', 'Usage', 'Shared links']);
  await page.goto(`${server.url}/operate/clients`);
  await page.getByRole('heading', { name: 'Clients' }).waitFor();
  await page.getByText('may not see this page').waitFor();
  await page.getByText('It needs the scope “admin”.').waitFor();
  await page.getByRole('navigation', { name: 'Pages for operators' }).getByRole('link', { name: 'Usage' }).click();
  await page.getByText('Jobs today').waitFor();
});

needs(
  'ffmpeg',
  'Chromium',
  'linux',
)('the first start at a terminal prints a link that signs in once', async () => {
  const { page } = await open();
  const { link = '' } = await startAtTerminal();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  expect(page.url()).not.toContain('sign-in');
  const other = await open();
  await other.page.goto(link);
  await other.page
    .getByRole('alert')
    .getByText('The link was used, has expired, or is from before a restart')
    .waitFor();
  expect(await other.context.cookies()).toEqual([]);
});

test('a start with --sign-in-link prints a link that signs in once, without a terminal', async () => {
  const folder = await testFolder('sign-in-link');
  const { promise: link, resolve: found } = Promise.withResolvers<string>();
  const service = await startService({
    dataDir: join(folder, 'data'),
    mediaRoot: folder,
    program: inject('program'),
    args: ['--sign-in-link'],
    onLine: (line) => {
      if (line.includes('/#sign-in=')) found(line);
    },
  });
  onTestFinished(async () => {
    await service.stop();
  });
  const { page } = await open();
  // The console is open already: the link changes only the fragment of its address.
  await page.goto(new URL('/', await link).href);
  await page.getByRole('heading', { name: 'Sign in to Telecine' }).waitFor();
  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/session/code', async (route) => {
    await seen;
    await route.continue();
  });
  await page.goto(await link);
  // Nobody who comes by a link has a secret to type.
  await page.getByRole('heading', { name: 'Signing in…' }).waitFor();
  expect(await page.getByLabel('Secret').count()).toBe(0);
  release();
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  expect(page.url()).not.toContain('sign-in');
});

test('a list can be sent as its address, and the selected jobs run again together', async () => {
  const { page, server, signIn, client } = await visitor('lists', 360);
  await client.wait((await client.submit(CONVERSION)).jobId);
  await client.wait((await client.submit({ ...CONVERSION, input: 'missing.mp4', output: 'none.mp4' })).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs?status=FAILED`);
  await page.getByRole('row').filter({ hasText: 'none.mp4' }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'out.mp4' }).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByLabel('Select none.mp4').check();
  await page.getByRole('button', { name: 'Run 1 job again' }).click();
  await expect.poll(async () => (await client.list()).jobs.length).toBe(3);
});

/** The bytes of script that a page has loaded, as they were sent. */
async function compressedScript(page: Page): Promise<number> {
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => (entry as unknown as { readonly encodedBodySize: number }).encodedBodySize),
  );
  expect(sizes.filter((bytes) => bytes > 0).length).toBeGreaterThan(2);
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

test('a newcomer uploads a film, chooses a recipe, and downloads what it became', async () => {
  const { page, server, errors, signIn, client } = await visitor('newcomer');
  await signIn();
  await page.goto(server.url);
  await page.getByText('Choose a source first.').waitFor();
  await expectAccessible(page);
  // Of the page on which people land: what only others need is loaded with these.
  expect(await compressedScript(page)).toBeLessThan(220_000);
  await page
    .getByLabel('Files to upload')
    .setInputFiles(await withOtherContent(join(server.mediaRoot, 'newcomer', 'in.mp4')));
  // The folder has another file of this name.
  await page.getByRole('button', { name: 'Keep both' }).click();
  await page.getByRole('article', { name: 'in-2.mp4' }).getByText('h264').waitFor();
  await page.getByLabel('What to do').fill('sound only mp3');
  await page.getByRole('button', { name: 'MP3' }).first().click();
  await page.getByText('Ready.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  await page.getByRole('link', { name: 'in-2.mp3' }).waitFor();
  expect((await client.list()).jobs).toMatchObject([{ input: 'in-2.mp4', output: 'in-2.mp3', status: 'COMPLETED' }]);
  expect(errors).toEqual([]);
});

test('a wrong option is mended by its button, and runs', async () => {
  const { page, server, signIn, client } = await visitor('mended');
  await signIn();
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Paste a command' }).click();
  const command = page.getByRole('textbox', { name: 'Command line of ffmpeg' });
  await command.fill('ffmpeg -i in.mp4 -c:v libx264 -tune flm -an out.mp4');
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByRole('button', { name: 'tune: film' }).click();
  await page.getByText('Ready.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  const parameters = { 'c:v': 'libx264', tune: 'film', an: '' };
  expect((await client.list()).jobs).toMatchObject([{ status: 'COMPLETED', output: 'out.mp4', parameters }]);
});
