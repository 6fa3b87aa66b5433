import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { callQuota, type FairSlots, fairSlots, takeSlot } from './call-quota.ts';

test('rejects calls over the limit of a client and over the total, until calls end', async () => {
  const quota = callQuota('probes', { perClient: 2, total: 3 });
  const end = Promise.withResolvers<void>();
  const calls = ['a', 'a', 'b'].map((client) => quota(client, () => end.promise));
  await expect(quota('a', async () => 1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  await expect(quota('c', async () => 1)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  end.resolve();
  await Promise.all(calls);
  expect(await quota('a', async () => 1)).toBe(1);
});

test('a call that fails no longer counts', async () => {
  const quota = callQuota('probes', { perClient: 1, total: 1 });
  await expect(quota('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await quota('a', async () => 1)).toBe(1);
});

/** Starts calls, which end when the test calls `end`. `started`: the calls that have started. */
function callsIn(slots: FairSlots) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const done: Promise<void>[] = [];
  const call = (name: string, signal = NEVER): Promise<void> => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end.resolve);
    const result = slots(name.charAt(0), signal, () => {
      started.push(name);
      return end.promise;
    });
    done.push(result);
    return result;
  };
  return {
    started,
    call,
    end: async (name: string) => {
      ends.get(name)?.();
      // Wait for the next call, which starts before any other event.
      await new Promise(setImmediate);
    },
    endAll: async () => {
      for (const end of ends.values()) end();
      await Promise.allSettled(done);
    },
  };
}

test('runs as many calls as there are slots, and the others in their order', async () => {
  const { call, started, end, endAll } = callsIn(fairSlots({ slots: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void call(name);
  await end('');
  expect(started).toEqual(['a1', 'a2']);
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'a3']);
  await endAll();
  expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a client with many calls does not delay the first call of another', async () => {
  const { call, started, end, endAll } = callsIn(fairSlots({ slots: 1 }));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void call(name);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  await endAll();
});

test('a free slot goes to the client that runs the fewest calls', async () => {
  const { call, started, end, endAll } = callsIn(fairSlots({ slots: 3 }));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']) void call(name);
  await end('a1');
  await end('b1');
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
  await endAll();
});

test('a client never has more slots than its own limit, even if others are free', async () => {
  const { call, started, end, endAll } = callsIn(fairSlots({ slots: 4, perClient: 2 }));
  for (const name of ['a1', 'a2', 'a3', 'b1']) void call(name);
  await end('');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  await endAll();
});

test('an aborted call leaves the queue at once, and does not run', async () => {
  const { call, started, end, endAll } = callsIn(fairSlots({ slots: 1 }));
  void call('a1');
  const aborted = new AbortController();
  const second = call('b1', aborted.signal);
  void call('c1');
  aborted.abort(new Error('hung up'));
  await expect(second).rejects.toThrow('hung up');
  await end('a1');
  expect(started).toEqual(['a1', 'c1']);
  await expect(call('d1', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  await endAll();
});

test('a call that fails frees its slot', async () => {
  const slots = fairSlots({ slots: 1 });
  await expect(slots('a', NEVER, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots('a', NEVER, async () => 1)).toBe(1);
});

test('a slot that is taken is free again when it is disposed of', async () => {
  const slots = fairSlots({ slots: 1 });
  const first = await takeSlot(slots, 'a', NEVER);
  const second = takeSlot(slots, 'b', NEVER);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  expect(await slots('c', NEVER, async () => 1)).toBe(1);
});

test('a slot that is no longer waited for goes to the next client', async () => {
  const slots = fairSlots({ slots: 1 });
  const first = await takeSlot(slots, 'a', NEVER);
  const aborted = new AbortController();
  const second = takeSlot(slots, 'b', aborted.signal);
  const third = takeSlot(slots, 'c', NEVER);
  aborted.abort(new Error('hung up'));
  await expect(second).rejects.toThrow('hung up');
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  await expect(takeSlot(slots, 'd', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
