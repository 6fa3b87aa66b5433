import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a film that is chosen after a reload is uploaded and checked, whatever was uploaded before', async () => {
  const { server } = await start();
  const { page, errors, folder, signIn } = await consoleVisitor(open, server, 'second-visit');
  const elsewhere = join(folder, '..', 'elsewhere');
  await signIn();
  for (const name of ['first.mp4', 'second.mp4', 'third.mp4']) {
    await putClip(elsewhere, '480p', 1, name);
    const checked = page.waitForResponse(/dryRun/);
    // Uploading takes longer than the pause after which the request is checked.
    await page.route('**/api/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH') await checked;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(join(elsewhere, name));
    const card = page.getByRole('article', { name });
    await card.getByText('h264').waitFor();
    await page.getByText(/^about [\d.]+ [kM]?B$/).waitFor();
    expect(await card.innerText()).not.toContain('does not exist');
    expect((await stat(join(folder, name))).size).toBeGreaterThan(0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  }
  expect(errors).toEqual([]);
});
