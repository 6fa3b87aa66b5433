import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A person at the workbench, with a film that can be converted. */
async function atWorkbench(name: string) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name);
  await putSmallMovie(join(server.mediaRoot, name), 4, 'in.mp4');
  await visitor.signIn();
  await visitor.page.goto(`${server.url}/files?file=in.mp4`);
  await visitor.page.getByRole('button', { name: 'Convert…' }).click();
  await visitor.page.getByText('Ready.').waitFor();
  return { ...visitor, server };
}

/** Adds an option by its name. Returns its row, the field of its value and its line of help. */
async function addOption(page: Page, name: string) {
  await page.getByRole('button', { name: 'Add an option' }).last().click();
  // The new one has the focus.
  await page.keyboard.insertText(name);
  await page.keyboard.press('Tab');
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('combobox', { name: `Value of ${name}`, exact: true }) });
  return {
    row,
    value: row.getByRole('combobox', { name: `Value of ${name}`, exact: true }),
    help: row.locator('p').first(),
  };
}

test('options are completed with what they mean for the chosen encoder: names, ranges, defaults and values', async () => {
  const { page, errors } = await atWorkbench('completer');
  await page.getByRole('button', { name: 'Add an option' }).click();
  const option = page.getByRole('combobox', { name: 'Option', exact: true });
  // Before anything is typed: what people begin with.
  await option.click();
  await page.getByRole('option', { name: /^b:v/ }).waitFor();
  await option.fill('cr');
  await page
    .getByRole('option', { name: /^crf\b/ })
    .first()
    .waitFor();
  // While a list is open, Base UI hides from screen readers what is around it. Tab, which would lead there, closes it first.
  await expectAccessible(page, { except: ['aria-hidden-focus'] });
  await option.press('ArrowDown');
  await option.press('Enter');
  expect(await option.inputValue()).toBe('crf');
  const help = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('combobox', { name: 'Value of crf' }) })
    .locator('p')
    .first();
  // The default of the container is libx264.
  await expect.poll(() => help.textContent()).toMatch(/Quality.*0 to 51, usually 18 to 28.*libx264/);

  const codec = await addOption(page, 'c:v');
  await codec.value.fill('vp9');
  await page.getByRole('option', { name: /^libvpx-vp9/ }).click();
  await expect.poll(() => help.textContent()).toMatch(/0 to 63, usually 15 to 35.*libvpx-vp9/);
  const deadline = await addOption(page, 'deadline');
  await deadline.value.click();
  for (const name of ['best', 'good']) await page.getByRole('option', { name, exact: true }).waitFor();
  await page.getByRole('option', { name: 'realtime', exact: true }).click();
  expect(await deadline.value.inputValue()).toBe('realtime');
  // ffmpeg's own `b` is "video bitrate (please use -b:v)".
  const rate = await addOption(page, 'b:a');
  await expect.poll(() => rate.help.textContent()).toMatch(/^Bit rate of the audio/);
  const format = await addOption(page, 'pix_fmt');
  await format.value.click();
  await page.getByRole('option', { name: 'yuv420p', exact: true }).waitFor();
  // Of libvpx-vp9, and not of libx264.
  expect(await page.getByRole('option', { name: 'nv12', exact: true }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a field that was left shows no list, also if its values arrive later', async () => {
  const { page } = await atWorkbench('fast-typist');
  await page.route('**/api/options?*', async (route) => {
    if (route.request().url().includes('q=')) await expect.poll(() => hasLeft, { interval: 10 }).toBe(true);
    await route.continue();
  });
  let hasLeft = false;
  await page.getByRole('button', { name: 'Add an option' }).click();
  const found = page.waitForResponse(/options\?.*q=tune/);
  await page.getByRole('combobox', { name: 'Option', exact: true }).pressSequentially('tune');
  await page.getByRole('combobox', { name: 'Option', exact: true }).press('Tab');
  hasLeft = true;
  await found;
  const value = page.getByRole('combobox', { name: 'Value of tune' });
  await value.pressSequentially('film');
  await page.getByRole('option', { name: /^film/ }).waitFor();
  await value.press('Tab');
  await page.getByText('Ready.').waitFor();
  expect(await page.getByRole('listbox').count()).toBe(0);
  await expectAccessible(page);
});

test('what would run, what is doubtful and how large it gets are shown while one types', async () => {
  const { page, errors } = await atWorkbench('typist');
  const plan = page.getByRole('region', { name: 'Plan' });
  const command = plan.locator('pre');
  const size = plan.getByRole('definition').filter({ hasText: /^[\d.]+\s\w*B to .*B$/ });
  const crf = await addOption(page, 'crf');
  await crf.value.fill('18');
  await expect.poll(() => command.textContent()).toContain('-crf 18');
  const sizes = [await size.first().textContent()];
  await crf.value.fill('45');
  await expect.poll(() => command.textContent()).toContain('-crf 45');
  await expect.poll(() => size.first().textContent()).not.toBe(sizes[0]);
  await plan.getByText('Time to convert').waitFor();
  await plan
    .getByText(/libx264/)
    .first()
    .waitFor();

  const rate = await addOption(page, 'b:v');
  await rate.value.fill('1M');
  // A warning at its option: the encoder uses only the quality.
  await rate.row.locator('[data-kind="warning"]').getByText('b:v').first().waitFor();
  await rate.value.press('Tab');
  await page.getByRole('button', { name: 'Remove b:v' }).click();

  // What nobody can know is said, with the reason.
  await addOption(page, 'vf');
  await page.getByRole('textbox', { name: 'Filtergraph' }).fill('mpdecimate');
  await plan.getByText('unknown').first().waitFor();
  await plan
    .getByText(/mpdecimate/)
    .last()
    .waitFor();
  expect(errors).toEqual([]);
});

