import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { createClient } from '../../packages/client/src/client.ts';
import { command } from '../../scripts/setup/command.ts';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const HOUSE_STYLE = {
  ...{ version: 1, title: 'House style', description: 'The format of our pages.', words: [], outputs: ['mp4'] },
  inputs: [{ role: 'film', description: 'A film.' }],
  arguments: {},
  request: { parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '30', vf: 'scale=-2:120' } },
};

async function visitor(name: string, width?: number) {
  const { server } = await start();
  const visited = await consoleVisitor(open, server, name, width === undefined ? {} : { width });
  await putClip(visited.folder, '480p', 1, 'in/clip.mp4');
  return { ...visited, server };
}

/** A person with a recipe, on its page, which tries it with a file. */
async function onRecipe(
  name: string,
  definition: Parameters<ReturnType<typeof createClient>['putRecipe']>[1] = HOUSE_STYLE,
) {
  const visited = await visitor(name);
  await visited.client.putRecipe('house-style', definition);
  await visited.signIn();
  await visited.page.goto(`${visited.server.url}/recipes/house-style?file=in/clip.mp4`);
  await visited.page.getByText('This is what it would do.').waitFor();
  return visited;
}

const saveBar = (page: Page): Locator => page.getByRole('group', { name: 'Save' });
const save = (page: Page): Locator => saveBar(page).getByRole('button', { name: 'Save' });
const argument = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
const optionValue = (page: Page, option: string): Locator => page.getByRole('textbox', { name: `Value of ${option}` });
const trial = (page: Page): Locator => page.getByRole('region', { name: 'Try it' });

test('a finished job becomes a recipe with one argument that has a range and a default, tried once, with four presses and Enter', async () => {
  const { page, errors, client, server, signIn } = await visitor('recipe-of-job');
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', crf: '23', vf: 'scale=-2:120', 'b:a': '96k' };
  const { jobId } = await client.submit({ input: 'in/clip.mp4', output: 'out/clip.mp4', chunks: 'off', parameters });
  await client.wait(jobId);
  await signIn();
  await page.goto(`${server.url}/jobs/${jobId}`);
  let count = 0;
  const press = async (target: Locator) => {
    count += 1;
    await target.click();
  };
  await press(page.getByRole('button', { name: 'More for this job' }));
  await press(page.getByRole('button', { name: 'Save as recipe' }));
  const title = page.getByLabel('Save as a recipe');
  await title.waitFor();
  expect(await title.inputValue()).toBe('Like clip.mp4');
  // What is typed replaces the proposed title.
  await page.keyboard.type('For the shop');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/recipes\/for-the-shop\?new=true&file=/);
  await page.getByText('for-the-shop · not saved yet').waitFor();
  const proposed = page.getByRole('list', { name: 'Proposed arguments' });
  await proposed.getByText('Now 23, can be 18 to 28 · crf').waitFor();
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  // It stays in a reload, and nothing is stored.
  await page.reload();
  await proposed.getByText('Now 23, can be 18 to 28 · crf').waitFor();
  await expect(client.recipe('for-the-shop')).rejects.toMatchObject({ status: 404 });
  expect(await proposed.getByRole('checkbox').count()).toBe(3);
  expect(await proposed.getByRole('checkbox', { checked: true }).count()).toBe(0);
  // What is lost is said.
  await page.getByText('Not in the recipe, because it is sent with each request: chunks.').waitFor();
  await expectAccessible(page);
  await press(proposed.getByRole('checkbox', { name: /^Quality/ }));
  await argument(page, 'Quality').getByLabel('Default').waitFor();
  // It is tried with the source of the job, as it is now and before it is saved.
  await trial(page).getByText('This is what it would do.').waitFor();
  expect(await trial(page).getByRole('combobox', { name: 'A file to try it with' }).inputValue()).toBe('in/clip.mp4');
  // The range is said before a wrong value is sent.
  await trial(page).getByText('18 to 28, default 23.').waitFor();
  await trial(page).getByRole('textbox', { name: 'Quality' }).fill('28');
  await expect.poll(() => trial(page).getByRole('group', { name: 'Command' }).textContent()).toContain('-crf 28');
  await press(save(page));
  await saveBar(page).getByText('Saved as version 1.').waitFor();
  await page.waitForURL(/\/recipes\/for-the-shop\?file=[^&]*$/);
  expect(count).toBe(4);
  const saved = await client.recipe('for-the-shop');
  expect(saved).toMatchObject({
    ...{ version: 1, title: 'For the shop', description: 'For the shop. Made from the job that wrote out/clip.mp4.' },
    arguments: { quality: { type: 'number', min: 18, max: 28, default: 23 } },
    request: { parameters: { ...parameters, crf: '{{quality}}' } },
  });
  expect(Object.keys(saved.arguments)).toEqual(['quality']);
  await expectAccessible(page);
  // The next change is another version of what is stored.
  await page.getByLabel('Title').fill('For the lobby');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  expect(errors).toEqual([]);
});

