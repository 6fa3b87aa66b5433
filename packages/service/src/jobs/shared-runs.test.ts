import { expect, onTestFinished, test, vi } from 'vitest';
import { type SharedRun, sharedRuns } from './shared-runs.ts';

/** Runs work until the test ends it or its signal is aborted. */
function harness() {
  const share = sharedRuns<string>();
  const runs: { readonly signal: AbortSignal; readonly end: (result: string) => void }[] = [];
  const ask = (key: string, signal = new AbortController().signal) =>
    share(key, signal, ({ signal: shared }) => {
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

/** Runs that may become late: one of each client, and two in all. */
function lateHarness({ seconds = 60, waitSeconds = 60 } = {}) {
  const share = sharedRuns<string>({ perClient: 1, total: 2, seconds, waitSeconds });
  const runs: SharedRun[] = [];
  const ends: ((result: string) => void)[] = [];
  const ask = (clientId: string, key: string, signal = new AbortController().signal) =>
    share(
      `${clientId} ${key}`,
      signal,
      (run) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        run.signal.addEventListener('abort', () => reject(run.signal.reason));
        runs.push(run);
        ends.push(resolve);
        return promise;
      },
      {
        clientId,
        goesOnError: () => new Error(`${key} goes on`),
        tooManyError: () => new Error(`${key} has no place`),
        tookTooLongError: () => new Error(`${key} took too long`),
      },
    );
  return { share, ask, runs, ends };
}

const timedOut = (): AbortController & { readonly expire: () => void } => {
  const controller = new AbortController();
  return Object.assign(controller, { expire: () => controller.abort(new DOMException('late', 'TimeoutError')) });
};

test('a run whose call has waited too long goes on, and a later call gets its result', async () => {
  const { ask, runs, ends } = lateHarness();
  const impatient = timedOut();
  const first = ask('amy', 'a', impatient.signal);
  impatient.expire();
  await expect(first).rejects.toThrow('a goes on');
  expect(runs[0]).toMatchObject({ signal: { aborted: false }, late: { aborted: true } });
  const second = ask('amy', 'a');
  expect(runs, 'the second call joins the run').toHaveLength(1);
  ends[0]?.('read');
  expect(await second).toBe('read');
});

test('a call that has waited too long ends no other call of the same run', async () => {
  const { ask, runs, ends } = lateHarness();
  const impatient = timedOut();
  const [first, patient] = [ask('amy', 'a', impatient.signal), ask('amy', 'a')];
  impatient.expire();
  await expect(first).rejects.toThrow('a goes on');
  expect(runs[0]?.late.aborted).toBe(false);
  ends[0]?.('read');
  expect(await patient).toBe('read');
});

test('a run goes on for a call that was told so, also if the last other call hangs up', async () => {
  const { ask, runs, ends } = lateHarness();
  const [impatient, gone] = [timedOut(), new AbortController()];
  const [first, second] = [ask('amy', 'a', impatient.signal), ask('amy', 'a', gone.signal)];
  impatient.expire();
  await expect(first).rejects.toThrow('a goes on');
  gone.abort(new Error('hung up'));
  await expect(second).rejects.toThrow('hung up');
  expect(runs[0]).toMatchObject({ signal: { aborted: false }, late: { aborted: true } });
  const next = ask('amy', 'a');
  ends[0]?.('read');
  expect(await next).toBe('read');
});

test('a run says itself that it takes too long, and all its calls end', async () => {
  const { ask, runs, ends } = lateHarness();
  const both = [ask('amy', 'a'), ask('amy', 'a')];
  runs[0]?.setLate();
  for (const one of both) await expect(one).rejects.toThrow('a goes on');
  ends[0]?.('read');
});

test('a client that hangs up ends a run, but not one that is late', async () => {
  const { ask, runs, ends } = lateHarness();
  const gone = new AbortController();
  const first = ask('amy', 'a', gone.signal);
  gone.abort(new Error('hung up'));
  await expect(first).rejects.toThrow('hung up');
  expect(runs[0]?.signal.aborted).toBe(true);

  const [impatient, goneLater] = [timedOut(), new AbortController()];
  const second = ask('amy', 'b', impatient.signal);
  impatient.expire();
  await expect(second).rejects.toThrow('b goes on');
  const third = ask('amy', 'b', goneLater.signal);
  goneLater.abort(new Error('hung up too'));
  await expect(third).rejects.toThrow('hung up too');
  expect(runs[1]?.signal.aborted).toBe(false);
  ends[1]?.('read');
});

test('late runs are limited for each client and for all clients, and a place is free again when one ends', async () => {
  const { ask, runs, ends } = lateHarness();
  const expire = async (clientId: string, key: string): Promise<string> => {
    const impatient = timedOut();
    const call = ask(clientId, key, impatient.signal).catch((error: Error) => error.message);
    impatient.expire();
    return call;
  };
  expect(await expire('amy', 'a')).toBe('a goes on');
  expect(await expire('amy', 'b'), 'the second of amy').toBe('b has no place');
  expect(runs[1]?.signal.aborted).toBe(true);
  expect(await expire('bob', 'c')).toBe('c goes on');
  expect(await expire('eve', 'd'), 'the third of all').toBe('d has no place');
  ends[0]?.('read');
  expect(await ask('amy', 'a', AbortSignal.abort('no wait')).catch(String)).toBe('no wait');
  expect(await expire('eve', 'e')).toBe('e goes on');
  const refused = ask('amy', 'f');
  runs.at(-1)?.setLate();
  await expect(refused).rejects.toThrow('f has no place');
  ends[2]?.('read');
});

test('a late run ends after a time, and so does the wait for it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { ask, runs } = lateHarness({ seconds: 30 });
  const impatient = timedOut();
  const first = ask('amy', 'a', impatient.signal);
  impatient.expire();
  await expect(first).rejects.toThrow('a goes on');
  const second = ask('amy', 'a');
  vi.advanceTimersByTime(30_000);
  await expect(second).rejects.toThrow('a took too long');
  expect(runs[0]?.signal.aborted).toBe(true);
});

test('a call waits only for some time for a run that is late already', async () => {
  const { ask, ends } = lateHarness({ waitSeconds: 0.01 });
  const impatient = timedOut();
  const first = ask('amy', 'a', impatient.signal);
  impatient.expire();
  await expect(first).rejects.toThrow('a goes on');
  await expect(ask('amy', 'a')).rejects.toThrow('a goes on');
  ends[0]?.('read');
});

test('the end of the service ends all runs', async () => {
  const { share, ask, runs } = lateHarness();
  const call = ask('amy', 'a');
  const ended = expect(call).rejects.toThrow('The service stops.');
  await share.stop();
  await ended;
  expect(runs[0]?.signal.aborted).toBe(true);
});
