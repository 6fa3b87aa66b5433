import type { Job } from '@telecine/client';
import { expect, test } from 'vitest';
import { foundJobs } from './found-jobs.ts';

const jobs = (count: number, output: (index: number) => string): readonly Job[] =>
  Array.from(
    { length: count },
    (_, index) => ({ jobId: output(index), input: 'film.mov', output: output(index) }) as Job,
  );

const PREVIEWS = jobs(300, (index) => `console-previews/${index}.mp4`);

/** Lists jobs as the service does, newest first. */
function listOf(all: readonly Job[]) {
  const asked: number[] = [];
  const list = ({ limit = 0, cursor = '0' }: { readonly limit?: number; readonly cursor?: string } = {}) => {
    asked.push(limit);
    const end = Number(cursor) + limit;
    const page = { jobs: all.slice(Number(cursor), end), ...(end < all.length && { nextCursor: String(end) }) };
    return Promise.resolve(page as never);
  };
  return { list, asked };
}

const find = (list: ReturnType<typeof listOf>['list'], text = 'film') =>
  foundJobs(list, text, { enough: 5, signal: new AbortController().signal });

test('jobs behind many previews are found, and previews are not', async () => {
  const { list } = listOf([...PREVIEWS, ...jobs(2, (index) => `web/${index}.mp4`)]);
  expect((await find(list)).map(({ output }) => output)).toEqual(['web/0.mp4', 'web/1.mp4']);
});

test('no more pages are read than needed', async () => {
  const { list, asked } = listOf(jobs(100, (index) => `web/${index}.mp4`));
  expect(await find(list)).toHaveLength(5);
  expect(asked).toEqual([50]);
  const only = listOf(PREVIEWS.flatMap((one) => Array.from({ length: 20 }, () => one)));
  expect(await find(only.list)).toEqual([]);
  expect(only.asked).toHaveLength(10);
});
