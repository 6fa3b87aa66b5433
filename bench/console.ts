/**
 * `npm run bench:console`: measures the console in Chromium against a service with 10,000 jobs: the time to interactive of a first visit to
 * the jobs page; frames and tasks while all jobs are scrolled; and the memory of the page during minutes of live updates.
 * `-- --visits 3 --minutes 2` makes it short.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { createClient } from '../packages/client/src/client.ts';
import { buildConsole } from '../scripts/build-console.ts';
import { onPath } from '../scripts/setup/command.ts';
import { bound, median, percentile, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { READ_WATCHED, scrollScript, WATCH, type Watched } from './support/page-scripts.ts';
import { startBenchService } from './support/service.ts';
import { submitJobs } from './support/submit-jobs.ts';

const { values } = parseArgs({
  options: { visits: { type: 'string', default: '7' }, minutes: { type: 'string', default: '10' } },
});
const [VISITS, MINUTES] = [Number(values.visits), Number(values.minutes)];
const JOBS = 10_000;
/** The pixels to scroll in each frame. */
const STEP = 900;
/** New jobs a second while memory is measured. Each is cancelled at once, so that it makes two events. */
const JOBS_A_SECOND = 5;

const folder = benchFolder('console');
printMachine(folder);
await buildConsole(new URL('../dist/console', import.meta.url).pathname);
const service = await startBenchService({ folder, args: ['--no-worker'] });
const client = createClient(service.url, { accessToken: service.token });
const browser = await chromium.launch({
  executablePath: onPath('chromium') ?? '',
  // Switch off Chromium's own sandbox, which needs a user that is not root. This is safe, because the pages are our own.
  args: ['--no-sandbox'],
});

/** Opens a page in a new browser profile: signed in, with an empty cache. */
async function signedInPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const { clientId, clientSecret } = await client.addClient({ clientId: `bench-${Date.now()}`, scopes: ['admin'] });
  const signedIn = await context.request.post(`${service.url}/api/session`, {
    headers: { origin: service.url, 'x-telecine-session': '1' },
    data: { clientId, clientSecret },
  });
  if (!signedIn.ok()) throw new Error(`The bench could not sign in: ${await signedIn.text()}`);
  await page.addInitScript({ content: WATCH });
  return page;
}

/** Milliseconds until the first jobs are shown and no task keeps the page from reacting. */
async function visit(): Promise<number> {
  const page = await signedInPage();
  await page.goto(`${service.url}/jobs`);
  await page.getByRole('row').nth(10).waitFor();
  await sleep(500);
  const { shownMs, longTasks } = await page.evaluate<Watched>(READ_WATCHED);
  await page.context().close();
  return Math.max(shownMs, ...longTasks.map(({ endMs }) => endMs));
}

/**
 * Starts to count the processor time of the page. Returns a function that ends the count and returns milliseconds. Unlike the duration of
 * tasks, processor time is about the same on a busy machine.
 */
async function countProcessorTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    await session.detach();
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
}

/** Scrolls to the end of the list, which loads more jobs meanwhile. */
async function scrollAll(page: Page): Promise<Pick<Watched, 'frames' | 'longTasks'> & { readonly cpuMs: number }> {
  await page.goto(`${service.url}/jobs`);
  await page.getByRole('row').nth(10).waitFor();
  await sleep(500);
  const before = await page.evaluate<Watched>(READ_WATCHED);
  const processorTime = await countProcessorTime(page);
  await page.evaluate(scrollScript(JOBS, STEP));
  const cpuMs = await processorTime();
  const after = await page.evaluate<Watched>(READ_WATCHED);
  return {
    frames: after.frames.slice(before.frames.length),
    longTasks: after.longTasks.slice(before.longTasks.length),
    cpuMs,
  };
}

/** The live bytes of the page's objects, after garbage was collected. */
async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/** Submits and cancels jobs for some minutes. Returns the memory of the page after each minute. */
async function followUpdates(page: Page): Promise<readonly number[]> {
  const megabytes: number[] = [];
  const end = performance.now() + MINUTES * 60_000;
  for (let next = performance.now() + 60_000; performance.now() < end; ) {
    const jobIds = await submitJobs(client, JOBS_A_SECOND);
    await Promise.all(jobIds.map((jobId) => client.cancel(jobId)));
    await sleep(1000);
    if (performance.now() < next) continue;
    next += 60_000;
    megabytes.push(await heapMegabytes(page));
    console.log(`after ${megabytes.length} min: ${megabytes.at(-1)?.toFixed(1)} MB`);
  }
  return megabytes;
}

try {
  await submitJobs(client, JOBS);
  const visits: number[] = [];
  for (let i = 0; i < VISITS; i++) visits.push(await visit());
  console.log(`time to interactive of a first visit: ${spread(visits)} ms`);
  const page = await signedInPage();
  const { frames, longTasks, cpuMs } = await scrollAll(page);
  const longest = Math.max(0, ...longTasks.map(({ ms }) => ms));
  console.log(
    `scrolled ${JOBS} jobs in ${frames.length} frames: median ${median(frames).toFixed(1)} ms, ` +
      `p95 ${percentile(frames, 0.95).toFixed(1)} ms; tasks over 50 ms: ${longTasks.length}, the longest ${longest.toFixed(0)} ms; ` +
      `${(cpuMs / frames.length).toFixed(1)} ms of processor time a frame`,
  );
  await page.evaluate('scrollTo(0, 0)');
  const before = await heapMegabytes(page);
  console.log(`${before.toFixed(1)} MB with ${JOBS} jobs read`);
  const megabytes = await followUpdates(page);
  bound('ms to interactive', median(visits), '<=', 1000, 0);
  bound('ms of the longest task while scrolling', longest, '<=', 50, 0);
  bound('ms of the p95 frame while scrolling', percentile(frames, 0.95), '<=', 50, 1);
  bound('MB that live updates add', (megabytes.at(-1) ?? before) - before, '<=', 5, 1);
} finally {
  await browser.close();
  await service.stop();
}
