import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { pictureTaker } from '../support/console-pictures.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip, putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const isState = true;

/** Six pictures of a page take some seconds, and of each preview more. */
const TIMEOUT = 600_000;

/** Opens the workbench with a file of the client, and waits until it can be converted. */
async function openWorkbench(page: Page, url: string, file: string): Promise<void> {
  await page.goto(`${url}/files?file=${file}`);
  await page.getByRole('button', { name: 'Convert…' }).click();
  await page.getByText('Ready.').waitFor();
}

test(
  'a client that has nothing yet is told on each page what will be there and how it comes',
  async () => {
    const { server } = await start();
    const { page, signIn, errors } = await consoleVisitor(open, server, 'newcomer');
    const { look } = pictureTaker(page);
    await page.getByLabel('Client id').fill('newcomer');
    await page.getByLabel('Secret').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await look('sign-in-rejected', { isState });
    await signIn();
    for (const [name, path, text] of [
      ['empty-jobs', '/jobs', 'No jobs yet.'],
      ['empty-recipes', '/recipes', 'You have no recipes of your own yet.'],
      ['empty-files', '/files', 'There are no files yet.'],
      ['empty-webhooks', '/operate/webhooks', 'has no webhooks'],
      ['empty-usage', '/operate/usage', 'Jobs today'],
      ['no-scope', '/operate/clients', 'may not see this page'],
    ] as const) {
      await page.goto(server.url + path);
      await page.getByText(text).waitFor();
      await look(name, { isState, isSettled: name !== 'no-scope' });
    }
    expect(errors).toEqual([]);
  },
  TIMEOUT,
);

test(
  'a page that cannot be read, and one that is not read yet, say so',
  async () => {
    const { server } = await start();
    const { page, signIn } = await consoleVisitor(open, server, 'unlucky', { scopes: ['admin'] });
    const { look } = pictureTaker(page);
    await signIn();
    await page.route('**/api/conversion?*', (route) => route.fulfill({ status: 503, body: 'The service starts.' }));
    await page.goto(`${server.url}/jobs`);
    await page.getByRole('alert').waitFor({ timeout: 60_000 });
    await look('failed-jobs', { isState });
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // Never answered.
    await page.route('**/api/clients*', () => undefined);
    await page.goto(`${server.url}/operate/clients`);
    await page.getByText('The service takes long to reply…').waitFor();
    await look('loading-clients', { isState, isSettled: false });
  },
  TIMEOUT,
);

test(
  'a conversion is put together, mended, looked at, run, and stored as a recipe',
  async () => {
    const { server } = await start();
    const { page, folder, client, signIn, errors } = await consoleVisitor(open, server, 'maker');
    const { look } = pictureTaker(page);
    await putClip(folder, '480p', 8, 'bunny.mp4');
    await signIn();
    await openWorkbench(page, server.url, 'bunny.mp4');
    await page.getByRole('button', { name: 'Paste a command' }).click();
    await page
      .getByRole('textbox', { name: 'Command line of ffmpeg' })
      .fill('ffmpeg -y -i bunny.mp4 -c:v libx264 -tune flm -vf scale=640:-2 out.mp4 > log.txt');
    await page.getByLabel('What cannot be converted').waitFor();
    await look('workbench-paste', { isState });
    await page
      .getByRole('textbox', { name: 'Command line of ffmpeg' })
      .fill('ffmpeg -i bunny.mp4 -c:v libx264 -tune flm -crf 99 -vf scale=640:-2 small.mp4');
    await page.getByRole('button', { name: 'Use this command' }).click();
    await page.getByText('fields have errors.').waitFor();
    await look('workbench-errors', { isState });
    await page.getByRole('button', { name: 'tune: film' }).click();
    await page.getByLabel('Value of crf').fill('35');
    await page.getByText('Ready.').waitFor();
    await page.getByRole('button', { name: 'Show a preview' }).click();
    await page.getByText(/^SSIM 0\.\d{3}: /).waitFor({ timeout: 60_000 });
    await look('workbench-preview');
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await page.getByText('Completed').waitFor();
    await look('workbench-result', { isState });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.goto(`${server.url}/files`);
    await page.getByRole('table', { name: 'Files' }).getByText('small.mp4').waitFor();
    await look('files-root', { isState });
    await openWorkbench(page, server.url, 'bunny.mp4');
    await page.getByLabel('What to do').fill('fit in 8 MB');
    await page
      .getByRole('button', { name: /size in MB/ })
      .first()
      .click();
    await page.getByRole('textbox', { name: /^size/i }).fill('1');
    await page.getByText('Ready.').waitFor();
    await look('workbench-recipe', { isState });
    await client.putRecipe('small', {
      ...{ version: 1, title: 'Small', description: 'A small film.', words: [], outputs: ['mp4'], arguments: {} },
      inputs: [{ role: 'film', description: 'A film.', parameters: { ss: '1' } }],
      request: { parameters: { 'c:v': 'libx264', crf: '35', vf: 'scale=-2:240' } },
    });
    await page.goto(`${server.url}/recipes/small?file=bunny.mp4`);
    await page.getByText('This is what it would do.').waitFor();
    await look('recipe-proposal', { isState });
    const proposed = page.getByRole('list', { name: 'Proposed arguments' }).getByRole('checkbox');
    for (const one of await proposed.all()) await one.check();
    await page.getByRole('group', { name: 'Quality', exact: true }).getByLabel('Default').fill('90');
    await page.getByText('One field has an error.').waitFor();
    await look('recipe-errors', { isState });
    expect(errors).toEqual([]);
  },
  TIMEOUT,
);

