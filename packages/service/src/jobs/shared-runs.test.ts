import { expect, test } from 'vitest';
import { sharedRuns } from './preview-operations.ts';

/** Runs work until the test ends it or its signal is aborted. */
function harness() {
  const share = sharedRuns<string>();
  const runs: { readonly signal: AbortSignal; readonly end: (result: string) => void }[] = [];
  const ask = (key: string, signal = new AbortController().signal) =>
    share(key, signal, (shared) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      shared.addEventListener('abort', () => reject(shared.reason));
      runs.push({ signal: shared, end: resolve });
      return promise;
    });
  return { ask, runs };
}

test('what is asked for several times at once is made once', async () => {
  const { ask, runs } = harness();
  const all = [ask('a'), ask('a'), ask('b'), ask('a')];
  expect(runs).toHaveLength(2);
  for (const [index, { end }] of runs.entries()) end(`${index}`);
  expect(await Promise.all(all)).toEqual(['0', '0', '1', '0']);
  const later = ask('a');
  expect(runs, 'nothing is kept').toHaveLength(3);
  runs[2]?.end('2');
  expect(await later).toBe('2');
});

test('who hangs up leaves the others their result, and the last one ends the work', async () => {
  const { ask, runs } = harness();
  const [first, second] = [new AbortController(), new AbortController()];
  const results = [ask('a', first.signal), ask('a', second.signal)];
  first.abort(new Error('first hung up'));
  await expect(results[0]).rejects.toThrow('first hung up');
  expect(runs[0]?.signal.aborted).toBe(false);
  second.abort(new Error('second hung up'));
  const next = ask('a');
  await expect(results[1]).rejects.toThrow('second hung up');
  expect(runs[0]?.signal.aborted).toBe(true);
  expect(runs, 'a later call does not join the run that ends').toHaveLength(2);
  runs[1]?.end('again');
  expect(await next).toBe('again');
});

test('a failure is that of all who wait, and the next call tries again', async () => {
  const share = sharedRuns<string>();
  const { signal } = new AbortController();
  let count = 0;
  const fail = async (): Promise<string> => {
    count += 1;
    throw new Error('damaged');
  };
  const results = await Promise.allSettled([share('a', signal, fail), share('a', signal, fail)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(count).toBe(1);
  expect(await share('a', signal, async () => 'fine')).toBe('fine');
});
