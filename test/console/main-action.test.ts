import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const PHONE = 390;

/** What a test needs of the style of an element. */
interface Style {
  readonly color: string;
}

/** The texts of the buttons that are the main action and can be pressed. */
const mainActions = (inside: Page | Locator): Promise<readonly string[]> =>
  inside
    .locator(
      'button:is([data-variant="primary"], [data-variant="destructive"]):enabled:not([aria-disabled="true"]):visible',
    )
    .allInnerTexts();

test('a dialog has one main action: what the user does next', async () => {
  const { server } = await start();
  const { page, context, errors, signIn } = await consoleVisitor(open, server, 'careful', { scopes: ['admin'] });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const dialog = page.getByRole('dialog');
  await signIn();
  await page.goto(`${server.url}/operate/clients`);
  await page.getByRole('button', { name: 'Add a client' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Not a name');
  await dialog.getByText('Own limits').click();
  await dialog.getByLabel('Jobs a day').fill('many');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').waitFor();
  // The service has not read the limits yet, and this value is none.
  expect(await dialog.getByLabel('Jobs a day').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByText('Write a number, or none.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Jobs a day').fill('10');
  await dialog.getByLabel('Name', { exact: true }).fill('shop');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const copy = dialog.getByRole('button', { name: 'Copy', exact: true });
  await copy.waitFor();
  expect(await mainActions(dialog)).toEqual(['Copy']);
  await copy.click();
  await expect.poll(() => mainActions(dialog)).toEqual(['I have stored it']);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Actions for shop' }).click();
  await page.getByRole('button', { name: 'Revoke shop' }).click();
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  expect(await mainActions(question)).toEqual(['Revoke']);
  await question.getByRole('button', { name: 'Revoke' }).click();
  await question.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('a webhook to which nothing was sent offers its first test, and leads back to the others', async () => {
  const { server } = await start();
  const { page, errors, client, signIn } = await consoleVisitor(open, server, 'caller');
  const { webhookId } = await client.addWebhook({ url: 'https://example.com/hook' });
  onTestFinished(() => client.removeWebhook(webhookId));
  await signIn();
  await page.goto(`${server.url}/operate/webhooks/${webhookId}`);
  await page.getByText('Nothing was sent in the last week.').waitFor();
  expect(await mainActions(page)).toEqual(['Send a test']);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).waitFor();
  await expect.poll(() => mainActions(page)).toEqual(['Send a test']);
  await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).last().click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  expect(errors).toEqual([]);
});

test('an audit log on a phone has its times below each other, folds its filter, and says and removes one that finds nothing', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'auditor', { scopes: ['admin'], width: PHONE });
  await signIn();
  await page.goto(`${server.url}/operate/audit?target=nothing`);
  await page.getByText('Target is “nothing”.').waitFor();
  expect(await page.getByLabel('Target').count()).toBe(0);
  // One way to remove it is enough, and it is in the middle of the page.
  expect(await page.getByRole('link', { name: /^Remove the filter/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Filter (1)', exact: true }).click();
  expect(await page.getByLabel('Target').inputValue()).toBe('nothing');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show all records' }).click();
  const records = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await records.filter({ hasText: 'Sign-in' }).first().waitFor();
  // No heading names the zone of the times.
  const zone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
  await page.getByText(`Times in ${zone}`).waitFor();
  // One can run down the times: each is in the first line of its record, and all end at the same edge.
  const boxes = await Promise.all(
    (await records.filter({ has: page.getByRole('rowheader') }).all()).map(async (record) => ({
      action: await record.getByRole('rowheader').boundingBox(),
      time: await record.getByRole('time').boundingBox(),
    })),
  );
  expect(boxes.length).toBeGreaterThan(1);
  // What a record says is not cut.
  const details = page.getByText(/From 127\.0\.0\.1$/).first();
  expect(await details.evaluate(({ parentElement: cell }) => cell && cell.scrollWidth - cell.clientWidth)).toBe(0);
  for (const { action, time } of boxes) expect(Math.abs((action?.y ?? 0) - (time?.y ?? 1000))).toBeLessThan(5);
  expect(new Set(boxes.map(({ time }) => Math.round((time?.x ?? 0) + (time?.width ?? 0)))).size).toBe(1);
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor();
  await page.goto(`${server.url}/operate/audit?client=auditor`);
  await page.getByRole('link', { name: 'Remove the filter: Client is “auditor”' }).waitFor();
  expect(errors).toEqual([]);
});

test('while a command is pasted, "Convert" is not the main action, and errors are one press away', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'paster');
  await putClip(folder, '480p', 2, 'in.mp4');
  await signIn();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  const area = page.getByRole('textbox', { name: 'Command line of ffmpeg' });
  await area.fill('ffmpeg -i in.mp4 -c:v libx264 small.mp4');
  await expect.poll(() => mainActions(page)).toEqual(['Use this command']);
  // What is wrong is mended first.
  await area.fill('ffmpeg -i in.mp4 -c:v libx264 -tune flm -crf 99 small.mp4');
  await expect.poll(() => mainActions(page)).toEqual(['Use -tune film']);
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText('2 fields have errors.').waitFor();
  // Nothing is offered that could only fail, and the text of the request is not copied by mistake.
  const exported = page.getByRole('region', { name: 'Export' });
  await exported.getByRole('button', { name: 'Copy the request with its errors' }).waitFor();
  expect(await exported.getByLabel('Save as a recipe').isDisabled()).toBe(true);
  const preview = page.getByRole('button', { name: 'Show a preview' });
  expect(await preview.isDisabled()).toBe(true);
  // The command says what to do, so the recipes make room for its options.
  await page.getByText('None: the options below say what to do.').waitFor();
  expect(await page.getByLabel('What to do').count()).toBe(0);
  await page.getByRole('button', { name: 'Show the error of crf' }).click();
  const error = page.locator('[data-kind="error"][data-field="/parameters/crf"]');
  await expect.poll(() => error.evaluate((one) => one.matches(':focus'))).toBe(true);
  await page.getByRole('button', { name: 'tune: film' }).click();
  await page.getByLabel('Value of crf').fill('35');
  await page.getByText(/^Ready\./).waitFor();
  expect(await preview.isDisabled()).toBe(false);
  await exported.getByRole('button', { name: 'Copy the request', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Choose a recipe' }).click();
  await page.getByRole('list', { name: 'Recipes' }).waitFor();

  // Another pasted text is not what would run.
  await page.getByRole('button', { name: 'Paste a command' }).click();
  expect(await mainActions(page)).toEqual([]);
  const colour = () =>
    page
      .getByRole('heading', { name: 'Source', exact: true })
      .evaluate(
        (one) => (globalThis as unknown as { getComputedStyle(of: unknown): Style }).getComputedStyle(one).color,
      );
  const usual = await colour();
  await area.fill('ffmpeg -i in.mp4 other.mp4');
  // The panels that the command will replace are grey, and can still be read.
  await expect.poll(colour).not.toBe(usual);
  await expectAccessible(page);
  await page.getByRole('group', { name: 'Run' }).getByText('The pasted command is not used yet.').waitFor();
  expect(await mainActions(page)).toEqual(['Use this command']);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(colour).toBe(usual);
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Done.').waitFor({ timeout: 60_000 });
  // The output that exists is its own.
  await page.reload();
  await page.getByText('"small.mp4" already exists.').first().waitFor();
  await page.getByRole('button', { name: /^Write small-2/ }).click();
  await page.getByText(/^Ready\./).waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Done.').waitFor({ timeout: 60_000 });
  expect(await page.getByText('already exists.').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('on a phone, the tools of a folder are two lines, and rare actions are behind one button', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'walker', { width: PHONE });
  await putClip(folder, '480p', 2, 'films/in.mp4');
  // A time of long ago is the longest text.
  const changed = new Date('2026-03-28T12:00:00.000Z');
  await utimes(join(folder, 'films/in.mp4'), changed, changed);
  await signIn();
  await page.goto(`${server.url}/files?folder=films/`);
  const row = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'in.mp4' });
  // The length has come with the picture, and the date is whole.
  await row.getByText(/^[\d.]+\ss$/).waitFor();
  expect(
    await row.locator('time').evaluate(({ parentElement: cell }) => cell && cell.scrollWidth - cell.clientWidth),
  ).toBe(0);
  const more = page.getByRole('button', { name: 'More for this folder' });
  const folderAction = page.getByRole('button', { name: 'New folder…' });
  expect(await folderAction.isVisible()).toBe(false);
  for (const line of [
    'main [type="search"], button:has-text("Bin")',
    'select, [role="group"]:has(> button[aria-pressed]), button:has-text("More")',
  ]) {
    const tops = await page
      .locator(line)
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(new Set(tops).size, `tops of the tools: ${tops}`).toBe(1);
  }
  await more.click();
  await expectAccessible(page);
  await folderAction.click();
  await page.getByRole('dialog').getByRole('textbox').fill('cut');
  expect(await folderAction.isVisible()).toBe(false);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click();
  await page.getByText('Created cut/.').waitFor();
  expect((await client.listFiles('films/')).files.map(({ path }) => path)).toContain('films/cut/');
  expect(errors).toEqual([]);
});
