import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible, openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '1' } });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

const COPY = { input: 'in.mp4', parameters: { c: 'copy' } };

const outputs = (page: Page) => page.getByRole('row').getByRole('link').allInnerTexts();

test('jobs are found by words and by metadata, and the address has what was looked for', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'seeker');
  await putSmallMovie(folder, 2, 'in.mp4');
  for (const [output, order] of [
    ['Trailer.mkv', 'A-1'],
    ['teaser.mkv', 'A-2'],
    ['credits.mkv', 'A-2'],
  ] as const)
    await client.wait((await client.submit({ ...COPY, output, metadata: { order } })).jobId);
  await signIn();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await expect.poll(() => outputs(page)).toEqual(['credits.mkv', 'teaser.mkv', 'Trailer.mkv']);
  const search = page.getByLabel('Search jobs');
  expect(await search.getAttribute('placeholder')).toBe('Name, client or error');
  // All of it is in sight.
  expect(await search.evaluate((field) => field.scrollWidth <= field.clientWidth)).toBe(true);
  await search.fill('TRAIL');
  await expect.poll(() => outputs(page)).toEqual(['Trailer.mkv']);
  await search.fill('order=A-2');
  await expect.poll(() => outputs(page)).toEqual(['credits.mkv', 'teaser.mkv']);
  await search.fill('order=A-2 teaser');
  await expect.poll(() => outputs(page)).toEqual(['teaser.mkv']);
  // The same list in another window.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect.poll(() => outputs(other)).toEqual(['teaser.mkv']);
  await search.fill('nothing like this');
  await page.getByText('No jobs match “nothing like this”.').waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the tabs say how many jobs are in each state, also of a state that is not shown', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'counts');
  await putSmallMovie(folder, 4, 'in.mp4');
  for (const output of ['a.mkv', 'b.mkv']) await client.wait((await client.submit({ ...COPY, output })).jobId);
  const endless = { inputs: [{ input: 'in.mp4', parameters: { stream_loop: '200' } }], output: 'c.mp4' };
  const { jobId } = await client.submit({ ...endless, parameters: { 'c:v': 'libx264', preset: 'veryslow' } });
  await client.cancel(jobId);
  await expect.poll(async () => (await client.get(jobId)).status).toBe('CANCELLED');
  await signIn();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${server.url}/jobs?status=CANCELLED`);
  const tab = (name: string) => page.getByRole('group', { name: 'Show' }).getByRole('button', { name, exact: true });
  await expect.poll(() => tab('Cancelled').innerText()).toMatch(/^Cancelled\s*1$/);
  await expect.poll(() => tab('Completed').innerText()).toMatch(/^Completed\s*2$/);
  expect(await tab('Completed').getAttribute('title')).toBe('2 jobs');
  expect(await tab('Failed').innerText()).toMatch(/^Failed\s*0$/);
  // On a phone, the line of the tabs is longer than the window.
  const { x = -1, width = 999 } = (await tab('Cancelled').boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  // A job that ends is counted without being read again.
  await client.wait((await client.submit({ ...COPY, output: 'd.mkv' })).jobId);
  await expect.poll(() => tab('Completed').innerText()).toMatch(/^Completed\s*3$/);
  await expectAccessible(page);
  // Jobs that need a person are in sight at once.
  await tab('All').click();
  await expect.poll(async () => Number((await tab('All').boundingBox())?.x)).toBeGreaterThanOrEqual(0);
  const failed = await tab('Failed').boundingBox();
  expect((failed?.x ?? 0) + (failed?.width ?? 999)).toBeLessThanOrEqual(390);
  expect(errors).toEqual([]);
});

test('a failed job that was run again is marked, and does not count among those that need somebody', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'mended');
  await putSmallMovie(folder, 2, 'in.mp4');
  const [first, second] = ['first.mkv', 'second.mkv'].map((output) => ({ ...COPY, input: 'missing.mp4', output }));
  if (first === undefined || second === undefined) throw new Error('There are two requests.');
  const failed = await client.wait((await client.submit(first)).jobId);
  const other = await client.wait((await client.submit(second)).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs`);
  const failedTab = page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Failed', exact: true });
  await expect.poll(() => failedTab.innerText()).toMatch(/^Failed\s*2$/);
  // The job that runs it again is known from the stream.
  const again = await client.retry(failed.jobId, { request: { ...COPY, output: 'first.mkv' } });
  expect((await client.wait(again.jobId)).status).toBe('COMPLETED');
  await expect.poll(() => failedTab.innerText()).toMatch(/^Failed\s*1$/);
  expect(await failedTab.getAttribute('title')).toBe('1 job, and 1 that was run again');
  // And from the list.
  await page.reload();
  await expect.poll(() => failedTab.innerText()).toMatch(/^Failed\s*1$/);
  await failedTab.click();
  await expect.poll(() => outputs(page)).toEqual(['second.mkv', 'first.mkv']);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('first.mkv').getByText('Was run again').waitFor();
  await page.getByText('2 jobs, 1 was run again').waitFor();
  await expectAccessible(page);

  // A retry that is cancelled changes nothing, also after the list is read again.
  const film = { inputs: [{ input: 'in.mp4', parameters: { stream_loop: '500' } }], output: 'second.mkv' };
  const stopped = await client.retry(other.jobId, { request: { ...film, parameters: { preset: 'veryslow' } } });
  await row('second.mkv').getByText('Was run again').waitFor();
  expect(await failedTab.innerText()).toMatch(/^Failed\s*0$/);
  await client.cancel(stopped.jobId);
  expect((await client.wait(stopped.jobId)).status).toBe('CANCELLED');
  for (const _when of ['by the stream', 'by the list']) {
    await expect.poll(() => failedTab.innerText()).toMatch(/^Failed\s*1$/);
    await row('first.mkv').getByText('Was run again').waitFor();
    expect(await row('second.mkv').getByText('Was run again').count()).toBe(0);
    await page.reload();
  }

  // The page of a job whose newest retry is cancelled says again which retry was complete before.
  const third = await client.retry(failed.jobId, { request: { ...film, output: 'third.mkv' } });
  await page.goto(`${server.url}/jobs/${failed.jobId}`);
  const newest = page.getByText('It was run again:').getByRole('link');
  await expect.poll(() => newest.getAttribute('href')).toBe(`/jobs/${third.jobId}`);
  await client.cancel(third.jobId);
  await expect.poll(() => newest.getAttribute('href')).toBe(`/jobs/${again.jobId}`);
  await page.getByRole('link', { name: 'Open the completed job' }).waitFor();

  // The attempts of the service are not those of people.
  await page.goto(`${server.url}/jobs/${again.jobId}`);
  await page.getByText(/^Retry of .*: a new job, whose attempts count from 1\.$/).waitFor();
  await page.getByText('Attempts of this job').waitFor();
  await page.getByText('1 (at most 3)').waitFor();
  expect(errors).toEqual([]);
});

