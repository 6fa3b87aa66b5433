import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor, openAccount, signOut } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { withOtherContent } from '../support/other-content.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a sign-out that does not reach the service is said, and the browser is still signed in', async () => {
  const { server } = await start();
  const { page, context, signIn } = await consoleVisitor(open, server, 'offline');
  await signIn();
  await page.route('**/api/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  );
  await signOut(page);
  await page.getByRole('alert').waitFor();
  await page.reload();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(await context.cookies()).toHaveLength(1);
  await page.unrouteAll();
  await signOut(page);
  await page.getByLabel('Secret').waitFor();
  await page.reload();
  await page.getByLabel('Secret').waitFor();
  expect(await context.cookies()).toEqual([]);
});

test('a list of one status shows a job when it gets it, without a reload', async () => {
  const { server } = await start();
  const { page, signIn, client, folder } = await consoleVisitor(open, server, 'filters');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/jobs?status=COMPLETED`);
  await page.getByText('No completed jobs.').waitFor();
  // A job that waits for another one is seen before it is completed.
  const first = await client.submit({ input: 'in.mp4', output: 'first.mkv', parameters: { c: 'copy' } });
  await client.submit({ input: 'in.mp4', output: 'second.mkv', parameters: { c: 'copy' }, after: [first.jobId] });
  for (const name of ['first.mkv', 'second.mkv'])
    await page.getByRole('row').filter({ hasText: name }).getByText('Completed').waitFor();
  await page.getByRole('button', { name: 'Queued' }).click();
  await page.getByText('No queued jobs.').waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'second.mkv' }).count()).toBe(0);
});

test('a page whose session was ended by an operator says so, and asks for the new secret', async () => {
  const { server } = await start();
  const boss = createClient(server.url, await insertClient(server, 'boss', { scopes: ['admin'] }));
  // One client follows the events of jobs, and the other one may not read jobs.
  for (const [name, scopes] of [
    ['followed', ['jobs:read', 'jobs:write']],
    ['unfollowed', ['files:read', 'files:write']],
  ] as const) {
    const { page, signIn } = await consoleVisitor(open, server, name, { scopes });
    await expect.poll(() => page.getByLabel('Secret').evaluate((field) => field.matches(':focus'))).toBe(true);
    await signIn();
    const { clientSecret } = await boss.rotateClient(name);
    await expect.poll(() => page.evaluate(async () => (await fetch('/api/session')).status)).toBe(401);
    if (name === 'unfollowed') await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('alert').getByText(`the client "${name}" was revoked, got a new secret`).waitFor();
    expect(await page.getByLabel('Client id').inputValue()).toBe(name);
    await expectAccessible(page);

    // A wrong secret is selected, so that the right one replaces it.
    await page.keyboard.insertText('tcs_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The client id or the client secret is wrong.').waitFor();
    await page.keyboard.insertText(String(clientSecret));
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }
});

/** Everything that scripts of a page can read from what the browser stores. */
const STORED = `(async () => {
  const databases = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((done, fail) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
    for (const store of database.objectStoreNames)
      databases.push(await new Promise((done) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => done(request.result);
      }));
    database.close();
  }
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, document.cookie, location.href, history.state]);
})()`;

test('no script of the page can read a secret, a token or the session', async () => {
  const { server } = await start();
  const { page, context, signIn, credentials, folder } = await consoleVisitor(open, server, 'careful');
  const replies: string[] = [];
  page.on('response', async (reply) => {
    const isText = (reply.headers()['content-type'] ?? '').includes('json');
    if (isText) replies.push(await reply.text().catch(() => ''));
  });
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  // What stores something: the draft, an upload, the theme.
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).fill('in.mp4');
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).press('Enter');
  await page.getByText('Ready.').waitFor();
  await page.locator('input[type=file]').setInputFiles(await withOtherContent(`${folder}/in.mp4`));
  await page.getByText('A file exists at').first().waitFor();
  await openAccount(page);
  await page.getByText('Dark', { exact: true }).click();
  const stored = await page.evaluate<string>(STORED);
  expect(stored).toContain('in.mp4');
  expect(stored).toContain('dark');
  const [session] = await context.cookies();
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  const secrets = [credentials.clientSecret, session?.value ?? ''];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(stored).not.toContain(secret);
    expect(replies.filter((reply) => reply.includes(secret))).toEqual([]);
  }
  expect(stored + replies.join('')).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}|accessToken/);
});