test(
  'several sources are joined or converted each by itself',
  async () => {
    const { server } = await start();
    const { page, folder, signIn, errors } = await consoleVisitor(open, server, 'joiner');
    const { look } = pictureTaker(page);
    for (const name of ['one.mp4', 'two.mp4']) await putSmallMovie(folder, 2, name);
    await signIn();
    await openWorkbench(page, server.url, 'one.mp4');
    await page.getByLabel('Or a stored file, or a URL').fill('two.mp4');
    await page.getByLabel('Or a stored file, or a URL').press('Enter');
    await page.getByText('Convert all 2').waitFor();
    // All sources are planned when the user sees the plan.
    await page.getByRole('heading', { name: /^Plan/ }).scrollIntoViewIfNeeded();
    await page.getByText(/^Ready\. All: about /).waitFor();
    await look('workbench-several', { isState });
    expect(errors).toEqual([]);
  },
  TIMEOUT,
);

test(
  'the dialogs of operators say what happens, and what is wrong is said at its field',
  async () => {
    const { server } = await start();
    const { page, signIn, errors } = await consoleVisitor(open, server, 'operator', { scopes: ['admin'] });
    const { look } = pictureTaker(page);
    const dialog = page.getByRole('dialog');
    await signIn();
    await page.goto(`${server.url}/operate/clients`);
    await page.getByRole('button', { name: 'Add a client' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Not a name');
    await dialog.getByText('Own limits').click();
    await dialog.getByLabel('Jobs a day').fill('many');
    await dialog.getByLabel('Media a day').fill('2h');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await look('dialog-errors', { isState });
    await dialog.getByLabel('Name', { exact: true }).fill('shop');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    // The name is right now; what is wrong with a limit is at its field.
    await dialog.getByText('Invalid limit: jobs must be').waitFor();
    expect(await dialog.getByLabel('Jobs a day').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Jobs a day').fill('100');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('tcs_').waitFor();
    await look('dialog-secret', { isState });
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for shop' }).click();
    await page.getByRole('button', { name: 'Revoke shop' }).click();
    await page.getByRole('alertdialog').waitFor();
    await look('dialog-confirm', { isState });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Actions for shop' }).click();
    await page.getByRole('button', { name: 'Change shop' }).click();
    await dialog.getByRole('textbox', { name: 'Folder of its files' }).waitFor();
    await look('dialog-change', { isState });
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.goto(`${server.url}/operate/webhooks`);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await dialog.getByLabel('URL').fill('ftp://example.com');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await look('dialog-webhook', { isState });

    await page.goto(`${server.url}/files`);
    await page.getByRole('button', { name: 'More for this folder' }).click();
    await page.getByRole('button', { name: 'Upload link…' }).click();
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    await dialog.getByRole('button', { name: 'Copy the link' }).waitFor();
    await look('dialog-upload-link', { isState });

    await page.goto(`${server.url}/operate/queue`);
    await page.getByRole('button', { name: 'Pause the queue' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause the queue' }).click();
    await page.getByText('until resumed').waitFor();
    await look('queue-paused', { isState });
    await page.getByRole('button', { name: 'Resume the queue' }).click();
    await page.getByRole('button', { name: 'Pause the queue' }).waitFor();
    expect(errors).toEqual([]);
  },
  TIMEOUT,
);