test('selected jobs are cancelled together after a question, and run again together', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'bulk');
  await putSmallMovie(folder, 4, 'in.mp4');
  const done = await client.submit({ ...COPY, output: 'done.mkv' });
  await client.wait(done.jobId);
  const films = await client.submitBatch(
    ['a.mp4', 'b.mp4', 'c.mp4'].map((output) => ({
      inputs: [{ input: 'in.mp4', parameters: { stream_loop: '200' } }],
      output,
      parameters: { 'c:v': 'libx264', preset: 'veryslow', vf: 'scale=1280:-2' },
    })),
  );
  await signIn();
  await page.getByRole('link', { name: 'Jobs' }).click();
  await expect.poll(() => outputs(page)).toHaveLength(4);
  await page.getByLabel('Select all 4 jobs of the list').check();
  const bulk = page.getByRole('group', { name: 'Selected jobs' });
  await bulk.getByText('4 selected').waitFor();
  // One has ended already.
  await bulk.getByRole('button', { name: 'Cancel 3 jobs…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel 3 jobs?' });
  await question.getByRole('button', { name: 'Do not cancel' }).click();
  await bulk.getByText('4 selected').waitFor();
  expect((await client.list({ status: 'CANCELLED' })).jobs).toEqual([]);
  await bulk.getByRole('button', { name: 'Cancel 3 jobs…' }).click();
  await question.getByText('1 job running: the progress so far is lost.').waitFor();
  await question.getByRole('button', { name: 'Cancel 3 jobs' }).click();
  const result = page.getByRole('group', { name: 'Action on jobs' });
  await result.getByRole('status').getByText('3 jobs cancelled.').waitFor();
  // The button is gone: the keyboard goes on where it was.
  expect(await result.evaluate((element) => element.matches(':focus'))).toBe(true);
  await page.getByLabel('Select done.mkv').uncheck();
  for (const { jobId } of films.jobs) await expect.poll(async () => (await client.get(jobId)).status).toBe('CANCELLED');
  await page.getByRole('row').filter({ hasText: 'a.mp4' }).getByText('Cancelled', { exact: true }).waitFor();
  expect((await client.get(done.jobId)).status).toBe('COMPLETED');

  await page.getByLabel('Select a.mp4').check();
  await page.getByLabel('Select c.mp4').check();
  await bulk.getByText('2 selected').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancelled', exact: true }).click();
  await page.getByLabel('Select a.mp4').check();
  await page.getByLabel('Select c.mp4').check();
  await bulk.getByRole('button', { name: 'Run 2 jobs again' }).click();
  await result.getByRole('status').getByText('2 jobs submitted again.').waitFor();
  // The list shows cancelled jobs only.
  await result.getByRole('link', { name: 'Show them' }).click();
  await expect
    .poll(async () => (await client.list()).jobs.filter(({ retryOf }) => retryOf !== undefined).length)
    .toBe(2);
  const again = (await client.list()).jobs.filter(({ retryOf }) => retryOf !== undefined);
  expect(again.map(({ output }) => output).toSorted()).toEqual(['a.mp4', 'c.mp4']);
  await expect.poll(async () => (await outputs(page)).toSorted()).toEqual(['a.mp4', 'c.mp4']);
  for (const { jobId } of again) await client.cancel(jobId);
  expect(errors).toEqual([]);
});

