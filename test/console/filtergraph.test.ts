import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

test('a mistake in a filtergraph is underlined where it is, and filters and their options are offered', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'graphs');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill('ffmpeg -i in.mp4 -vf "scale=320:-2,gblurr=sigma=2" -an out.mp4');
  await page.getByRole('button', { name: 'Use this command' }).click();

  const editor = page.getByRole('textbox', { name: 'Filtergraph' });
  const underlined = page.locator('.cm-lintRange-error');
  await expect.poll(() => underlined.allTextContents()).toEqual(['gblurr']);
  await page.getByText('The installed ffmpeg has no filter "gblurr".').first().waitFor();
  expect(await editor.getAttribute('aria-invalid')).toBe('true');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }

  // The whole text anew: a filter from the list by the keyboard, its option by the mouse, and out of the editor by Tab.
  await editor.press('ControlOrMeta+a');
  await editor.pressSequentially('scale=320:-2,gblu');
  await page.getByRole('option', { name: /^gblur/ }).waitFor();
  await expectAccessible(page);
  await editor.press('Enter');
  await editor.pressSequentially('=ste');
  await page.getByRole('option', { name: /^steps/ }).click();
  await editor.pressSequentially('2');
  await expect.poll(() => editor.textContent()).toBe('scale=320:-2,gblur=steps=2');
  await editor.press('Tab');
  expect(await editor.evaluate((element) => element.matches(':focus'))).toBe(false);
  await page.getByText('Ready.').waitFor();
  expect(await underlined.count()).toBe(0);
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByText('Completed').waitFor();
  expect((await client.list()).jobs).toMatchObject([{ parameters: { vf: 'scale=320:-2,gblur=steps=2', an: '' } }]);
  // Also none of the Content-Security-Policy.
  expect(errors).toEqual([]);
});
