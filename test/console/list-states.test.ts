import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

// Without a worker, also the list of workers is empty.
const start = sharedServer({ args: ['--no-worker'], until: 'listening' });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A list of the console: the page that shows it, the path of the call that reads it, and what it says while it has nothing. */
interface List {
  readonly path: string;
  readonly call: string;
  /** undefined: it cannot be empty. */
  readonly empty?: string;
  /** What only a list has that was read. */
  readonly read?: string;
}

/** The pages with lists. In paths, `*` stands for the id of a webhook, and `@` for the client. */
const LISTS: Readonly<Record<string, List>> = {
  jobs: { path: '/jobs', call: '/api/conversion', empty: 'No jobs yet.' },
  'jobs of a status': { path: '/jobs?status=FAILED', call: '/api/conversion', empty: 'No failed jobs.' },
  files: { path: '/files', call: '/api/files', empty: 'There are no files yet.' },
  'files as thumbnails': { path: '/files?view=thumbnails', call: '/api/files', empty: 'There are no files yet.' },
  recipes: { path: '/', call: '/api/recipes', read: 'Show all' },
  queue: { path: '/operate/queue', call: '/api/queue', empty: 'No job is queued or running.' },
  history: { path: '/operate/queue', call: '/api/queue/history', empty: 'No jobs in this time.' },
  workers: { path: '/operate/workers', call: '/api/workers', empty: 'No worker was seen in the last ten minutes' },
  clients: { path: '/operate/clients', call: '/api/clients', read: 'Active' },
  webhooks: { path: '/operate/webhooks', call: '/api/webhooks', read: 'example.com/hook' },
  callbacks: { path: '/operate/webhooks', call: '/api/webhook-secret', empty: 'there is none yet' },
  deliveries: { path: '/operate/webhooks/*', call: '/*/deliveries', empty: 'Nothing was sent in the last week.' },
  usage: { path: '/operate/usage', call: '/api/usage/clients', read: 'Choose a client to see' },
  'usage of a client': { path: '/operate/usage?client=@', call: '/api/usage', read: 'Jobs today' },
  'largest files': {
    ...{ path: '/operate/usage?client=@', call: '/api/usage/files' },
    empty: 'Nothing stored yet.',
  },
  audit: { path: '/operate/audit?target=none', call: '/api/audit', empty: 'No records match.' },
  'checks of readiness': { path: '/operate/health', call: '/ready', read: 'Not paused' },
  'checks of doctor': { path: '/operate/health', call: '/api/doctor', read: 'Settings' },
};

const PROBLEM = { type: 'about:blank', title: 'Broken', status: 500, code: 'INTERNAL', detail: 'The disk is on fire.' };

const answer = (page: Page, call: string, how: 'fails' | 'hangs') =>
  page.route(
    ({ pathname }) => pathname === call || (call.startsWith('/*') && pathname.endsWith(call.slice(2))),
    (route) =>
      how === 'hangs'
        ? undefined
        : route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(PROBLEM) }),
  );

async function reader(name: string) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name, { scopes: ['admin'] });
  const { webhookId } = await visitor.client.addWebhook({ url: 'https://example.com/hook' });
  await visitor.signIn();
  return {
    ...visitor,
    show: (path: string) => visitor.page.goto(server.url + path.replace('*', webhookId).replace('@', name)),
  };
}

/** Lets the page believe that it is in the background, where no list is read by itself, until another page is opened. */
const hide = (page: Page): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' })`);

/** Axe reads each of the pages, which takes seconds on a busy machine. */
const ALL_LISTS = { timeout: 600_000 };

test('each list says that it is being read', ALL_LISTS, async () => {
  const { page, show } = await reader('waits');
  for (const [name, { path, call }] of Object.entries(LISTS)) {
    await answer(page, call, 'hangs');
    await show(path);
    await page.getByText('Loading…').first().waitFor();
    await expectAccessible(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(await page.getByRole('alert').count(), name).toBe(0);
  }
});

test('a list that takes long to read has its headings at once, and says so after some seconds', async () => {
  const { page, errors, show } = await reader('patient');
  await answer(page, '/api/clients', 'hangs');
  await show('/operate/clients');
  const main = page.getByRole('main');
  for (const heading of ['Client', 'State', 'Scopes', 'Folder', 'Last used', 'Added'])
    await main.getByText(heading, { exact: true }).waitFor();
  expect(await main.getByRole('button', { name: 'Add a client' }).isDisabled()).toBe(true);
  await main.getByText('The service takes long to reply…').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await show('/operate/clients');
  // The list has the headings that stood for it.
  const table = page.getByRole('table', { name: 'Clients' });
  await table.waitFor();
  const headings = await table.getByRole('columnheader').allInnerTexts();
  expect(headings.slice(0, 6)).toEqual(['Client', 'State', 'Scopes', 'Folder', 'Last used', 'Added']);
  expect(errors).toEqual([]);
});

test('each list says why it could not be read, and is read again by its button', ALL_LISTS, async () => {
  const { page, show } = await reader('unlucky');
  for (const [name, { path, call, empty, read }] of Object.entries(LISTS)) {
    await answer(page, call, 'fails');
    await show(path);
    const notice = page.getByRole('alert').filter({ hasText: PROBLEM.detail });
    await notice.first().waitFor();
    await hide(page);
    // The list of jobs is read again when the stream of events begins.
    await expect.poll(() => notice.count(), { message: name }).toBe(1);
    await expectAccessible(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(await notice.count(), name).toBe(1);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByText(empty ?? read ?? '')
      .first()
      .waitFor();
    expect(await notice.count(), name).toBe(0);
  }
});

test('the filters of a list that could not be read wait until it is read again', async () => {
  const { page, errors, show } = await reader('filters');
  await answer(page, '/api/conversion', 'fails');
  await show('/jobs');
  const failed = page.getByRole('button', { name: 'Failed', exact: true });
  await page.getByRole('alert').waitFor();
  await expect.poll(() => failed.isDisabled()).toBe(true);
  expect(await page.getByLabel('Search jobs').isDisabled()).toBe(true);
  // A number would say that there are none.
  expect(await page.getByRole('group', { name: 'Show' }).innerText()).not.toMatch(/\d/);
  // What to do next is to try again, not to submit more jobs.
  const main = page.locator('main button[data-variant="primary"]:enabled:visible');
  expect(await main.allInnerTexts()).toEqual(['Try again']);
  await expectAccessible(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => failed.isDisabled()).toBe(false);
  await failed.click();
  await page.getByText('No failed jobs.').waitFor();
  expect(errors).toEqual([]);
});

test('each list that has nothing says so, and how something comes', async () => {
  const { page, errors, client, server, show } = { ...(await reader('beginner')), ...(await start()) };
  for (const { webhookId } of (await client.webhooks()).webhooks.slice(1)) await client.removeWebhook(webhookId);
  for (const { path, empty } of Object.values(LISTS)) {
    if (empty === undefined) continue;
    await show(path);
    await page.getByText(empty).first().waitFor();
    await expectAccessible(page);
  }
  for (const { webhookId } of (await client.webhooks()).webhooks) await client.removeWebhook(webhookId);
  await page.goto(`${server.url}/operate/webhooks`);
  await page.getByText('beginner has no webhooks').waitFor();
  await page.goto(server.url);
  await page.getByLabel('What to do').fill('xyzzyx qwrtz');
  await page.getByText('No recipe matches.').waitFor();
  expect(errors).toEqual([]);
});
