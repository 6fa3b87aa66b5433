import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** A signed-in person with a finished job, which has written `out/film.mp4`. */
async function visitorWithResult(name: string) {
  const { server } = await start();
  const visitor = await consoleVisitor(open, server, name);
  const { client, page, context, folder, signIn } = visitor;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await putSmallMovie(folder, 2, 'in.mp4');
  const { jobId } = await client.submit({ input: 'in.mp4', output: 'out/film.mp4', parameters: { c: 'copy' } });
  await client.wait(jobId);
  await signIn();
  return {
    ...{ ...visitor, server, jobId },
    copied: () => page.evaluate<string>('navigator.clipboard.readText()'),
    /** The links on the page of the job. */
    atJob: page.getByRole('article', { name: 'Result' }).getByRole('region', { name: 'Links' }),
  };
}

test('an editor shares a result for a day, sees its download, and takes it back', async () => {
  const { server, page, errors, credentials, jobId, copied, atJob } = await visitorWithResult('sharing-editor');
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('article', { name: 'Result' }).getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share out/film.mp4' });
  await dialog.getByLabel('The link works for').selectOption('1 day');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Copy the link' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await copied();
  expect(link).toMatch(new RegExp(`^${server.url}/s/tcl_`));
  const end = dialog.getByRole('status').filter({ hasText: 'The link works until' }).locator('time');
  expect(await end.textContent()).toMatch(/^[A-Z][a-z]{2} \d+,.* \d+:\d\d:\d\d/);
  const links = dialog.getByRole('region', { name: 'Links' });
  await links.getByText(`by ${credentials.clientId} · ends in 1 d · no download counted`).waitFor();
  // This tab can copy it again, below.
  await dialog.getByText('Only this tab can copy it again').waitFor();
  await links.getByRole('button', { name: /^Copy link to film.mp4 / }).waitFor();
  await expectAccessible(page);

  expect((await fetch(link)).status).toBe(200);
  await links.getByText('downloaded once').waitFor();
  await links.getByRole('button', { name: /^Revoke the link to film.mp4 \(created / }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('The link stops working at once, for everyone who has it. This cannot be undone').waitFor();
  await question.getByRole('button', { name: 'Revoke' }).click();
  const trace = new RegExp(`^Revoked on .* by ${credentials.clientId} · downloaded once$`);
  await links.getByText(trace).waitFor();
  expect(await links.getByRole('button').count(), 'a revoked link cannot be copied').toBe(0);
  await dialog.getByRole('button', { name: 'Create link' }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Copy the link' }).count(), 'nor just above the list').toBe(0);

  const dead = await fetch(link, { headers: { accept: 'text/html' } });
  expect([dead.status, await dead.text()]).toEqual([410, expect.stringContaining('The link was revoked.')]);
  // The record stays on the page of the job.
  await page.reload();
  await atJob.getByText(trace).waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the links to a file are at its job and at the file, and lead to all links', async () => {
  const { server, page, errors, client, jobId, copied, atJob } = await visitorWithResult('links-everywhere');
  const made = await client.share({ path: 'out/film.mp4', note: 'for Ada' });
  await client.share({ path: 'in.mp4' });
  await page.goto(`${server.url}/jobs/${jobId}`);
  await atJob.getByText('film.mp4 · for Ada').waitFor();
  expect(await atJob.getByRole('listitem').count(), 'not that of another file').toBe(1);
  // The service keeps no address, so only the tab that has made a link can copy it.
  expect(await atJob.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
  await atJob.getByText('To send it again, create a new link.').waitFor();

  // The list of files says which of them have links, and leads to them.
  await page.goto(`${server.url}/files`);
  await page.getByRole('link', { name: '1 shared link to in.mp4' }).click();
  await page.getByRole('region', { name: 'Details of in.mp4' }).getByRole('region', { name: 'Links' }).waitFor();
  await expectAccessible(page);
  await page.goto(`${server.url}/files?view=thumbnails`);
  await page.getByRole('link', { name: /^in\.mp4.* 1 shared link/ }).waitFor();
  await expectAccessible(page);

  await page.goto(`${server.url}/files?folder=out/&file=out/film.mp4`);
  const count = page.getByRole('table', { name: 'Files' }).getByRole('link', { name: / shared links? to film\.mp4$/ });
  expect(await count.getAttribute('aria-label')).toBe('1 shared link to film.mp4');
  const details = page.getByRole('region', { name: 'Details of out/film.mp4' });
  const atFile = details.getByRole('region', { name: 'Links' });
  await atFile.getByText('film.mp4 · for Ada').waitFor();
  await details.getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share film.mp4' });
  await dialog.getByRole('region', { name: 'Links' }).getByText('for Ada').waitFor();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => atFile.getByRole('listitem').count()).toBe(2);
  await expect.poll(() => count.getAttribute('aria-label')).toBe('2 shared links to film.mp4');
  // Also after a reload.
  await page.reload();
  await atFile.getByRole('button', { name: /^Copy link to film.mp4 \(created / }).click();
  await atFile.getByRole('button', { name: 'Copied' }).waitFor();
  expect((await fetch(await copied())).status).toBe(200);
  await expectAccessible(page);

  await client.revokeShare(made.shareId);
  await atFile.getByRole('link', { name: 'All links' }).click();
  const rows = page.getByRole('table', { name: 'Shared links' }).getByRole('row');
  await rows.filter({ hasText: 'in.mp4' }).waitFor();
  expect(await rows.filter({ hasText: 'for Ada' }).count()).toBe(0);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await rows
    .filter({ hasText: 'for Ada' })
    .getByText(/^Revoked on .* by links-everywhere/)
    .waitFor();
  await expectAccessible(page);

  // Where there is no link yet, the menus lead there.
  for (const [address, menu] of [
    [`/jobs/${jobId}`, 'More for this job'],
    ['/files', 'More for this folder'],
  ] as const) {
    await page.goto(server.url + address);
    await page.getByRole('button', { name: menu }).click();
    await page.locator('[popover]:popover-open').getByRole('link', { name: 'All links' }).click();
    await page.getByRole('heading', { name: 'Shared links' }).waitFor();
  }
  expect(errors).toEqual([]);
});

test('an administrator revokes a link to a job of another client, and its owner sees who did it', async () => {
  const { server, page, client, jobId, atJob } = await visitorWithResult('owner-of-links');
  await client.share({ jobId });
  const operator = await consoleVisitor(open, server, 'operator-of-links', { scopes: ['admin'] });
  await operator.signIn();
  await operator.page.goto(`${server.url}/jobs/${jobId}`);
  const links = operator.page.getByRole('region', { name: 'Links' });
  await links.getByText('by owner-of-links').waitFor();
  await links.getByRole('button', { name: /^Revoke the link to film.mp4 \(created / }).click();
  await operator.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  const trace = /^Revoked on .* by operator-of-links · no download counted$/;
  await links.getByText(trace).waitFor();
  await page.goto(`${server.url}/jobs/${jobId}`);
  await atJob.getByText(trace).waitFor();
  expect([...operator.errors, ...(await atJob.getByRole('button').allTextContents())]).toEqual([]);
});

test('a link that works is shown also if many newer ones have ended, and a list that cannot be read says so', async () => {
  const { server, page, client, jobId, atJob } = await visitorWithResult('many-links');
  const made = await client.share({ path: 'out/film.mp4', note: 'the oldest' });
  for (let count = 0; count < 21; count += 1) {
    const { shareId } = await client.share({ jobId });
    await client.revokeShare(shareId);
  }
  await page.goto(`${server.url}/jobs/${jobId}`);
  await atJob.getByText('film.mp4 · the oldest').waitFor();
  await atJob.getByRole('button', { name: 'Revoke the link to film.mp4 (the oldest)' }).click();
  const question = page.getByRole('alertdialog', { name: 'Revoke the link to film.mp4 (the oldest)?' });
  await question.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`${server.url}/operate/shares`);
  await page.getByRole('button', { name: 'Revoke the link to out/film.mp4 (the oldest)' }).waitFor();

  const problem = { type: 'about:blank', title: 'No', status: 400, code: 'INVALID_REQUEST', detail: 'Not today.' };
  await page.route(/\/api\/shares\?/, (route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await page.goto(`${server.url}/jobs/${jobId}`);
  await page.getByRole('alert').filter({ hasText: 'The list of links could not be loaded' }).waitFor();
  expect((await client.shares()).shares.map(({ shareId }) => shareId)).toEqual([made.shareId]);
});

test('a double click on "Create link" creates one link, however slow it is', async () => {
  const { server, page, errors, client, jobId } = await visitorWithResult('double-clicks');
  await page.goto(`${server.url}/jobs/${jobId}`);
  const shareButton = page.getByRole('article', { name: 'Result' }).getByRole('button', { name: 'Share…' });
  const clickThrice = (button: Locator): Promise<void> =>
    button.evaluate((element) => {
      const { click } = element as unknown as { click(): void };
      for (let times = 0; times < 3; times += 1) click.call(element);
    });
  await shareButton.click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create link' });
  await create.waitFor();

  // Faster than the browser draws the button again.
  await clickThrice(create);
  await dialog.getByRole('button', { name: 'Copy the link' }).waitFor();
  expect((await client.shares()).shares).toHaveLength(1);
  // Slower: the second click meets what is in this place then.
  await dialog.getByRole('button', { name: 'Create another' }).dblclick();
  await create.dblclick();
  await dialog.getByRole('button', { name: 'Create another' }).or(create).first().waitFor();
  await expect.poll(async () => (await client.shares()).shares.length).toBe(2);
  await dialog.getByRole('region', { name: 'Links' }).getByRole('listitem').nth(1).waitFor();
  expect((await client.shares()).shares).toHaveLength(2);
  // So slow that the buttons have changed: as the second click of a double click at each of them.
  const bar = dialog.getByRole('button', { name: /^(?:Create another|Done|Create link|Cancel)$/ });
  const clickAgain = async () => {
    for (const button of await bar.all()) await button.dispatchEvent('click', { detail: 2 });
  };
  await dialog.getByRole('button', { name: 'Create another' }).waitFor();
  await clickAgain();
  await dialog.getByRole('button', { name: 'Create another' }).click();
  await create.waitFor();
  await clickAgain();
  await create.click();
  await expect.poll(async () => (await client.shares()).shares.length).toBe(3);
  expect(await dialog.count()).toBe(1);
  expect(errors).toEqual([]);
});

test('on a phone, the question before a link is revoked dims the sheet behind it', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'sheets', { width: 390 });
  await putSmallMovie(folder, 2, 'in.mp4');
  await client.share({ path: 'in.mp4' });
  await signIn();
  await page.goto(`${server.url}/files?file=in.mp4`);
  await page.getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share in.mp4' });
  const revoke = dialog.getByRole('button', { name: /^Revoke the link to in\.mp4 / });
  await revoke.waitFor();
  const box = await dialog.boundingBox();
  await revoke.click();
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  // What is seen at a place of the sheet above the question is not the sheet.
  const top = await question.boundingBox();
  expect(box?.y).toBeLessThan((top?.y ?? 0) - 8);
  const seen = await page.evaluate<string>(
    `getComputedStyle(document.elementFromPoint(195, ${(box?.y ?? 0) + 4})).backgroundColor`,
  );
  expect(seen).toMatch(/^rgba\(.*0\.\d+\)$/);
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});