test('a job is run again and downloaded from its row, and words of a title find the jobs of a recipe', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'rows');
  await putSmallMovie(folder, 2, 'in.mp4');
  await client.wait((await client.submit({ ...COPY, output: 'one.mkv' })).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs`);
  const menu = page.getByRole('button', { name: 'Actions for one.mkv' });
  await menu.click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('one.mkv');
  await menu.click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Run again', exact: true }).click();
  await expect.poll(() => menu.count()).toBe(2);
  await page.getByLabel('Search jobs').fill('smaller');
  await page.getByRole('link', { name: 'Show jobs of “Make a video smaller”' }).click();
  await page.getByText('No jobs match “compress”.').waitFor();
  expect(errors).toEqual([]);
});

test('on a phone, names and reasons are read whole, and jobs are selected after "Select"', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'phone', { width: 390 });
  await putSmallMovie(folder, 2, 'in.mp4');
  const name = 'encrypted/film-of-week.mkv';
  await client.wait((await client.submit({ ...COPY, output: name })).jobId);
  await client.wait((await client.submit({ input: 'in/missing.mov', output: 'none.mp4', format: 'mp4' })).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs`);
  const reason = page.getByText('Input "in/missing.mov" does not exist');
  for (const text of [page.getByRole('link', { name }), reason])
    expect(
      await text.evaluate(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth <= clientWidth && scrollHeight <= clientHeight + 1,
      ),
    ).toBe(true);
  const box = page.getByLabel(`Select ${name}`);
  expect(await box.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expectAccessible(page);
  await box.check();
  const bulk = page.getByRole('group', { name: 'Selected jobs' });
  await bulk.getByText('1 selected').waitFor();
  await expectAccessible(page);
  await bulk.getByRole('button', { name: 'Deselect' }).click();
  await bulk.waitFor({ state: 'detached' });
  expect(await box.isVisible()).toBe(false);
  expect(errors).toEqual([]);
});

