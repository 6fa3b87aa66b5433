import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { checkRows, passedText } from '../../console/operate/health/ready-state.ts';
import { createClient } from '../../packages/client/src/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { startServer } from '../support/server.ts';
import { startReceiver, verifyEvent } from '../support/webhook-receiver.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** An operator of a service of their own, signed in, and a client whose jobs they see. */
async function operator(env: Readonly<Record<string, string>> = {}) {
  const server = await startServer({ env: { ...NO_RATE_LIMITS, TELECINE_CONCURRENCY: '1', ...env } });
  const visitor = await consoleVisitor(open, server, 'operator', { scopes: ['admin'] });
  const shop = createClient(server.url, await insertClient(server, 'shop', { root: 'shop' }));
  await putSmallMovie(join(server.mediaRoot, 'shop'), 6, 'in.mp4');
  await visitor.signIn();
  const show = async (name: string) => {
    await visitor.page.goto(`${server.url}/operate/${name}`);
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  };
  return { ...visitor, server, shop, show };
}

/** A conversion of some minutes. */
const LONG = {
  inputs: [{ input: 'in.mp4', parameters: { stream_loop: '200' } }],
  parameters: { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=1280:-2' },
};

/** The texts of the cells of a table's row, by the headings. */
async function cellsOf(page: Page, table: string, row: string | RegExp): Promise<Readonly<Record<string, string>>> {
  const all = page.getByRole('table', { name: table, exact: true });
  const names = await all.getByRole('columnheader').allInnerTexts();
  const found = all.getByRole('row').filter({ has: page.getByRole('rowheader', { name: row }) });
  const cells = await found.locator('th, td').allInnerTexts();
  return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
}

test('an operator sees who waits in which lane, what a worker runs, drains it and lets it go on', async () => {
  const { page, errors, shop, client, show } = await operator();
  const films = await shop.submitBatch(['one.mp4', 'two.mp4', 'three.mp4'].map((output) => ({ ...LONG, output })));
  await expect.poll(async () => (await shop.get(films.jobs[0]?.jobId ?? '')).status).toBe('PROCESSING');
  // A copy would run beside the film.
  await client.pauseQueue();
  const copy = await shop.submit({ input: 'in.mp4', output: 'copy.mkv', parameters: { c: 'copy' } });
  await show('queue');
  await expect
    .poll(() => cellsOf(page, 'The queue by client', 'shop'))
    .toMatchObject({ 'Queued conversions': '2', 'Queued light jobs': '1', Running: '1' });
  // It says why they wait, and of how many slots.
  await page.getByText('Queued jobs do not start, because the queue is paused.').waitFor();
  await page.getByText('of 1 slot', { exact: true }).waitFor();
  await expectAccessible(page);
  await shop.cancel(copy.jobId);
  await client.resumeQueue();
  await show('queue');
  await page.getByText('Queued jobs wait for a slot: the only slot is in use. More slots').waitFor();
  // The client is limited where it fills the queue, and then its limit is why its jobs wait.
  await page.getByRole('button', { name: 'Limits of shop' }).click();
  const limits = page.getByRole('dialog', { name: 'Limits of shop' });
  await limits.getByLabel('Jobs at the same time').fill('1');
  await expectAccessible(page);
  await limits.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText('Changed the limits of shop. Changed limits apply at once, those of a job when it starts.')
    .waitFor();
  await page.getByText('Jobs of shop wait for its limit "Jobs at the same time", 1.').waitFor();
  expect(await page.getByText('More slots').count()).toBe(0);
  expect((await client.clients()).clients.find(({ clientId }) => clientId === 'shop')?.limits).toEqual({ running: 1 });

  await show('workers');
  const worker = page.getByRole('region').filter({ hasText: 'Free scratch space' });
  await worker.getByRole('link', { name: 'one.mp4' }).waitFor();
  expect(await worker.getByRole('row').nth(1).innerText()).toMatch(/shop\s+Converting/);
  await page.getByText('1 worker, 1 of 1 slot in use').waitFor();
  await worker.getByRole('button', { name: 'Drain' }).click();
  await page.getByRole('alertdialog').getByText('The worker takes no more jobs.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Drain' }).click();
  await worker.getByText('Draining', { exact: true }).waitFor();
  // What it runs goes on; what is queued stays there.
  await shop.cancel(films.jobs[0]?.jobId ?? '');
  await worker.getByText('Drained', { exact: true }).waitFor();
  await worker.getByText('The worker runs no job now.').waitFor();
  expect((await client.queue()).queued).toMatchObject([{ jobs: 2 }]);
  await expectAccessible(page);
  await worker.getByRole('button', { name: 'Resume' }).click();
  await worker.getByText('Running', { exact: true }).waitFor();
  await worker.getByRole('link', { name: 'two.mp4' }).waitFor();
  for (const { jobId } of films.jobs.slice(1)) await shop.cancel(jobId);
  expect(errors).toEqual([]);
});

