import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { JobChange } from '../job-changes.ts';
import { processorTurns, wakeTurns, workersBefore } from './worker-turns.ts';

beforeEach(() => void vi.useFakeTimers());

const created = (jobId: string): JobChange => ({ kind: 'created', jobId, clientId: 'amy' });
const claimed = (jobId: string): JobChange => ({ kind: 'phase', phase: 'STAGING', jobId, clientId: 'amy' });

/** Workers that hear all changes. The busy workers claim nothing. All workers hear a claim `claimMs` after it. */
function cluster(size: number, { busy = [] as readonly string[], claimMs = 20 } = {}) {
  const ids = Array.from({ length: size }, (_, index) => `worker-${index}`);
  const looks: string[] = [];
  const waiting = new Set<string>();
  const tell = (change: JobChange): void => {
    for (const { turns } of workers) turns.hear(change);
  };
  const workers = ids.map((workerId) => ({
    workerId,
    turns: wakeTurns({
      workerId,
      peers: () => ids,
      wake: () => {
        if (busy.includes(workerId)) return;
        looks.push(workerId);
        const [jobId] = waiting;
        if (jobId === undefined) return;
        waiting.delete(jobId);
        setTimeout(() => tell(claimed(jobId)), claimMs);
      },
    }),
  }));
  return {
    ids,
    looks,
    waiting,
    tell,
    submit: (jobId: string) => {
      waiting.add(jobId);
      tell(created(jobId));
    },
  };
}

test('the only worker looks for a new job at once', () => {
  const { looks, submit } = cluster(1);
  submit('a');
  expect(looks).toHaveLength(1);
});

test('a job that its worker gave back is looked for at once', () => {
  const { looks, tell } = cluster(1);
  tell({ kind: 'requeued', jobId: 'a', clientId: 'b' });
  expect(looks).toHaveLength(1);
});

test('one of many idle workers looks for a new job, and not always the same', () => {
  const { looks, submit } = cluster(100);
  for (let job = 0; job < 50; job += 1) {
    submit(`job-${job}`);
    vi.runAllTimers();
  }
  expect(looks).toHaveLength(50);
  expect(new Set(looks).size).toBeGreaterThan(20);
});

test('the next worker looks for a job that the one before it does not claim', () => {
  const { ids } = cluster(4);
  const order = ids.toSorted((a, b) => workersBefore('job', a, ids) - workersBefore('job', b, ids));
  expect(order.map((id) => workersBefore('job', id, ids))).toEqual([0, 1, 2, 3]);
  const { looks, waiting, submit } = cluster(4, { busy: order.slice(0, 2) });
  submit('job');
  expect(looks).toEqual([]);
  vi.runAllTimers();
  expect(looks).toEqual([order[2]]);
  expect(waiting.size).toBe(0);
});

test('a burst of jobs costs a worker few timers', () => {
  const { ids, submit } = cluster(3, { busy: ['worker-0', 'worker-1', 'worker-2'] });
  for (let job = 0; job < 5000; job += 1) submit(`job-${job}`);
  expect(vi.getTimerCount()).toBeLessThanOrEqual(100 * ids.length);
});

const NEVER_OVER_MS = 60_000;

/** Adds conversions by number. `started`: the conversions that have got a turn. */
function conversions(limit: number, turnMs = NEVER_OVER_MS) {
  const waitForTurn = processorTurns(limit, turnMs);
  const started: number[] = [];
  const add = (id: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    void waitForTurn(promise).then(() => started.push(id));
    return { end: resolve, fail: reject };
  };
  return { started, add };
}

test('lets as many start as there are processors, and the others in their order', async () => {
  const { started, add } = conversions(2);
  const [first, second] = [1, 2, 3, 4].map(add);
  await nextTurn();
  expect(started).toEqual([1, 2]);
  second?.end();
  await nextTurn();
  expect(started).toEqual([1, 2, 3]);
  first?.fail();
  await nextTurn();
  expect(started).toEqual([1, 2, 3, 4]);
});

test('lets the next one start beside one that runs for longer than a turn, which counts only once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { started, add } = conversions(1, 10);
  const long = add(1);
  const others = [2, 3].map(add);
  await vi.advanceTimersByTimeAsync(10);
  expect(started).toEqual([1, 2]);
  long.end();
  await nextTurn();
  expect(started).toEqual([1, 2]);
  others[0]?.end();
  await nextTurn();
  expect(started).toEqual([1, 2, 3]);
});

test('a conversion that ends while it waits takes no turn', async () => {
  const { started, add } = conversions(1);
  const first = add(1);
  const killed = add(2);
  add(3);
  killed.end();
  await nextTurn();
  // The wait ended together with the conversion, so nothing starts.
  expect(started).toEqual([1, 2]);
  first.end();
  await nextTurn();
  expect(started).toEqual([1, 2, 3]);
});
