import { Problem } from '@telecine/contract/domain/problem.ts';
import { describe, expect, test } from 'vitest';
import { pendingQuota } from './pending-quota.ts';

/** A store with queued jobs, and a clock. The test changes both. */
function fakeStore(limits: { pending: number; inAll: number }, isShared = false) {
  const state = { waiting: new Map<string, number>(), now: 0, counts: 0 };
  const jobs = {
    countPending: async (clientId: string | undefined, upTo: number) => {
      state.counts += 1;
      const all = [...state.waiting].filter(([id]) => clientId === undefined || id === clientId);
      return Math.min(
        upTo,
        all.reduce((sum, [, n]) => sum + n, 0),
      );
    },
  };
  const reserve = pendingQuota({ jobs, now: () => new Date(state.now), isShared }, limits.inAll);
  const admit = (
    { clientId, pending = limits.pending }: { clientId: string; pending?: number },
    jobs?: number,
    batch?: number,
  ) => reserve({ clientId, policy: { pending } }, jobs, batch);
  const submit = async (clientId: string, accepted = true): Promise<void> => {
    const admitted = await admit({ clientId });
    if (accepted) state.waiting.set(clientId, (state.waiting.get(clientId) ?? 0) + 1);
    admitted.release(accepted);
  };
  return { state, admit, submit };
}

const tooManyPending = expect.objectContaining({ code: 'TOO_MANY_PENDING', retryAfterSeconds: 5 });

describe('pending quota', () => {
  test('limits the queued jobs of one client, and not those of others', async () => {
    const { submit } = fakeStore({ pending: 3, inAll: 100 });
    for (let i = 0; i < 3; i++) await submit('a');
    await expect(submit('a')).rejects.toEqual(tooManyPending);
    await submit('b');
  });

  test('limits the queued jobs of all clients together', async () => {
    const { submit } = fakeStore({ pending: 3, inAll: 4 });
    for (const client of ['a', 'a', 'b', 'b']) await submit(client);
    await expect(submit('c')).rejects.toThrow(Problem);
  });

  test('counts again when it has admitted an eighth of what was left, if other processes add jobs too', async () => {
    const { submit, state } = fakeStore({ pending: 80, inAll: 1000 }, true);
    for (let i = 0; i < 10; i++) await submit('a');
    expect(state.counts, 'of the client and of all').toBe(2);
    // Another process has added jobs.
    state.waiting.set('a', 79);
    await submit('a');
    expect(state.counts).toBe(3);
    await expect(submit('a')).rejects.toEqual(tooManyPending);
  });

  test('admits a client again when its queue has become shorter', async () => {
    const { submit, state } = fakeStore({ pending: 1, inAll: 100 });
    await submit('a');
    await expect(submit('a')).rejects.toEqual(tooManyPending);
    state.waiting.set('a', 0);
    state.now += 60;
    await submit('a');
  });

  test('counts requests in flight, so concurrent requests do not exceed the limit', async () => {
    const { admit } = fakeStore({ pending: 2, inAll: 100 });
    const first = await admit({ clientId: 'a' });
    await admit({ clientId: 'a' });
    await expect(async () => admit({ clientId: 'a' })).rejects.toEqual(tooManyPending);
    first.release(false);
    await admit({ clientId: 'a' });
  });

  test('a request that did not become a job no longer counts', async () => {
    const { submit, state } = fakeStore({ pending: 2, inAll: 100 });
    for (let i = 0; i < 10; i++) await submit('a', false);
    await submit('a');
    await submit('a');
    expect(state.waiting.get('a')).toBe(2);
  });

  test('bursts during a count do not exceed the limit, even if jobs are stored meanwhile', async () => {
    const limit = 100;
    const state = { stored: 0, now: 0, counts: 0 };
    const jobs = {
      countPending: async (_: string | undefined, upTo: number) => {
        state.counts += 1;
        // The count does not contain jobs that are stored during the count.
        const seen = Math.min(state.stored, upTo);
        for (let i = 0; i < 20; i++) await Promise.resolve();
        return seen;
      },
    };
    const admit = pendingQuota({ jobs, now: () => new Date(state.now) }, 1e6);
    const submit = async (): Promise<void> => {
      try {
        const reservation = await admit({ clientId: 'a', policy: { pending: limit } });
        for (let i = 0; i < 7; i++) await Promise.resolve();
        state.stored += 1;
        await Promise.resolve();
        reservation.release(true);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    };
    for (let second = 0; second < 6; second++) {
      const burst: Promise<void>[] = [];
      for (let i = 0; i < 64; i++) {
        burst.push(submit());
        await Promise.resolve();
      }
      await Promise.all(burst);
      expect(state.stored).toBeLessThanOrEqual(limit);
      if (second === 2) state.stored = 0;
      state.now += 1100;
    }
    expect(state.stored).toBe(limit);
    expect(state.counts, 'two counts per second: of the client and of all').toBeLessThanOrEqual(2 * 6 + 2);
  });

  test('does not query the store for each request', async () => {
    const { submit, state } = fakeStore({ pending: 1000, inAll: 1000 });
    for (let i = 0; i < 100; i++) await submit('a');
    expect(state.counts).toBe(2);
  });

  test('a limit that was raised holds for the next request, and one that was lowered too', async () => {
    const { admit, state } = fakeStore({ pending: 2, inAll: 100 });
    state.waiting.set('a', 5);
    await expect(async () => admit({ clientId: 'a', pending: 3 })).rejects.toEqual(tooManyPending);
    (await admit({ clientId: 'a', pending: 6 })).release(false);
    await expect(async () => admit({ clientId: 'a', pending: 5 })).rejects.toEqual(tooManyPending);
  });

  test('says which limit is reached, of how many jobs the batch is, and how an operator changes it', async () => {
    const { admit, state } = fakeStore({ pending: 50, inAll: 60 });
    state.waiting.set('amy', 20);
    state.waiting.set('ben', 39);
    await expect(async () => admit({ clientId: 'amy' }, 39, 40)).rejects.toThrow(
      'The client "amy" may have 50 queued jobs, and has too many for a batch of 40. Submit again when some of them have started. An operator can change this: telecine client set amy --limit pending=…',
    );
    await expect(async () => admit({ clientId: 'ben' }, 2)).rejects.toThrow(
      'The service may have 60 queued jobs, and has too many for a batch of 2. Submit again when some of them have started. An operator can change this: pending-in-all in TELECINE_SERVICE_LIMITS.',
    );
  });
});