test('an operator cancels the running job of a client after a question, and sees that it is being cancelled', async () => {
  const { page, errors, server, shop } = await operator();
  const { jobId } = await shop.submit({ ...LONG, output: 'film.mp4' });
  await expect.poll(async () => (await shop.get(jobId)).status).toBe('PROCESSING');
  await page.goto(`${server.url}/jobs`);
  await page.getByRole('button', { name: 'Actions for film.mp4' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel film.mp4?' });
  await question.getByText('The job belongs to the client shop. It is running: the progress so far is lost.').waitFor();
  await question.getByRole('button', { name: 'Do not cancel' }).click();
  expect((await shop.get(jobId)).cancelRequestedAt).toBeUndefined();
  await page.getByRole('button', { name: 'Actions for film.mp4' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await question.getByRole('button', { name: 'Cancel the job' }).click();
  await page.getByText('1 job cancelled.').waitFor();
  expect((await shop.get(jobId)).status).toBe('CANCELLED');
  await page.getByRole('row').filter({ hasText: 'film.mp4' }).getByText('Cancelled', { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('throughput and failures are plots, whose values can be read too', async () => {
  const { page, errors, shop, show } = await operator();
  const submit = async (request: object) =>
    shop.wait((await shop.submit(request as Parameters<typeof shop.submit>[0])).jobId);
  await submit({ input: 'in.mp4', output: 'one.mkv', parameters: { c: 'copy' } });
  await submit({ input: 'in.mp4', output: 'two.mkv', parameters: { c: 'copy' } });
  await submit({ input: 'missing.mp4', output: 'none.mkv', parameters: { c: 'copy' } });
  await show('queue');
  // All jobs are of the last hour, so the plots open with it.
  await page.getByRole('button', { name: 'Hour', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Hour' }).click();
  const plot = (title: RegExp) => page.getByRole('region', { name: title });
  await expect.poll(() => plot(/^Jobs per/).innerText(), { timeout: 30_000 }).toMatch(/Submitted 3\s+Completed 2/);
  await expect.poll(() => plot(/^Failures per/).innerText(), { timeout: 30_000 }).toMatch(/Failed 1/);
  for (const title of [/^Jobs per/, /^Failures per/, /^Time in the queue/])
    await plot(title).locator('canvas').waitFor();
  expect(await cellsOf(page, 'Why jobs failed', 'INPUT_NOT_FOUND')).toMatchObject({ Client: 'shop', Jobs: '1' });
  await plot(/^Failures per/)
    .getByText('Show the values')
    .click();
  await plot(/^Failures per/)
    .getByRole('table')
    .getByRole('cell', { name: '1', exact: true })
    .waitFor();
  // A plot that was asked for stays as it is read again, in the address too.
  expect(page.url()).toContain('span=hour');
  // The failed jobs of this client with this error are one click away.
  await page.getByRole('table', { name: 'Why jobs failed' }).getByRole('link', { name: 'INPUT_NOT_FOUND' }).click();
  await page.getByText('Only jobs of the client shop.').waitFor();
  await page.getByRole('row').filter({ hasText: 'none.mkv' }).waitFor();
  expect(errors).toEqual([]);
});

test('an operator makes a client, limits it, gives it a new secret and revokes it', async () => {
  const { page, errors, server, client, show } = await operator();
  const dialog = page.getByRole('dialog');
  await show('clients');
  await page.getByRole('button', { name: 'Add a client' }).click();
  const name = dialog.getByLabel('Name', { exact: true });
  await expect.poll(() => name.evaluate((field) => field.matches(':focus'))).toBe(true);
  await name.fill('My Studio');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  // What was corrected is not wrong any more.
  await name.fill('studio');
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  expect(await name.getAttribute('aria-invalid')).toBeNull();
  // A program that converts and gets its results does not need to change other files.
  const writing = dialog.getByLabel(/^Upload, move and delete files\. Jobs write their results without it/);
  expect(await writing.isChecked()).toBe(false);
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(3);
  await dialog.getByText('Own limits').click();
  // Each limit says what applies without it.
  await dialog.getByRole('group', { name: 'What one job may write' }).getByPlaceholder('10000').waitFor();
  await dialog.getByLabel('Jobs a day').fill('1');
  // A search leaves out the others, which keep their values, and Enter in it does not send the form.
  await dialog.getByRole('searchbox', { name: 'Find a limit' }).fill('length');
  await dialog.getByRole('searchbox', { name: 'Find a limit' }).press('Enter');
  expect(await dialog.getByLabel('Length of an output').isVisible()).toBe(true);
  expect(await dialog.getByLabel('Jobs a day').isVisible()).toBe(false);
  expect(await dialog.getByRole('group', { name: 'How fast' }).isVisible()).toBe(false);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const secretOf = async (): Promise<string> => {
    const text = await dialog.getByText(/^tcs_/).textContent();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    return String(text);
  };
  const first = createClient(server.url, { clientId: 'studio', clientSecret: await secretOf() });
  expect(await cellsOf(page, 'Clients', 'studio')).toMatchObject({
    ...{ State: 'Active', Scopes: 'Run jobs, read files', Folder: 'studio', 'Own limits': 'Jobs a day 1' },
    'Last used': 'never',
  });
  const job = { input: 'in.mp4', format: 'mp4' };
  await putSmallMovie(join(server.mediaRoot, 'studio'), 2, 'in.mp4');
  await first.submit({ ...job, output: 'one.mp4' });
  await expect(first.submit({ ...job, output: 'two.mp4' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });

  const actionsOf = (name: string) => page.getByRole('button', { name: `Actions for ${name}` });
  await actionsOf('studio').click();
  await page.getByRole('button', { name: 'Change studio' }).click();
  await dialog.getByLabel('Jobs a day').fill('2');
  await dialog.getByLabel('Upload, move and delete files').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => cellsOf(page, 'Clients', 'studio'))
    .toMatchObject({ 'Own limits': 'Jobs a day 2', 'Last used': 'in the last hour' });
  await expect
    .poll(() =>
      first.submit({ ...job, output: 'two.mp4' }).then(
        () => 'accepted',
        () => 'refused',
      ),
    )
    .toBe('accepted');
  await show('usage?client=studio');
  await page.getByText(/^2 of 2$/).waitFor();
  await page.getByText('The quota is used up.').waitFor();
  await expectAccessible(page);

  await show('clients');
  const question = page.getByRole('alertdialog');
  await actionsOf('studio').click();
  await page.getByRole('button', { name: 'New secret for studio' }).click();
  await question.getByRole('button', { name: 'New secret' }).click();
  await secretOf();
  // Programs with the old secret go on for a day.
  await expect
    .poll(async () => (await cellsOf(page, 'Clients', 'studio'))['State'])
    .toMatch(/^Active\s+old secret ends in \d/);
  expect((await first.list()).jobs).toHaveLength(2);
  await actionsOf('studio').click();
  await page.getByRole('button', { name: 'New secret for studio' }).click();
  await question.getByLabel('The old secret works for').selectOption('0 hours (ends at once)');
  await question.getByText('stop working within a second').waitFor();
  await question.getByRole('button', { name: 'New secret' }).click();
  const second = createClient(server.url, { clientId: 'studio', clientSecret: await secretOf() });
  expect((await second.list()).jobs).toHaveLength(2);
  await expect.poll(() => first.list().catch(({ code }) => code)).toBe('INVALID_CLIENT');

  await actionsOf('studio').click();
  await page.getByRole('button', { name: 'Revoke studio' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row').filter({ hasText: 'studio' }).waitFor({ state: 'detached' });
  await page.getByLabel('Show revoked').check();
  await expect.poll(async () => (await cellsOf(page, 'Clients', 'studio'))['State']).toMatch(/^Revoked/);
  await expect.poll(() => second.list().catch(({ code }) => code)).toBe('INVALID_CLIENT');

  // The audit log has it all, and finds it by its target.
  await show('audit?target=studio');
  const actions = page.getByRole('table', { name: 'Audit log' }).getByRole('rowheader');
  await expect
    .poll(() => actions.allInnerTexts())
    .toEqual(['Client revoked', 'Client secret renewed', 'Client secret renewed', 'Client changed', 'Client added']);
  await page.getByLabel('Action').selectOption('Client secret renewed');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(() => actions.allInnerTexts()).toEqual(['Client secret renewed', 'Client secret renewed']);
  expect(page.url()).toContain('action=client.rotate');
  // A day is written as in the log, whatever the language of the browser.
  await page.getByLabel('Time').selectOption('From … to');
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  await page.getByLabel('From', { exact: true }).fill('2001-01-01');
  await page.getByLabel('To', { exact: true }).fill('2001-01-02');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('No records match.').waitFor();
  await page
    .getByText('Action is “Client secret renewed”, target is “studio”, from 2001-01-01, to 2001-01-02.')
    .waitFor();
  // What happened just now is in the last hour, which takes the place of the days.
  await page.getByLabel('Time').selectOption('Last hour');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(() => actions.allInnerTexts()).toEqual(['Client secret renewed', 'Client secret renewed']);
  expect(page.url()).toContain('latest=hour');
  await page.getByLabel('Time').selectOption('Today');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/from=\d{4}-\d{2}-\d{2}/);
  await expect.poll(() => actions.allInnerTexts()).toEqual(['Client secret renewed', 'Client secret renewed']);
  expect(await page.getByLabel('From', { exact: true }).count()).toBe(0);
  await expectAccessible(page);
  // The filter has no last day, so the form has none either.
  await page.getByLabel('Time').selectOption('From … to');
  const from = page.getByLabel('From', { exact: true });
  expect(await from.inputValue()).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('');
  // A day that no calendar has is not sent. Otherwise, all records would be shown as those of this day.
  await from.fill('2026-02-30');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  expect(
    await from.evaluate((field) => (field as unknown as { readonly validationMessage: string }).validationMessage),
  ).toBe('There is no such day. Enter one such as 2026-01-31.');
  expect(page.url()).toMatch(/from=(?!2026-02-30)/);
  await from.fill('2026-01-31');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/from=2026-01-31/);
  expect(page.url()).not.toContain('to=');
  // The table names jobs by their outputs, and each record has its outcome.
  await page.getByRole('link', { name: 'Show all records' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await log.getByRole('link', { name: 'two.mp4' }).first().waitFor();
  await page.getByLabel('Outcome').selectOption('Done');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/outcome=done/);
  await expect.poll(() => log.getByText(/^(?:Refused|Failed)$/).count()).toBe(0);
  expect(await log.getByText('Done', { exact: true }).count()).toBe((await log.getByRole('rowheader').count()) || -1);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('audit.csv');
  // The records are of summer and winter, so their heading names the time zone and not an offset.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  await page.reload();
  await log.getByRole('columnheader', { name: 'When (Europe/Berlin)' }).waitFor();
  expect((await client.clients()).clients.find(({ clientId }) => clientId === 'studio')).toMatchObject({
    revokedAt: expect.any(String),
  });
  expect(errors).toEqual([]);
});

test('a webhook is added, tested and sent to; what failed is sent again, with a signature', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { page, errors, client, server, show } = await operator({ TELECINE_WEBHOOK_HOSTS: receiver.host });
  const dialog = page.getByRole('dialog');
  await putSmallMovie(join(server.mediaRoot, 'operator'), 2, 'in.mp4');
  await show('webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await dialog.getByLabel('URL').fill(receiver.url('/hook'));
  // "All" says in one line what is sent. Without it, all events are in sight with what they mean, and are sent until somebody takes one out.
  const all = dialog.getByLabel(/^All, also/);
  const events = dialog.getByRole('checkbox');
  await dialog.getByText(/^The ends of jobs and batches, and watches that need you\./).waitFor();
  expect(await events.count()).toBe(1);
  await all.uncheck();
  await dialog.getByLabel('Files of a watch wait for you').waitFor();
  const count = await events.count();
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(count - 1);
  for (let i = 1; i < count; i += 1) await events.nth(i).uncheck();
  await expectAccessible(page);
  // Without an event, the dialog stays and says once what is missing.
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.locator(':focus:invalid').waitFor();
  expect(
    await all.evaluate((box) => (box as unknown as { readonly validationMessage: string }).validationMessage),
  ).toBe('Choose at least one event.');
  expect(await dialog.getByText(/empty|at least one/).count()).toBe(0);
  await all.check();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = String(await dialog.getByText(/^whsec_/).textContent());
  await dialog.getByRole('button', { name: 'Send a test' }).click();
  await dialog.getByText('Sent. The page').waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: receiver.url('/hook') }).waitFor();
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByText('Delivered').waitFor();
  const [test] = receiver.received('/hook');
  if (test === undefined) throw new Error('The receiver got nothing.');
  verifyEvent(test, secret);

  // The receiver is broken, so the event of a job waits for its next attempt, until somebody gives up.
  receiver.answer('/hook', (_event, response) => void response.writeHead(500).end('no database'));
  await client.wait((await client.submit({ input: 'in.mp4', output: 'out.mkv', parameters: { c: 'copy' } })).jobId);
  const row = deliveries.getByRole('row').filter({ hasText: 'job.completed' });
  await row.getByText(/replied 500\. Next attempt/).click({ timeout: 30_000 });
  await row.getByText('no database').first().waitFor();
  // The top of the page says why the webhook fails, and so does the list.
  await page.getByText(/^Failing for .+ replied 500/).waitFor();
  await page.getByText('2 in the last 7 days', { exact: true }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).last().click();
  await expect
    .poll(() => cellsOf(page, 'Webhooks', '/hook'))
    .toMatchObject({
      State: expect.stringMatching(/^Failing/),
      // The test, and the event of the job.
      Deliveries: '2',
      'Why it fails': expect.stringContaining('replied 500'),
    });
  // There is no column for notes without a note.
  expect(await page.getByRole('columnheader', { name: 'Note' }).count()).toBe(0);
  await page.getByRole('link', { name: receiver.url('/hook') }).click();
  await deliveries.waitFor();
  const more = page.getByRole('button', { name: 'More for this webhook' });
  await more.click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Disable' }).click();
  // The menu is closed, so the focus is on its button after the question.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => more.evaluate((one) => one.matches(':focus'))).toBe(true);
  await more.click();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click();
  await row.getByText('Failed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Enable' }).click();
  await expectAccessible(page);

  receiver.answer('/hook', (_event, response) => void response.writeHead(204).end());
  await row.getByRole('button', { name: /^Send again/ }).click();
  // The page says that it was sent, and which of the two rows is the repeat.
  await page.getByText('The service sends job.completed again, as a new delivery.').waitFor();
  await row.getByText('Repeat', { exact: true }).waitFor();
  expect(await row.first().getByText('Repeat', { exact: true }).count()).toBe(1);
  await row.getByText('Delivered', { exact: true }).waitFor({ timeout: 30_000 });
  const sent = receiver.received('/hook').filter(({ event }) => event.type === 'job.completed');
  expect(sent.length).toBeGreaterThan(1);
  for (const each of sent) verifyEvent(each, secret);
  // A receiver sees by the id that it is the same event.
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  // The row of a delivery opens to its replies and to what was sent.
  await row
    .first()
    .getByText(/^204 in/)
    .first()
    .click();
  await row.first().getByText('"output": "out.mkv"').waitFor();
  await row
    .first()
    .getByText(sent[0]?.id ?? '', { exact: true })
    .waitFor();
  expect(errors).toEqual([]);
});

test('a delivery that waits says when it is attempted next, and is attempted now by its button', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { page, errors, client, server, show } = await operator({ TELECINE_WEBHOOK_HOSTS: receiver.host });
  await putSmallMovie(join(server.mediaRoot, 'operator'), 2, 'in.mp4');
  const { webhookId } = await client.addWebhook({ url: receiver.url('/hook') });
  receiver.answer('/hook', (_event, response) => void response.writeHead(503, { 'retry-after': '50' }).end('busy'));
  await client.wait((await client.submit({ input: 'in.mp4', output: 'out.mkv', parameters: { c: 'copy' } })).jobId);
  await show(`webhooks/${webhookId}`);
  const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'job.completed' });
  await row.getByText('Retrying', { exact: true }).waitFor();
  await row.getByText(/replied 503\. Next attempt in \d+\ss/).click();
  // The time names its zone.
  await row.getByText(/^The service gives up at the latest on .+ (UTC|GMT|[A-Z]{3,5}).*\./).waitFor();
  await row.getByText(/pauses of up to four hours, each up to a fifth shorter or longer\.$/).waitFor();
  await page.getByText(/^Failing for/).waitFor();
  // The filter has the word of the row.
  const filter = page.getByRole('group', { name: 'Show deliveries' });
  await filter.getByRole('button', { name: 'Failed' }).click();
  await page.getByText('No deliveries are in this state.').waitFor();
  await filter.getByRole('button', { name: 'Pending or retrying' }).click();
  await row.getByText('Retrying', { exact: true }).waitFor();
  await filter.getByRole('button', { name: 'All' }).click();
  await expectAccessible(page);
  receiver.answer('/hook', (_event, response) => void response.writeHead(204).end());
  await row.getByRole('button', { name: /^Retry now: job\.completed/ }).click();
  await row.getByText('Delivered', { exact: true }).waitFor();
  // The top of the page follows: the receiver works again.
  await page.getByText('Enabled', { exact: true }).waitFor();
  // It is the same delivery, and not another one.
  expect(await row.count()).toBe(1);
  expect(await page.getByText(/as a new delivery/).count()).toBe(0);
  expect(receiver.received('/hook')).toHaveLength(2);
  await row.getByRole('button', { name: /^Send again/ }).waitFor();
  expect(errors).toEqual([]);
});

test('a disabled webhook says what to press before something is sent again', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { page, errors, client, show } = await operator({ TELECINE_WEBHOOK_HOSTS: receiver.host });
  const { webhookId } = await client.addWebhook({ url: receiver.url('/hook') });
  await client.testWebhook(webhookId);
  await show(`webhooks/${webhookId}`);
  const again = page.getByRole('button', { name: /^Send again/ });
  await again.waitFor();
  // Somebody else disables it, which this page has not read yet.
  for (const button of [again, page.getByRole('button', { name: 'Send a test' })]) {
    await client.changeWebhook(webhookId, { enabled: false });
    // An ordinary click would wait if the page has just read it.
    await button.dispatchEvent('click');
    await page.getByText('Press “Enable” first').waitFor();
    expect(await page.getByText('PATCH').count()).toBe(0);
    expect(await again.isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Press “Enable” first').waitFor({ state: 'detached' });
  }
  await again.click();
  await expect.poll(() => receiver.received('/hook').length).toBe(2);
  expect(errors).toEqual([]);
});

test('the health of the service is what doctor says, and is checked again', async () => {
  const { page, errors, client, show } = await operator();
  await show('health');
  const checks = page.getByRole('table', { name: 'Checks' });
  const rows = checkRows(await client.ready(), await client.doctor());
  await expect.poll(() => checks.getByRole('rowheader').allInnerTexts()).toEqual(rows.map(({ name }) => name));
  // Each part has one row, also if both lists look at it.
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(await cellsOf(page, 'Checks', 'ffmpeg')).toMatchObject({
    State: 'OK',
    Details: expect.stringContaining(' at /'),
  });
  expect(await cellsOf(page, 'Checks', 'Queue')).toMatchObject({ State: 'OK', Details: 'Not paused' });
  await page.getByText(passedText(rows)).waitFor();
  await page.getByText('checked just now').waitFor();
  const again = page.waitForResponse((response) => response.url().endsWith('/api/doctor'));
  await page.getByRole('button', { name: 'Check again' }).click();
  expect((await again).status()).toBe(200);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('a running job says why it is slow', async () => {
  const { page, errors, client, server, show } = await operator();
  await putSmallMovie(join(server.mediaRoot, 'operator'), 6, 'in.mp4');
  const { jobId } = await client.submit({
    inputs: [{ input: 'in.mp4', parameters: { stream_loop: '30' } }],
    output: 'slow.mp4',
    parameters: { 'c:v': 'libx265', preset: 'placebo', vf: 'scale=1920:-2' },
  });
  // Its speed depends on the machine of the tests. Without events, the page has only what it reads.
  await page.route(/\/api\/events/, (route) => route.abort());
  await page.route(new RegExp(`/api/conversion/${jobId}$`), async (route) => {
    const job = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...job, speed: 0.05 } });
  });
  await show('workers');
  await page.getByRole('row').getByText('slow because of preset placebo').waitFor({ timeout: 60_000 });
  await expectAccessible(page);
  await client.cancel(jobId);
  expect(errors).toEqual([]);
});

test('the health of the service names a webhook whose deliveries fail, stays ready, and leads to the webhooks', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { page, errors, client, server, show } = await operator({ TELECINE_WEBHOOK_HOSTS: receiver.host });
  await putSmallMovie(join(server.mediaRoot, 'operator'), 2, 'in.mp4');
  const { webhookId } = await client.addWebhook({ url: receiver.url('/hook') });
  receiver.answer('/hook', (_event, response) => void response.writeHead(503).end('busy'));
  await client.wait((await client.submit({ input: 'in.mp4', output: 'out.mkv', parameters: { c: 'copy' } })).jobId);
  await expect.poll(async () => (await client.webhook(webhookId)).failingSince).toBeDefined();
  await show('health');
  await expect
    .poll(() => cellsOf(page, 'Checks', 'Webhooks'))
    .toMatchObject({
      State: 'Warning',
      Details: expect.stringContaining(`1 webhook fails: ${receiver.url('/hook')} of the client operator, since `),
    });
  await page.getByRole('definition').getByText('Ready', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('table', { name: 'Checks' }).getByRole('link', { name: 'Open the webhooks' }).click();
  await page
    .getByRole('table', { name: 'Webhooks' })
    .getByText(/^Failing for/)
    .waitFor();
  expect(errors).toEqual([]);
});

test('the health of a service that is ready and fails checks of its machine is not green, and leads to them', async () => {
  const { page, errors, client, show } = await operator();
  const fixed = (await client.doctor()).findings.filter(({ state }) => state !== 'bad');
  const broken = ['ffmpeg', 'sandbox'].map((name) => ({
    name: `${name} of the test`,
    state: 'bad',
    says: 'It is gone.',
  }));
  let findings: readonly object[] = [...fixed, ...broken];
  await page.route('**/api/doctor', (route) => route.fulfill({ json: { findings } }));
  await show('health');
  const state = page.getByRole('definition').getByText('2 checks fail');
  await state.click();
  const machine = page.getByRole('region', { name: 'Checks' });
  expect(await machine.evaluate((section) => section.matches(':focus'))).toBe(true);
  await expectAccessible(page);
  findings = fixed;
  await machine.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('definition').getByText('Ready', { exact: true }).waitFor();
  expect(errors).toEqual([]);
});

test('the numbers of the queue lead to the lists of those jobs', async () => {
  const { page, errors, shop, client, show, server } = await operator();
  await client.pauseQueue();
  const other = createClient(server.url, await insertClient(server, 'studio', { root: 'studio' }));
  const film = { input: 'in.mp4', parameters: { c: 'copy' } };
  await shop.submitBatch(['one.mkv', 'two.mkv'].map((output) => ({ ...film, output })));
  await other.submit({ ...film, output: 'three.mkv' });
  const outputs = () => page.getByRole('row').getByRole('link').allInnerTexts();
  await show('queue');
  await page.getByRole('definition').getByRole('link', { name: '3', exact: true }).click();
  await expect.poll(outputs).toEqual(['three.mkv', 'two.mkv', 'one.mkv']);
  await show('queue');
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'shop' }) });
  await row.getByRole('link', { name: '2', exact: true }).click();
  await page.getByText('Only jobs of the client shop.').waitFor();
  await expect.poll(outputs).toEqual(['two.mkv', 'one.mkv']);
  // A job that another client submits meanwhile is not one of them.
  await other.submit({ ...film, output: 'four.mkv' });
  await shop.submit({ ...film, output: 'five.mkv' });
  await expect.poll(outputs).toEqual(['five.mkv', 'two.mkv', 'one.mkv']);
  await page.getByRole('link', { name: 'Show all jobs' }).click();
  await expect.poll(outputs).toHaveLength(5);
  await show('queue');
  await page.getByRole('link', { name: 'studio' }).click();
  await expect.poll(outputs).toEqual(['four.mkv', 'three.mkv']);
  expect(errors).toEqual([]);
});

