import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a file is measured with settings, and a long list is shown to its end', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'listener');
  await mkdir(folder, { recursive: true });
  const still = ['-f', 'lavfi', '-i', 'color=s=16x16:r=50:d=30', '-c:v', 'ffv1'];
  execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', ...still, join(folder, 'still.mkv')]);
  await signIn();
  await page.goto(`${server.url}/files?file=still.mkv`);
  await page.getByRole('button', { name: 'More for this file' }).click();
  await page.getByRole('button', { name: 'Measure…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Measure still.mkv' });
  for (const name of ['freeze', 'duplicates']) await dialog.getByLabel(name, { exact: true }).check();
  await dialog.getByLabel('freeze: minSeconds').fill('0');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Measure', exact: true }).click();
  await dialog.getByRole('alert').or(dialog.getByText(/0\.01/)).first().waitFor();
  await dialog.getByLabel('freeze: minSeconds').fill('0.5');
  await dialog.getByRole('button', { name: 'Measure', exact: true }).click();

  const used = page.getByRole('group', { name: 'Settings used' });
  await expect.poll(() => used.innerText(), { timeout: 30_000 }).toContain('"minSeconds": 0.5');
  await page.getByRole('button', { name: 'Show all 1499 entries of duplicates (1000 are shown above)' }).click();
  const all = page.getByRole('group', { name: 'All entries of duplicates' });
  await expect.poll(async () => (await all.innerText()).split('\n').length).toBe(1499);
  expect(errors).toEqual([]);
});