test('a pasted command is read by the service, says what it leaves out, and is in no address that a log has', async () => {
  const { page, client } = await atWorkbench('paster');
  const read: string[] = [];
  const addresses: string[] = [];
  page.on('request', (request) => {
    addresses.push(request.url());
    if (request.url().endsWith('/api/commands')) read.push(request.postData() ?? '');
  });
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill('ffmpeg -hide_banner -i in.mp4 -c:v libx264 -preset ultrafast -an pasted.mp4');
  await page.getByLabel('What was left out').getByText('Left out -hide_banner').waitFor();
  await page.getByRole('button', { name: 'Use this command' }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  expect((await client.list()).jobs).toMatchObject([
    { output: 'pasted.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast', an: '' } },
  ]);
  expect(read.at(-1)).toContain('ffmpeg -hide_banner -i in.mp4');
  expect(addresses.filter((url) => url.includes('hide_banner'))).toEqual([]);
});

test('a conversion is stored as a recipe of the client, found by its name, and makes the same of another file', async () => {
  const { page, errors, folder, client, server } = await atWorkbench('cook');
  await putSmallMovie(folder, 2, 'other.mp4');
  const { value } = await addOption(page, 's');
  await value.fill('160x90');
  await page.getByText('Ready.').waitFor();
  await page.getByLabel('Save as a recipe').fill('For the shop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'For the shop', level: 1 }).waitFor();
  const bar = page.getByRole('group', { name: 'Save' });
  await bar.getByText('Ready. It becomes version 1.').waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('Saved as version 1.').waitFor();
  // Another recipe of the same name is no mistake, but a choice. The workbench has kept its draft.
  await page.goBack();
  await value.fill('106x60');
  await page.getByText('Ready.').waitFor();
  await page.getByLabel('Save as a recipe').fill('For the shop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await bar.getByText('Ready. It becomes version 1.').waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Replace the version that is stored now' }).click();
  await bar.getByText('Saved as version 2.').waitFor();
  expect(await client.recipe('for-the-shop')).toMatchObject({ version: 2, title: 'For the shop' });

  await page.goBack();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).fill('other.mp4');
  await page.getByRole('combobox', { name: 'Or a stored file, or a URL' }).press('Enter');
  await page.getByLabel('What to do').fill('for the shop');
  await page.getByRole('button', { name: /^For the shop/ }).click();
  await page.getByText('Ready.').waitFor();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  expect((await client.list()).jobs).toMatchObject([
    {
      input: 'other.mp4',
      preset: { name: 'for-the-shop' },
      outputs: [{ streams: expect.arrayContaining([expect.objectContaining({ width: 106, height: 60 })]) }],
    },
  ]);
  // Another client has none of it, and it is deleted on its page, to which the chosen recipe leads.
  const stranger = await consoleVisitor(open, server, 'stranger');
  expect(
    (await createClient(server.url, stranger.credentials).recipes({ q: 'for the shop' })).recipes,
  ).not.toContainEqual(expect.objectContaining({ name: 'for-the-shop' }));
  await page.getByRole('link', { name: 'Edit this recipe' }).click();
  await page.getByRole('button', { name: 'More for this recipe' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted “For the shop”.').waitFor();
  await page.getByRole('link', { name: 'Workbench' }).first().click();
  await page.getByRole('button', { name: 'Choose another' }).click();
  await page.getByLabel('What to do').fill('for the shop');
  await expect.poll(() => page.getByRole('button', { name: /^For the shop/ }).count()).toBe(0);
  await expect(client.recipe('for-the-shop')).rejects.toMatchObject({ status: 404 });
  expect(errors).toEqual([]);
});

test('a recipe of a recipe, saved before the check has ended, does for another film what was asked, not what was computed', async () => {
  const { page, errors, client } = await atWorkbench('baker');
  await page.getByLabel('What to do').fill('fit in 0.2 MB');
  await page.getByLabel('What to do').press('Enter');
  // Enter chooses when the search has ended, unless the field has lost the focus.
  await page.getByLabel(/^Size/).fill('0.2');
  await page.getByText('Ready.').waitFor();
  await page.getByLabel('Save as a recipe').fill('House style');
  // The check never ends, as on a busy machine.
  await page.route(/\/api\/conversion\?dryRun=true/, () => {});
  await page.getByLabel(/^Size/).fill('0.3');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'House style', level: 1 }).waitFor();
  const bar = page.getByRole('group', { name: 'Save' });
  await bar.getByText('Ready. It becomes version 1.').waitFor();
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('Saved as version 1.').waitFor();
  const [saved, original] = await Promise.all([client.recipe('house-style'), client.recipe('target-size')]);
  expect(saved.arguments).toMatchObject({ size: { type: 'number', default: 0.3 } });
  expect(saved.values).toEqual(original.values);
  expect(saved.request).toEqual(original.request);
  expect(errors).toEqual([]);
});