test('the list of jobs and the health say that no job starts, and lead administrators to where that is changed', async () => {
  const { page, errors, server, client, shop, show } = await operator();
  const visitor = await consoleVisitor(open, server, 'reader');
  await visitor.signIn();
  await client.pauseQueue();
  await shop.submit({ input: 'in.mp4', output: 'waits.mkv', parameters: { c: 'copy' } });
  await page.goto(`${server.url}/jobs`);
  const paused = 'The queue is paused: jobs are accepted, but none starts.';
  await page.getByText(paused).waitFor();
  await expectAccessible(page);
  await visitor.page.goto(`${server.url}/jobs`);
  await visitor.page.getByText(paused).waitFor();
  expect(await visitor.page.getByRole('link', { name: 'Open the queue' }).count()).toBe(0);
  await show('health');
  const state = (name: string) => page.getByRole('definition').getByText(name, { exact: true });
  await state('Paused').waitFor();
  expect(await cellsOf(page, 'Checks', 'queue')).toMatchObject({
    State: 'Paused',
    Details: paused.replace(/\.$/, ''),
  });

  await page.goto(`${server.url}/jobs`);
  await page.getByRole('link', { name: 'Open the queue' }).click();
  await page.getByRole('button', { name: 'Resume the queue' }).click();
  await page.getByRole('button', { name: 'Pause the queue' }).waitFor();
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('row').filter({ hasText: 'waits.mkv' }).getByText('Completed').waitFor();
  await expect.poll(() => page.getByText(paused).count()).toBe(0);

  const [worker] = (await client.workers()).workers;
  await client.drainWorker(worker?.workerId ?? '');
  await page.getByText('All workers are drained: jobs are accepted, but none starts.').waitFor();
  await page.getByRole('link', { name: 'Open the workers' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await show('health');
  await state('Paused').waitFor();
  expect(errors).toEqual([]);
});

test('a worker that was killed is listed as lost, with what became of its jobs', async () => {
  const { server: first, shop } = await operator();
  const { jobId } = await shop.submit({ ...LONG, output: 'long.mp4' });
  const read = createClient(first.url, await insertClient(first, 'reader', { scopes: ['admin'] }));
  // The worker reports its jobs every few seconds.
  await expect.poll(async () => (await read.workers()).workers[0]?.jobs.length, { timeout: 60_000 }).toBe(1);
  await new Promise((done) => setTimeout(done, 6000));
  await first.kill9('group');

  const server = await startServer({
    ...{ dataDir: first.dataDir, mediaRoot: first.mediaRoot },
    env: { ...NO_RATE_LIMITS, TELECINE_CONCURRENCY: '1' },
  });
  const { page, errors, signIn } = await consoleVisitor(open, server, 'finder', { scopes: ['admin'] });
  await signIn();
  await page.goto(`${server.url}/operate/workers`);
  const gone = page.getByRole('table', { name: 'Workers that are gone' });
  // A worker counts as lost after 20 s without a report.
  await gone.getByText('Lost', { exact: true }).waitFor({ timeout: 60_000 });
  await gone.getByRole('link', { name: 'long.mp4' }).waitFor();
  await gone.getByText(/of shop: (queued again|Running)/).waitFor();
  expect(await page.getByRole('region', { name: / \d+$/ }).count(), 'workers that run').toBe(1);
  await expectAccessible(page);
  await createClient(server.url, await insertClient(server, 'ender', { scopes: ['admin'] })).cancel(jobId);
  expect(errors).toEqual([]);
});

test('an empty list of webhooks has one button that adds one', async () => {
  const { page, errors, show } = await operator();
  await show('webhooks');
  await page.getByText('has no webhooks.').waitFor();
  expect(await page.getByRole('button', { name: /Add/ }).count()).toBe(1);
  expect(errors).toEqual([]);
});

test('the queue names the client that fills all slots, limits it there, and leads to its jobs over the limit', async () => {
  const { page, errors, server, shop, show } = await operator({ TELECINE_CONCURRENCY: '2' });
  const studio = createClient(server.url, await insertClient(server, 'studio', { root: 'studio' }));
  await putSmallMovie(join(server.mediaRoot, 'studio'), 6, 'in.mp4');
  const { jobs } = await shop.submitBatch(['one.mp4', 'two.mp4', 'three.mp4'].map((output) => ({ ...LONG, output })));
  const running = async () => (await shop.list({ status: 'PROCESSING' })).jobs.length;
  await expect.poll(running).toBe(2);
  const waiting = await studio.submit({ ...LONG, output: 'four.mp4' });
  await show('queue');
  await page.getByText('All running jobs are of shop.').waitFor();
  await page.getByRole('button', { name: 'Limit shop…' }).click();
  const limits = page.getByRole('dialog', { name: 'Limits of shop' });
  await limits.getByLabel('Jobs at the same time').fill('1');
  await limits.getByRole('button', { name: 'Save' }).click();
  await page.getByText('2 jobs that started before it still run.').waitFor();
  expect(await page.getByRole('button', { name: 'Limit shop…' }).count()).toBe(0);
  await expectAccessible(page);
  // A client whose last job has ended is not taken away without a word.
  const client = page.getByRole('table', { name: 'The queue by client' }).getByRole('rowheader', { name: 'studio' });
  await client.waitFor();
  await studio.cancel(waiting.jobId);
  await page.getByText('1 client without jobs is still listed').waitFor();
  expect(await cellsOf(page, 'The queue by client', 'studio')).toMatchObject({ Queued: '0', Running: '0' });
  await page.getByRole('link', { name: 'Show the running jobs of shop' }).click();
  await page.getByText('Only jobs of the client shop.').waitFor();
  await expect
    .poll(async () => (await page.getByRole('row').getByRole('link').allInnerTexts()).toSorted())
    .toEqual(['one.mp4', 'two.mp4']);
  for (const { jobId } of jobs) await shop.cancel(jobId);
  expect(errors).toEqual([]);
});

test('the limits of a client stay open while its last job ends, and are saved', async () => {
  const { page, errors, shop, client, show } = await operator();
  const running = await shop.submit({ ...LONG, output: 'one.mp4' });
  const queued = await shop.submit({ ...LONG, output: 'two.mp4' });
  await show('queue');
  await page.getByRole('button', { name: 'Limits of shop' }).click();
  const limits = page.getByRole('dialog', { name: 'Limits of shop' });
  await limits.getByLabel('Jobs at the same time').fill('1');
  for (const { jobId } of [queued, running]) await shop.cancel(jobId);
  await page.getByText('No job is queued or running.').waitFor();
  expect(await limits.getByLabel('Jobs at the same time').inputValue()).toBe('1');
  await limits.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Changed the limits of shop.').waitFor();
  expect((await client.clients()).clients.find(({ clientId }) => clientId === 'shop')?.limits).toEqual({ running: 1 });
  expect(errors).toEqual([]);
});