test('on a phone, the filter that is set is in sight, and a finger hits each button', async () => {
  const { server } = await start();
  const { page, errors, signIn } = await consoleVisitor(open, server, 'finger');
  await signIn();
  await page.goto(`${server.url}/jobs?status=CANCELLED`);
  await page.getByText('No cancelled jobs.').waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  const line = page.getByRole('group', { name: 'Show' });
  const chosen = line.getByRole('button', { name: 'Cancelled' });
  const isInSight = async (): Promise<boolean> => {
    const [inner, outer] = [await chosen.boundingBox(), await line.boundingBox()];
    if (inner === null || outer === null) return false;
    return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
  };
  await expect.poll(isInSight).toBe(true);
  const heights = await page
    .locator('main :is(button, input, a[class]):visible')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(6);
  // The buttons of a choice are in a line that is 4 px higher.
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
  expect(errors).toEqual([]);
});

test('a long name is shortened in its middle on a phone, and is whole for screen readers', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'long-names', { width: 390 });
  await putSmallMovie(folder, 2, 'in.mp4');
  const name = 'archive/a-long-name-of-a-master-file-that-goes-on-and-on';
  const names = [`${name}-v1.mkv`, `${name}-v2.mkv`];
  for (const output of names) await client.wait((await client.submit({ ...COPY, output })).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs`);
  for (const each of names) {
    const link = page.getByRole('link', { name: each, exact: true });
    await link.waitFor();
    const end = link.getByText(each.slice(-10), { exact: true });
    const [inner, outer] = [await end.boundingBox(), await link.boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0) + 1);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the buttons of the states stay where they are when a number arrives', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'arrivals');
  await putSmallMovie(folder, 2, 'in.mp4');
  await signIn();
  await page.goto(`${server.url}/jobs`);
  const last = page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Cancelled' });
  const place = async () => (await last.boundingBox())?.x;
  await last.waitFor();
  const before = await place();
  await client.wait((await client.submit({ ...COPY, output: 'out.mkv' })).jobId);
  await page.getByRole('group', { name: 'Show' }).getByTitle('1 job').waitFor();
  expect(await place()).toBe(before);
  expect(errors).toEqual([]);
});

test('on a small phone, the number of warnings of a job is not cut', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'warned', { width: 360 });
  await putSmallMovie(folder, 2, 'in.mp4');
  // The encoder uses either a quality or a bit rate, so the request gets a warning.
  const parameters = { 'c:v': 'libx264', preset: 'ultrafast', crf: '40', 'b:v': '1M' };
  const job = await client.wait((await client.submit({ input: 'in.mp4', output: 'out.mp4', parameters })).jobId);
  expect(job.warnings).toHaveLength(1);
  await signIn();
  await page.goto(`${server.url}/jobs`);
  const row = page.getByRole('row').filter({ hasText: 'out.mp4' });
  const cell = row.getByRole('cell').filter({ hasText: '1 warning' });
  await cell.waitFor();
  expect(await cell.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('on a small phone, how long a job took is not cut, and a reason has no empty lines below it', async () => {
  const { server } = await start();
  const { page, errors, folder, client, signIn } = await consoleVisitor(open, server, 'small-phone', { width: 360 });
  await putSmallMovie(folder, 2, 'in.mp4');
  await client.wait((await client.submit({ ...COPY, output: 'out.mkv' })).jobId);
  await client.wait((await client.submit({ input: 'no.mov', output: 'none.mp4', format: 'mp4' })).jobId);
  await signIn();
  await page.goto(`${server.url}/jobs`);
  const row = page.getByRole('row').filter({ hasText: 'out.mkv' });
  const cell = row.getByRole('cell').filter({ hasText: /^in \d/ });
  await cell.waitFor();
  expect(await cell.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  const failed = await page.getByRole('row').filter({ hasText: 'none.mp4' }).boundingBox();
  const reason = await page.getByText('Input "no.mov" does not exist').boundingBox();
  // The reason has two lines, and the row ends below them.
  expect((failed?.y ?? 0) + (failed?.height ?? 0) - (reason?.y ?? 0) - (reason?.height ?? 0)).toBeLessThan(20);
  expect(errors).toEqual([]);
});
