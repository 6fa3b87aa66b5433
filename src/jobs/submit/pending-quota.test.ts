import { describe, expect, test } from 'vitest';
import { Problem } from '../../domain/problem.ts';
import { pendingQuota } from './pending-quota.ts';

/** A line in a store, and a clock, both moved by the test. */
function line(limits: { pendingPerClient: number; pendingInAll: number }) {
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
  const admit = pendingQuota({ jobs, now: () => new Date(state.now) }, limits);
  const submit = async (clientId: string, accepted = true): Promise<void> => {
    const admitted = await admit({ clientId });
    if (accepted) state.waiting.set(clientId, (state.waiting.get(clientId) ?? 0) + 1);
    admitted.release(accepted);
  };
  return { state, admit, submit };
}

const refused = expect.objectContaining({ code: 'TOO_MANY_PENDING', retryAfterSeconds: 5 });

describe('the cap on waiting jobs', () => {
  test('one client may have so many and no more, and others go on', async () => {
    const { submit } = line({ pendingPerClient: 3, pendingInAll: 100 });
    for (let i = 0; i < 3; i++) await submit('a');
    await expect(submit('a')).rejects.toEqual(refused);
    await submit('b');
  });

  test('all together may have so many and no more', async () => {
    const { submit } = line({ pendingPerClient: 3, pendingInAll: 4 });
    for (const client of ['a', 'a', 'b', 'b']) await submit(client);
    await expect(submit('c')).rejects.toThrow(Problem);
  });

  test('a line that got shorter is noticed', async () => {
    const { submit, state } = line({ pendingPerClient: 1, pendingInAll: 100 });
    await submit('a');
    await expect(submit('a')).rejects.toEqual(refused);
    state.waiting.set('a', 0);
    state.now += 60;
    await submit('a');
  });

  test('requests under way count, so that many at once do not slip through', async () => {
    const { admit } = line({ pendingPerClient: 2, pendingInAll: 100 });
    const first = await admit({ clientId: 'a' });
    await admit({ clientId: 'a' });
    await expect(async () => admit({ clientId: 'a' })).rejects.toEqual(refused);
    first.release(false);
    await admit({ clientId: 'a' });
  });

  test('a request that became no job takes no place', async () => {
    const { submit, state } = line({ pendingPerClient: 2, pendingInAll: 100 });
    for (let i = 0; i < 10; i++) await submit('a', false);
    await submit('a');
    await submit('a');
    expect(state.waiting.get('a')).toBe(2);
  });

  test('bursts while a count is under way stay under the cap, also where jobs are stored meanwhile', async () => {
    const cap = 100;
    const state = { stored: 0, now: 0, counts: 0 };
    const jobs = {
      countPending: async (_: string | undefined, upTo: number) => {
        state.counts += 1;
        // What is stored while it counts is not in it.
        const seen = Math.min(state.stored, upTo);
        for (let i = 0; i < 20; i++) await Promise.resolve();
        return seen;
      },
    };
    const admit = pendingQuota({ jobs, now: () => new Date(state.now) }, { pendingPerClient: cap, pendingInAll: 1e6 });
    const submit = async (): Promise<void> => {
      try {
        const place = await admit({ clientId: 'a' });
        for (let i = 0; i < 7; i++) await Promise.resolve();
        state.stored += 1;
        await Promise.resolve();
        place.release(true);
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
      expect(state.stored).toBeLessThanOrEqual(cap);
      if (second === 2) state.stored = 0;
      state.now += 1100;
    }
    expect(state.stored).toBe(cap);
    expect(state.counts, 'two lines, a count each a second').toBeLessThanOrEqual(2 * 6 + 2);
  });

  test('the store is not asked again for each request', async () => {
    const { submit, state } = line({ pendingPerClient: 1000, pendingInAll: 1000 });
    for (let i = 0; i < 100; i++) await submit('a');
    expect(state.counts).toBe(2);
  });
});