test('each proposal becomes an argument at its tick, and what it was when the tick is removed', async () => {
  const { page, errors } = await onRecipe('recipe-proposals', {
    ...{ ...HOUSE_STYLE, request: { parameters: { ...HOUSE_STYLE.request.parameters, vf: 'scale=640:360' } } },
  });
  const proposal = (name: RegExp): Locator =>
    page.getByRole('list', { name: 'Proposed arguments' }).getByRole('checkbox', { name });
  await proposal(/^Height/).check();
  await proposal(/^Width/).check();
  expect(await optionValue(page, 'vf').inputValue()).toBe('scale={{width}}:{{height}}');
  await proposal(/^Height/).uncheck();
  expect(await optionValue(page, 'vf').inputValue()).toBe('scale={{width}}:360');
  await argument(page, 'Height').waitFor({ state: 'detached' });
  // What has become of a proposal under another name is decided there.
  await argument(page, 'Width').getByLabel('Name', { exact: true }).fill('breadth');
  await argument(page, 'Width').getByLabel('Name', { exact: true }).press('Enter');
  await argument(page, 'Breadth').waitFor();
  expect([await proposal(/^Width/).isChecked(), await proposal(/^Width/).isEnabled()]).toEqual([true, false]);
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  // What is removed is not proposed any more, and comes back with it.
  await page.getByRole('button', { name: 'Remove vf' }).click();
  await proposal(/^Width/).waitFor({ state: 'detached' });
  expect(await proposal(/^Height/).count()).toBe(0);
  expect(await proposal(/^Quality/).isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await proposal(/^Height/).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const heading = page.getByRole('heading', { name: 'Arguments', exact: true });
  expect(await heading.evaluate((one) => one.matches(':focus'))).toBe(true);
  expect(await page.getByRole('list', { name: 'Proposed arguments' }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('each value of the options becomes an argument by one press, and what is wrong is said at its field', async () => {
  const { page, errors, client } = await onRecipe('recipe-arguments');
  await page.getByRole('button', { name: 'None of these' }).click();
  await page.getByRole('button', { name: 'Make 120 an argument (height of scale)' }).click();
  // The pressed button has gone, and the keyboard goes on in the field.
  const option = optionValue(page, 'vf');
  expect(await option.evaluate((field) => field.matches(':focus'))).toBe(true);
  expect(await option.inputValue()).toBe('scale=-2:{{height}}');
  const height = argument(page, 'Height');
  await height.getByLabel('From').fill('many');
  await height.getByText(/must be a number/).waitFor();
  await saveBar(page).getByText('One field has an error.').waitFor();
  expect(await save(page).getAttribute('aria-disabled')).toBe('true');
  await saveBar(page).getByRole('button', { name: 'Show' }).click();
  expect(await height.getByLabel('From').evaluate((field) => field.matches(':focus'))).toBe(true);
  await height.getByLabel('From').fill('90');
  await height.getByLabel('To').fill('240');
  await height.getByLabel('Default').fill('480');
  await height.getByText('The default of "height" must be a whole number from 90 to 240.').waitFor();
  // The trial says why it has no plan, and does not offer the wrong default.
  await trial(page).getByText('There is no plan: the recipe has an error.').waitFor();
  const shown = await trial(page).getByRole('textbox', { name: 'Height' }).getAttribute('placeholder');
  expect(shown).not.toContain('480');
  await height.getByLabel('Default').fill('180');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  expect(await height.getByLabel('Unit').inputValue()).toBe('px');
  // What a trial sends is no part of the recipe.
  await trial(page).getByRole('textbox', { name: 'Height' }).fill('600');
  await trial(page).getByText('Height must be a whole number from 90 to 240, not "600".').waitFor();
  await expectAccessible(page);
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await trial(page).getByRole('textbox', { name: 'Height' }).fill('200');
  await expect.poll(() => trial(page).getByRole('group', { name: 'Command' }).textContent()).toContain('h=200');
  // An option that ffmpeg does not take is wrong at the option, and its fix is one press away.
  await optionValue(page, 'preset').fill('ultrafst');
  await page.getByRole('button', { name: 'Use ultrafast' }).click();
  expect(await optionValue(page, 'preset').inputValue()).toBe('ultrafast');
  await height.getByLabel('Name', { exact: true }).fill('lines');
  await height.getByLabel('Name', { exact: true }).press('Enter');
  await argument(page, 'Lines').waitFor();
  expect(await option.inputValue()).toBe('scale=-2:{{lines}}');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await save(page).click();
  await page.getByText('Saved as version 2.').waitFor();
  expect(await client.recipe('house-style')).toMatchObject({
    arguments: { lines: { type: 'number', min: 90, max: 240, default: 180, unit: 'px' } },
    request: { parameters: { preset: 'ultrafast', vf: 'scale=-2:{{lines}}' } },
  });
  expect(errors).toEqual([]);
});

test('an argument gets another type and choices, and one that is removed leaves its default', async () => {
  const quality = { type: 'number', min: 18, max: 30, default: 23, description: 'The quality.' } as const;
  const parameters = { ...HOUSE_STYLE.request.parameters, crf: '{{quality}}' };
  const { page, errors, client } = await onRecipe('recipe-choices', {
    ...{ ...HOUSE_STYLE, arguments: { quality }, request: { parameters } },
  });
  const shown = argument(page, 'Quality');
  await shown.getByLabel('Type').selectOption('Choice');
  await shown.getByLabel('Another choice').fill('small');
  await shown.getByRole('button', { name: 'Add', exact: true }).click();
  await shown.getByLabel('small', { exact: true }).fill('35');
  await expectAccessible(page);
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await trial(page).getByRole('combobox', { name: 'Quality' }).selectOption('small');
  await expect.poll(() => trial(page).getByRole('group', { name: 'Command' }).textContent()).toContain('-crf 35');
  await page.getByRole('button', { name: 'Remove the argument Quality' }).click();
  const crf = optionValue(page, 'crf');
  expect(await crf.inputValue()).toBe('23');
  await page.getByText('Quality is not an argument any more: it is always 23.').waitFor();
  await page.keyboard.press('Control+Z');
  expect(await crf.inputValue()).toBe('{{quality}}');
  await save(page).click();
  await page.getByText('Saved as version 2.').waitFor();
  expect((await client.recipe('house-style')).arguments).toEqual({
    quality: { type: 'choice', choices: { 23: '23', small: '35' }, default: '23', description: 'The quality.' },
  });
  expect(errors).toEqual([]);
});

test('a recipe is found by its new words, and is used in the workbench for another file, with the values of its trial', async () => {
  const { page, errors, client, folder } = await onRecipe('recipe-words');
  await page.getByRole('button', { name: 'Make this an argument: Value of crf' }).click();
  await page.getByLabel('Title').fill('For the lobby');
  await page
    .getByRole('region', { name: 'About the recipe' })
    .getByLabel('Description')
    .fill('The format of the screen in the lobby.');
  await page.getByLabel(/^Search words/).fill('foyer, entrance hall');
  await trial(page).getByRole('textbox', { name: 'Quality' }).fill('25');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await page.getByRole('button', { name: 'Save and use it' }).click();
  await page.getByRole('heading', { name: 'For the lobby' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Quality' }).inputValue()).toBe('25');
  await page.getByText('18 to 30, default 30.').waitFor();
  // The file of the trial is not the one that the person comes to convert.
  expect(await page.getByRole('article', { name: 'in/clip.mp4' }).count()).toBe(0);
  await putClip(folder, '480p', 1, 'in/other.mp4');
  await page.getByLabel('Or a stored file, or a URL').fill('in/other.mp4');
  await page.getByLabel('Or a stored file, or a URL').press('Enter');
  await page.getByRole('article', { name: 'in/other.mp4' }).waitFor();
  await page.getByText(/^Ready\./).waitFor();
  expect((await client.recipes({ q: 'entrance hall' })).recipes[0]).toMatchObject({
    name: 'house-style',
    title: 'For the lobby',
  });
  await page.getByRole('link', { name: 'Edit this recipe' }).click();
  await page.getByRole('heading', { name: 'For the lobby', level: 1 }).waitFor();
  expect(errors).toEqual([]);
});

needs(
  'ffmpeg',
  'Chromium',
  'curl',
)('the command with which a program uses a recipe converts a file as it is copied', async () => {
  const quality = { type: 'number', min: 18, max: 40, default: 35, description: 'The quality.' } as const;
  const { page, context, client, credentials } = await onRecipe('recipe-curl', {
    ...{ ...HOUSE_STYLE, arguments: { quality } },
    request: { parameters: { ...HOUSE_STYLE.request.parameters, crf: '{{quality}}' } },
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('Show the command that uses it').click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain('"quality": 35');
  const said = await command('bash', ['-ec', copied], { TELECINE_CLIENT_SECRET: credentials.clientSecret });
  const { jobId } = Object(JSON.parse(said.text));
  expect(await client.wait(String(jobId))).toMatchObject({ status: 'COMPLETED', preset: { name: 'house-style' } });
});

test('a recipe that is not stored yet gets another name at its save, and is not lost by a click', async () => {
  const { page, errors, client, server, signIn } = await visitor('recipe-new');
  await signIn();
  await page.goto(`${server.url}/files?file=in/clip.mp4`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByLabel('Save as a recipe').fill('For the shop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Your recipes' }).click();
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await page.getByLabel('Name in requests').fill('lobby');
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  await save(page).click();
  await page.waitForURL(/\/recipes\/lobby/);
  await saveBar(page).getByText('Saved as version 1.').waitFor();
  expect((await client.recipes({})).recipes.filter(({ source }) => source === 'own')).toMatchObject([
    { name: 'lobby', version: 1, title: 'For the shop' },
  ]);
  await page.reload();
  await page.getByText('lobby · version 1').waitFor();
  expect(errors).toEqual([]);
});

test('while another file is typed for the trial, the recipe can be saved and nothing is red', async () => {
  const { page, errors, client } = await onRecipe('recipe-trial');
  await page.getByLabel('Title').fill('For the lobby');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  const arrived = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  await page.route(/house-style\/dry-run/, async (route) => {
    arrived.resolve();
    await looked.promise;
    await route.continue();
  });
  await trial(page).getByRole('combobox', { name: 'A file to try it with' }).fill('in/');
  await arrived.promise;
  // The list of files covers the page.
  await page.keyboard.press('Escape');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await save(page).click();
  await saveBar(page).getByText('Saved as version 2.').waitFor();
  expect(await client.recipe('house-style')).toMatchObject({ version: 2, title: 'For the lobby' });
  looked.resolve();
  await trial(page).getByText('Choose a file to see what it would do.').waitFor();
  expect(await trial(page).locator('[data-kind="error"]').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a recipe gets another name, and its deletion and its name are undone', async () => {
  const { page, errors, client, server } = await onRecipe('recipe-names');
  await client.createFolder('drop');
  const request = { output: 'out/{name}.mp4', preset: { name: 'house-style' } };
  await client.addWatch({ folder: 'drop/', name: 'incoming', request });
  await page.reload();
  await page.getByRole('link', { name: 'incoming' }).waitFor();
  const name = page.getByLabel('Name in requests');
  await name.fill('House Style');
  await page.getByText(/must be lower-case words with hyphens/).waitFor();
  await name.fill('gif');
  await saveBar(page).getByText('All clients have a recipe "gif". Choose another name.').waitFor();
  await name.fill('lobby');
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  await save(page).click();
  await page
    .getByText('Renamed to lobby. Programs that name house-style must name lobby. incoming: this watch')
    .waitFor();
  await page.waitForURL(/\/recipes\/lobby/);
  await expect(client.recipe('house-style')).rejects.toMatchObject({ status: 404 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Renamed back to house-style.').waitFor();
  await page.waitForURL(/\/recipes\/house-style/);
  await expect(client.recipe('lobby')).rejects.toMatchObject({ status: 404 });

  await page.getByRole('button', { name: 'More for this recipe' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Deleted recipe' }).waitFor();
  await page.getByText('incoming: this watch converts with it, and cannot until it is back.').waitFor();
  await expect(client.recipe('house-style')).rejects.toMatchObject({ status: 404 });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'House style', level: 1 }).waitFor();
  expect(await client.recipe('house-style')).toMatchObject(HOUSE_STYLE);

  await page.goto(`${server.url}/recipes`);
  const table = page.getByRole('table', { name: 'Your recipes' });
  await table.getByRole('row').filter({ hasText: 'House style' }).waitFor();
  await page.getByRole('button', { name: 'Actions for House style' }).click();
  await page.getByRole('button', { name: 'Delete House style' }).click();
  await page.getByText('You have no recipes of your own yet.').waitFor();
  await page.keyboard.press('Control+Z');
  await table.getByRole('row').filter({ hasText: 'House style' }).waitFor();
  expect(await client.recipe('house-style')).toMatchObject(HOUSE_STYLE);
  expect(errors).toEqual([]);
});

test('a version that a program has stored meanwhile is replaced only if the person wants that', async () => {
  const { page, errors, client } = await onRecipe('recipe-conflict');
  await client.putRecipe('house-style', { ...HOUSE_STYLE, version: 4, title: 'By a program' });
  await page.getByLabel('Title').fill('By a person');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await save(page).click();
  await page.getByText(/has version 4 with other content/).waitFor();
  expect(await client.recipe('house-style')).toMatchObject({ version: 4, title: 'By a program' });
  await page.getByRole('button', { name: 'Replace the version that is stored now' }).click();
  await page.getByText('Saved as version 5.').waitFor();
  expect(await client.recipe('house-style')).toMatchObject({ version: 5, title: 'By a person' });
  expect(errors).toEqual([]);
});

test('what is typed while a recipe is saved stays, and a page with changes is left only if the person wants that', async () => {
  const { page, errors, client } = await onRecipe('recipe-typing');
  const title = page.getByLabel('Title');
  const { arrived, release } = await holdSave(page, 'house-style');
  await title.fill('For the lobby');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await save(page).click();
  await arrived;
  await title.fill('For the foyer');
  release();
  await saveBar(page).getByText('Ready. It becomes version 3.').waitFor();
  expect(await title.inputValue()).toBe('For the foyer');
  expect(await client.recipe('house-style')).toMatchObject({ version: 2, title: 'For the lobby' });
  const back = page.getByRole('main').getByRole('link', { name: 'Your recipes' });
  await back.click();
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await dialog.waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await title.inputValue()).toBe('For the foyer');
  await back.click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('table', { name: 'Your recipes' }).waitFor();
  expect(errors).toEqual([]);
});

/** Holds what the page stores under a name, until `release` is called. */
async function holdSave(page: Page, name: string) {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(new RegExp(`recipes/${name}$`), async (route) => {
    if (route.request().method() === 'PUT') {
      arrived.resolve();
      await released.promise;
    }
    await route.continue();
  });
  return { arrived: arrived.promise, release: () => released.resolve() };
}

test('a save goes on while something is typed, and says why it fails', async () => {
  const { page, errors, client } = await onRecipe('recipe-late-conflict');
  await client.putRecipe('house-style', { ...HOUSE_STYLE, version: 4, title: 'By a program' });
  const { arrived, release } = await holdSave(page, 'house-style');
  await page.getByLabel('Title').fill('By a person');
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await save(page).click();
  await arrived;
  await page.getByLabel('Title').fill('By this person');
  await saveBar(page).getByText('Saving…').waitFor();
  expect(await save(page).getAttribute('aria-disabled')).toBe('true');
  release();
  await page.getByText(/has version 4 with other content/).waitFor();
  // The reason goes once something is changed because of it.
  await page.getByLabel('Title').fill('By them');
  await page.getByText(/has version 4 with other content/).waitFor({ state: 'detached' });
  expect(await client.recipe('house-style')).toMatchObject({ version: 4, title: 'By a program' });
  expect(errors).toEqual([]);
});

test('a fix that is pressed while a recipe gets another name stays, and the name too', async () => {
  const parameters = { ...HOUSE_STYLE.request.parameters, t: '5', to: '9' };
  const { page, errors, client } = await onRecipe('recipe-late-fix', { ...HOUSE_STYLE, request: { parameters } });
  const { arrived, release } = await holdSave(page, 'lobby');
  await page.getByLabel('Name in requests').fill('lobby');
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  await save(page).click();
  await arrived;
  await page.getByRole('group', { name: 'Of the output' }).getByRole('button', { name: 'Remove to' }).last().click();
  await optionValue(page, 'to').waitFor({ state: 'detached' });
  release();
  await page.waitForURL(/\/recipes\/lobby/);
  await page.getByText('Renamed to lobby.').waitFor();
  expect(await client.recipe('lobby')).toMatchObject({ version: 1, request: { parameters: { t: '5', to: '9' } } });
  expect(await optionValue(page, 'to').count()).toBe(0);
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  await save(page).click();
  await page.getByText('Saved as version 2.').waitFor();
  expect(Object.keys((await client.recipe('lobby')).request.parameters)).not.toContain('to');
  await expect(client.recipe('house-style')).rejects.toMatchObject({ status: 404 });
  expect(errors).toEqual([]);
});

test('a page that is left while a recipe gets another name does not come back', async () => {
  const { page, errors } = await onRecipe('recipe-left');
  const { arrived, release } = await holdSave(page, 'lobby');
  await page.getByLabel('Name in requests').fill('lobby');
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  await save(page).click();
  await arrived;
  await page.getByRole('main').getByRole('link', { name: 'Your recipes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  const table = page.getByRole('table', { name: 'Your recipes' });
  await table.getByText('house-style').waitFor();
  release();
  await table.getByText('lobby').waitFor();
  await table.getByText('house-style').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/recipes');
  expect(errors).toEqual([]);
});

test('a warning about an option is at the option, and its button changes the recipe', async () => {
  const parameters = { ...HOUSE_STYLE.request.parameters, t: '5', to: '9' };
  const { page, errors } = await onRecipe('recipe-warning', { ...HOUSE_STYLE, request: { parameters } });
  await page.getByRole('group', { name: 'Of the output' }).getByRole('button', { name: 'Remove to' }).last().click();
  await optionValue(page, 'to').waitFor({ state: 'detached' });
  await saveBar(page).getByText('Ready. It becomes version 2.').waitFor();
  expect(errors).toEqual([]);
});

test('a file that was not read in time is tried again without a click, and another file does not show its plan', async () => {
  const { page, errors, folder } = await onRecipe('recipe-late');
  await putClip(folder, '480p', 1, 'in/other.mp4');
  const shown = trial(page).getByRole('group', { name: 'Command' });
  expect(await shown.textContent()).toContain('clip-house-style.mp4');
  let count = 0;
  const arrived = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<void>();
  await page.route(/house-style\/dry-run/, async (route) => {
    count += 1;
    arrived.resolve();
    await looked.promise;
    const response = await route.fetch();
    const { warnings = [], ...plan } = await response.json();
    const notRead = { field: '/request/input', code: 'INPUT_NOT_READ', message: 'Too slow.', retryAfterSeconds: 1 };
    await route.fulfill({ response, json: { ...plan, warnings: count > 1 ? warnings : [...warnings, notRead] } });
  });
  await trial(page).getByRole('combobox', { name: 'A file to try it with' }).fill('in/other.mp4');
  await arrived.promise;
  expect(await shown.count()).toBe(0);
  looked.resolve();
  await expect.poll(() => count).toBe(2);
  expect(await shown.textContent()).toContain('other-house-style.mp4');
  expect(errors).toEqual([]);
});

test('a recipe that a program has stored meanwhile is not lost by another name', async () => {
  const { page, client } = await onRecipe('recipe-renames');
  await client.putRecipe('house-style', { ...HOUSE_STYLE, version: 4, title: 'By a program' });
  await page.getByLabel('Name in requests').fill('lobby');
  await saveBar(page).getByText('Ready. It becomes version 1.').waitFor();
  await save(page).click();
  await page.getByText(/has version 4 now, and this page shows version 1/).waitFor();
  expect(await client.recipe('house-style')).toMatchObject({ version: 4, title: 'By a program' });
  await expect(client.recipe('lobby')).rejects.toMatchObject({ status: 404 });
});

test('a client without recipes is told how one comes, and sees none of another client', async () => {
  const { page, errors, server, signIn, client } = await visitor('recipe-newcomer');
  const stranger = await visitor('recipe-stranger');
  await stranger.client.putRecipe('house-style', HOUSE_STYLE);
  await signIn();
  await page.getByRole('link', { name: 'Your recipes' }).click();
  await page.getByText('You have no recipes of your own yet.').waitFor();
  // The navigation says where the user is: recipes belong to the workbench.
  const pages = page.getByRole('navigation', { name: 'Pages' });
  expect(await pages.locator('[aria-current]').allInnerTexts()).toEqual(['Workbench']);
  await expectAccessible(page);
  // The main action needs no finished job.
  await page.getByRole('link', { name: 'Make one in the workbench' }).click();
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'finished job' }).click();
  await page.waitForURL(/\/jobs\?status=COMPLETED$/);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Search pages/ }).fill('your rec');
  await page.getByRole('option', { name: 'Your recipes' }).click();
  await page.getByText('You have no recipes of your own yet.').waitFor();
  await page.goto(`${server.url}/recipes/house-style`);
  await page.getByText('There is no recipe "house-style".').waitFor();
  // A recipe of the service can be used, and not changed.
  await page.goto(`${server.url}/recipes`);
  await page.getByRole('link', { name: /^Animated GIF/ }).click();
  await page.getByText(/^All clients have this recipe of the service/).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await client.putRecipe('mine', HOUSE_STYLE);
  await page.goto(`${server.url}/recipes`);
  await page.getByText('Only the client recipe-newcomer can use and see these.').waitFor();
  expect(await page.getByRole('table', { name: 'Your recipes' }).getByRole('rowheader').count()).toBe(1);
  expect(errors).toEqual([]);
});

test('on a phone, the pages of recipes fit, and the button that saves stays in sight', async () => {
  const { page, errors, client, signIn, server } = await visitor('recipe-phone', 390);
  await client.putRecipe('house-style', {
    ...HOUSE_STYLE,
    title: 'A recipe with a very long title that goes on and on and on and on',
    arguments: {
      quality: { type: 'number', min: 18, max: 40, default: 35, description: 'The quality.' },
      look: { type: 'choice', choices: { plain: 'null', mirrored: 'hflip' }, description: 'The look.' },
    },
  });
  await signIn();
  for (const path of ['/recipes', '/recipes/house-style?file=in/clip.mp4']) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (path.includes('file')) await page.getByText('This is what it would do.').waitFor();
    await expectAccessible(page);
    expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  // The main action fills a line with the menu, and the long form is folded.
  const use = await page.getByRole('button', { name: 'Use this recipe' }).boundingBox();
  const menu = await page.getByRole('button', { name: 'More for this recipe' }).boundingBox();
  expect(use?.y).toBe(menu?.y);
  expect(use?.width).toBeGreaterThan(250);
  expect(await page.getByLabel('Name in requests').isVisible()).toBe(false);
  await page.getByText('Edit it').click();
  await expectAccessible(page);
  for (const place of [argument(page, 'Look'), optionValue(page, 'crf'), page.getByLabel('Name in requests')]) {
    await place.scrollIntoViewIfNeeded();
    const box = await save(page).boundingBox();
    expect(box?.y).toBeGreaterThan(400);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
  }
  // What a recipe without arguments is asked is not folded, and an error opens the form.
  await client.putRecipe('plain', { ...HOUSE_STYLE, arguments: {} });
  await page.goto(`${server.url}/recipes/plain?file=in/clip.mp4`);
  await page.getByText('This is what it would do.').waitFor();
  await page.getByRole('heading', { name: 'What changes from file to file?' }).waitFor();
  expect(await page.getByLabel('Name in requests').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'None of these' }).click();
  expect(await page.getByText('Edit it').evaluate((one) => one.matches(':focus'))).toBe(true);
  await page.getByText('Edit it').click();
  await page.getByLabel('Title').fill('');
  await page.getByText('One field has an error.').waitFor();
  await page.getByText('Edit it').click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByLabel('Title').waitFor();
  expect(errors).toEqual([]);
});

test('a recipe of the service shows what it does with its arguments and settings, and leads to the workbench', async () => {
  const { page, context, errors, server, signIn } = await visitor('recipe-of-service');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn();
  await page.goto(`${server.url}/recipes/watermark`);
  const steps = page.getByRole('list', { name: 'What the recipe does' });
  await steps.getByText('The image, best as PNG with transparency.').waitFor();
  await steps.getByText('H.264 (libx264)').waitFor();
  await steps.getByText('overlay', { exact: true }).waitFor();
  await steps.getByText('film.mp4').waitFor();
  const opacity = page.getByRole('table', { name: 'Arguments' }).getByRole('row').filter({ hasText: 'opacity' });
  expect(await opacity.getByRole('cell').allInnerTexts()).toEqual([
    '0.8',
    '0 to 1',
    'From 0, invisible, to 1, opaque.',
  ]);
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByText('libx264', { exact: true }).waitFor();
  await settings.getByText('Quality of the video').waitFor();
  await expectAccessible(page);
  // What is copied is what is shown; the command is folded.
  await page.getByRole('button', { name: 'Copy the request' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
    await page.getByRole('group', { name: 'Request with the recipe' }).textContent(),
  );
  await page.getByText('Show the command that sends it').click();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toMatch(/api\/conversion[\s\S]*"name": "watermark"/);
  await page.getByRole('link', { name: 'Use this recipe' }).click();
  await page.getByRole('heading', { name: 'Logo or watermark' }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${server.url}/recipes/gif`);
  await page.getByRole('region', { name: 'Settings' }).getByText('Show the 4 settings').click();
  await page.getByText('With size:').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
  expect(errors).toEqual([]);
});
