import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const FULL = { type: 'about:blank', title: 'Not enough disk space', status: 507, code: 'NO_SPACE', detail: 'Full.' };

test('an upload that the service cannot take says why while it is tried again, and goes on', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'patient');
  const film = join(folder, '..', 'patient-film.mov');
  await mkdir(folder, { recursive: true });
  await writeFile(film, Buffer.alloc(1000));
  await signIn();
  const isCreation = ({ pathname }: URL): boolean => pathname === '/api/uploads';
  const full = { status: 507, contentType: 'application/problem+json', body: JSON.stringify(FULL) };
  let state: 'full' | 'unreachable' | 'well' = 'full';
  await page.route(isCreation, (route) => {
    if (state === 'well') return route.continue();
    return state === 'full' ? route.fulfill(full) : route.abort();
  });
  await page.goto(`${server.url}/files?folder=films/`);
  await page.locator('input[type=file]').setInputFiles(film);
  await page.getByText('The disk of the service is nearly full. Trying again…').waitFor();
  state = 'unreachable';
  await page.getByText('The service cannot be reached. Trying again…').waitFor();
  state = 'well';
  await page.getByText('Uploaded', { exact: true }).waitFor({ timeout: 60_000 });
  expect(await page.getByText('Trying again…').count()).toBe(0);
  expect((await stat(join(folder, 'films/patient-film.mov'))).size).toBe(1000);
  expect(errors).toEqual([]);
});
