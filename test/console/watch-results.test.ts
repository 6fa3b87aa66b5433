import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A file must stay the same for a second, and then be converted. */
const CONVERTED = { timeout: 90_000 };

const REQUEST = { output: 'out/{name}.mkv', parameters: { c: 'copy' } };

/** A signed-in person with the folder `camera/`, and a receiver of webhooks. */
async function person(width?: number) {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const server = await startServer({ env: { ...NO_RATE_LIMITS, TELECINE_WEBHOOK_HOSTS: receiver.host } });
  const visitor = await consoleVisitor(open, server, 'watcher', width === undefined ? {} : { width });
  await mkdir(join(visitor.folder, 'camera'), { recursive: true });
  await visitor.signIn();
  return { ...visitor, server, receiver };
}

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not shown.');
  return box;
};

test('the form of a new watch says where results go, for a file that is there', async () => {
  const { page, errors, server, folder } = await person();
  await page.goto(`${server.url}/watches/new`);
  await page.getByLabel('Folder to watch').fill('camera/');
  const bar = page.getByRole('group', { name: 'Run' });
  const preview = page.getByRole('region', { name: 'What it would do now' });
  const results = page.getByRole('region', { name: 'Where the results go' });
  await page.getByRole('button', { name: /^MP4 for the web/ }).click();
  // Nobody has chosen an output, so the page names that of the service.
  await bar.getByText('Ready. It waits for files.').waitFor();
  await results.getByText('camera/film.mov → out/film.mp4').waitFor();
  await page.getByLabel('Output', { exact: true }).fill('web/{name}-{height}.mp4');
  await results.getByText('camera/film.mov → web/film-1080.mp4').waitFor();
  // Files that are there have their real outputs.
  await putClip(folder, '480p', 1, 'camera/one.mp4');
  await page.getByLabel('Output', { exact: true }).fill('web/{name}_{height}.mp4');
  await preview
    .getByRole('list', { name: 'Files that would be converted' })
    .getByText(/^camera\/one\.mp4 .*web\/one_480\.mp4$/)
    .waitFor();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByText('The file goes into the bin, once all its outputs exist.').waitFor();
  // "More settings" is apart from the first label below it.
  const more = page.getByText('More settings');
  await more.click();
  const name = page.getByText('Name (for yourself)');
  const [above, below] = [await boxOf(more), await boxOf(name)];
  expect(below.y - above.y - above.height).toBeGreaterThanOrEqual(8);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('on a small phone, the form of a new watch fits', async () => {
  const { page, errors, server } = await person(360);
  await page.goto(`${server.url}/watches/new`);
  await page.getByLabel('Folder to watch').fill('camera/');
  await page.getByRole('button', { name: /^MP4 for the web/ }).click();
  const title = await boxOf(page.getByRole('heading', { name: /^MP4 for the web/ }));
  const other = await boxOf(page.getByRole('button', { name: 'Choose another' }));
  expect(other.y).toBeLessThan(title.y + title.height);
  const workbench = await boxOf(page.getByRole('button', { name: 'Set it up in the workbench' }));
  expect(workbench.height).toBeGreaterThanOrEqual(40);
  await expectAccessible(page);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
  expect(errors).toEqual([]);
});

test('the name of an output in the list of deliveries about the jobs of a watch is one line', async () => {
  const { page, errors, server, client, folder, receiver } = await person();
  receiver.answer('/done', (_event, response) => void response.writeHead(410).end());
  await putClip(folder, '480p', 1, 'camera/interview one.mp4');
  const { webhookId } = await client.addWebhook({ url: receiver.url('/done') });
  await client.addWatch({ folder: 'camera/', request: REQUEST, settleSeconds: 1 });
  await page.goto(`${server.url}/operate/webhooks/${webhookId}`);
  const output = page.getByRole('table', { name: 'Deliveries' }).getByRole('link', { name: 'out/interview one.mkv' });
  await output.waitFor(CONVERTED);
  expect((await boxOf(output)).height).toBeLessThan(30);
  expect(errors).toEqual([]);
});

test('the secret of callbacks is folded until it is used, and a copied secret stays as it was broken', async () => {
  const { page, errors, server } = await person();
  await page.goto(`${server.url}/operate/webhooks`);
  const create = page.getByRole('button', { name: 'Create a secret' });
  const fold = page.getByText('Secret for jobs with a callbackUrl: there is none yet');
  await fold.waitFor();
  expect(await create.isVisible()).toBe(false);
  await fold.click();
  await page.getByText('Webhooks do not need this.').waitFor();
  await expectAccessible(page);
  await create.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create a secret' }).click();
  const secret = page.getByRole('dialog').getByText(/^whsec_/);
  const before = await boxOf(secret);
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Copied|Select it)/ })
    .waitFor();
  expect(await boxOf(secret)).toMatchObject({ width: before.width, height: before.height });
  await page.getByRole('button', { name: 'I have stored it' }).click();
  // Once there is one, it is in sight.
  await page.getByRole('heading', { name: 'Callbacks of jobs' }).waitFor();
  await page.getByRole('button', { name: 'New secret' }).waitFor();
  expect(errors).toEqual([]);
});
