import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { openBrowser } from '../support/browser.ts';
import { consoleVisitor } from '../support/console-visitor.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: NO_RATE_LIMITS });
const open = openBrowser();
const test = needs('ffmpeg', 'Chromium');

/** More jobs than the list loads at first, which is 200. */
const COUNT = 230;

test('all jobs are selected, cancelled after a question, and run again with a word of the result', async () => {
  const { server } = await start();
  const { page, errors, client, folder, signIn } = await consoleVisitor(open, server, 'many');
  await putSmallMovie(folder, 1, 'in.mp4');
  const operator = createClient(server.url, await insertClient(server, 'many-operator', { scopes: ['admin'] }));
  await operator.pauseQueue();
  const outputs = Array.from({ length: COUNT }, (_, i) => `out-${i}.mp4`);
  while (outputs.length > 0)
    await client.submitBatch(outputs.splice(0, 100).map((output) => ({ input: 'in.mp4', output, format: 'mp4' })));
  await signIn();
  await page.goto(`${server.url}/jobs`);
  await page.getByText('The newest 200 jobs.').waitFor();
  // The service searches all jobs, also those that the page has not read.
  await page.getByLabel('Search jobs').fill('out-7.mp4');
  await page.getByText('1 job', { exact: true }).waitFor();
  await page.getByRole('row').getByRole('link', { name: 'out-7.mp4' }).waitFor();
  await page.getByLabel('Search jobs').fill('');
  await page.getByText('The newest 200 jobs.').waitFor();
  await page.getByLabel('Select the 200 jobs that are loaded').click();
  await page.getByText('The 200 jobs that are loaded are selected.').waitFor();
  await page.getByRole('button', { name: 'Select the older jobs too' }).click();
  await page.getByText(`${COUNT} selected`).waitFor();
  await page.getByText(`${COUNT} jobs`, { exact: true }).waitFor();

  await page.getByRole('button', { name: `Cancel ${COUNT} jobs…` }).click();
  const question = page.getByRole('alertdialog', { name: `Cancel ${COUNT} jobs?` });
  await question.getByRole('button', { name: 'Do not cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await client.list({ status: 'CANCELLED' })).jobs).toEqual([]);
  await page.getByRole('button', { name: `Cancel ${COUNT} jobs…` }).click();
  await question.getByRole('button', { name: `Cancel ${COUNT} jobs` }).click();
  await page.getByText(`${COUNT} jobs cancelled.`).waitFor();
  expect((await client.list({ status: 'PENDING' })).jobs).toEqual([]);

  await page.getByRole('button', { name: 'Cancelled', exact: true }).click();
  await page.getByLabel(/^Select .* jobs/).click();
  await page.getByRole('button', { name: /^Run \d+ jobs again$/ }).click();
  const result = page.getByText(/^\d+ jobs submitted again\.$/);
  await result.waitFor();
  const { jobs } = await client.list({ status: 'PENDING', limit: 200 });
  expect(jobs.every(({ retryOf }) => retryOf !== undefined)).toBe(true);
  await page.getByRole('link', { name: 'Show them' }).click();
  await page.getByRole('row').filter({ hasText: 'Queued' }).first().waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'Cancelled' }).count()).toBe(0);
  expect(errors).toEqual([]);
  await operator.resumeQueue();
});
