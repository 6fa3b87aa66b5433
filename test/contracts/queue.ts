import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/jobs/ports.ts';
import { claimJobs } from '../../src/jobs/run/claim-jobs.ts';
import { AT, type Engine, startNext, submitMany, submitOne, take, type World } from './engine.ts';

const finish = ({ store, queue }: World, delivery: Delivery): Promise<boolean> =>
  store.transactions.run((tx) => queue.remove(tx, delivery));
const putBack = ({ store, queue }: World, delivery: Delivery, notBefore?: Date): Promise<boolean> =>
  store.transactions.run((tx) => queue.requeue(tx, delivery, notBefore));

/** A clock that stands still until it is moved. */
function clock() {
  let at = Date.parse('2026-11-20T10:00:00Z');
  return {
    now: () => new Date(at),
    in: (seconds: number) => new Date(at + seconds * 1000),
    pass: (seconds: number) => {
      at += seconds * 1000;
    },
  };
}

async function taken(world: World): Promise<Delivery> {
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('Nothing was handed out.');
  return delivery;
}

export function queueContract(engine: Engine): void {
  describe(`queue on ${engine.name}`, () => {
    test('an empty line hands out nothing', async () => {
      expect(await take(await engine.open())).toEqual([]);
    });

    test('a ticket is handed out once, and is gone when it is finished', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const delivery = await taken(world);
      expect(delivery).toMatchObject({ jobId, clientId: 'amy' });
      expect(await take(world)).toEqual([]);
      expect(await finish(world, delivery)).toBe(true);
      expect(await finish(world, delivery)).toBe(false);
      expect(await take(world)).toEqual([]);
    });

    test('a ticket whose transaction is undone was never in line, and one undone while taken still is', async () => {
      const world = await engine.open();
      const { store, queue } = world;
      const undone = new Error('undone');
      const enqueued = store.transactions.run(async (tx) => {
        await queue.enqueue(tx, [{ jobId: 'gone', clientId: 'amy', fairnessRank: 0 }]);
        throw undone;
      });
      await expect(enqueued).rejects.toBe(undone);
      expect(await take(world)).toEqual([]);
      const jobId = await submitOne(world);
      const takenAndUndone = store.transactions.run(async (tx) => {
        await queue.take(tx, 1, 1);
        throw undone;
      });
      await expect(takenAndUndone).rejects.toBe(undone);
      expect(await taken(world)).toMatchObject({ jobId });
    });

    test('higher rank first, whoever it belongs to; of equal ranks the older', async () => {
      const world = await engine.open();
      await world.store.transactions.run((tx) =>
        world.queue.enqueue(tx, [
          { jobId: 'd', clientId: 'amy', fairnessRank: 5 },
          { jobId: 'c', clientId: 'bob', fairnessRank: 4 },
          { jobId: 'b', clientId: 'cat', fairnessRank: 3 },
          { jobId: 'a', clientId: 'amy', fairnessRank: 3 },
          { jobId: 'e', clientId: 'bob', fairnessRank: -7 },
        ]),
      );
      expect((await take(world, 9)).map((delivery) => delivery.jobId)).toEqual(['e', 'a', 'b', 'c', 'd']);
    });

    test('no more than asked for, and of one client no more than it may have, those out included', async () => {
      const world = await engine.open();
      await submitMany(world, 'amy', 5);
      await submitMany(world, 'bob', 5);
      const clients = (deliveries: readonly Delivery[]) => deliveries.map((delivery) => delivery.clientId).sort();
      expect(await take(world, 3, 2)).toHaveLength(3);
      expect(clients(await take(world, 9, 2))).toEqual(['bob']);
      expect(await take(world, 9, 2)).toEqual([]);
      expect(clients(await take(world, 9, 3))).toEqual(['amy', 'bob']);
    });

    test('a client that has all it may have gets the next one when one of its own is finished', async () => {
      const world = await engine.open();
      const [first, second] = await submitMany(world, 'amy', 2);
      const [delivery] = await take(world, 9, 1);
      expect(delivery?.jobId).toBe(first);
      expect(await take(world, 9, 1)).toEqual([]);
      if (delivery) await finish(world, delivery);
      expect((await take(world, 9, 1)).map((next) => next.jobId)).toEqual([second]);
    });

    withdrawing(engine);
    leases(engine);
    fairness(engine);
  });
}

function withdrawing(engine: Engine): void {
  const withdraw = ({ store, queue }: World, jobId: string, clientId = 'amy'): Promise<void> =>
    store.transactions.run(async (tx) => {
      const fairnessRank = await store.jobs.fairnessRank(jobId);
      if (fairnessRank !== undefined) await queue.withdraw?.(tx, { jobId, clientId, fairnessRank });
    });

  test('a ticket that is withdrawn is not handed out, and those behind it are', async () => {
    const world = await engine.open();
    if (world.queue.withdraw === undefined) return;
    const [first = '', second, third = ''] = await submitMany(world, 'amy', 3);
    await withdraw(world, first);
    await withdraw(world, third);
    await withdraw(world, 'no such job');
    expect((await take(world, 9)).map((delivery) => delivery.jobId)).toEqual([second]);
  });

  test('a ticket that is put off is withdrawn too, one that is with a worker stays its own', async () => {
    const time = clock();
    const world = await engine.open(time.now);
    if (world.queue.withdraw === undefined) return;
    const [off = '', out = ''] = await submitMany(world, 'amy', 2);
    await putBack(world, await taken(world), time.in(30));
    const held = await taken(world);
    await withdraw(world, off);
    await withdraw(world, out);
    expect(await world.queue.renewLease(held)).toBe(true);
    expect(await finish(world, held)).toBe(true);
    time.pass(60);
    expect(await take(world, 9)).toEqual([]);
  });

  test('one take clears away what became stale in line, in one transaction', async () => {
    const world = await engine.open();
    const { store, queue } = world;
    const stale = await submitMany(world, 'amy', 50);
    const live = await submitMany(world, 'amy', 2);
    await store.transactions.run(async (tx) => {
      for (const jobId of stale) await store.jobs.cancelPending(tx, jobId, { code: 'CANCELLED', message: 'x' }, AT);
    });
    const now = () => new Date(AT);
    const { claimed: got, more } = await claimJobs({ ...store, queue, now }, 1, 100);
    expect(got.map(({ claim }) => claim.job.jobId)).toEqual(live.slice(0, 1));
    expect(more).toBe(false);
    expect(
      (await take(world, 100)).map(({ jobId }) => jobId),
      'nothing stale is left',
    ).toEqual(live.slice(1));
  });
}

function leases(engine: Engine): void {
  test('a lease that ends unrenewed goes to another, with a higher receipt; the first holder has lost it', async () => {
    const time = clock();
    const world = await engine.open(time.now);
    await submitOne(world);
    const first = await taken(world);
    time.pass(14);
    expect(await take(world)).toEqual([]);
    time.pass(2);
    const second = await taken(world);
    expect(second.jobId).toBe(first.jobId);
    expect(second.receipt).toBeGreaterThan(first.receipt);
    expect(await world.queue.renewLease(first)).toBe(false);
    expect(await finish(world, first)).toBe(false);
    expect(await putBack(world, first)).toBe(false);
    expect(await finish(world, second)).toBe(true);
  });

  test('a lease that is renewed lasts', async () => {
    const time = clock();
    const world = await engine.open(time.now);
    await submitOne(world);
    const delivery = await taken(world);
    for (let i = 0; i < 4; i++) {
      time.pass(10);
      expect(await world.queue.renewLease(delivery)).toBe(true);
      expect(await take(world)).toEqual([]);
    }
  });

  test('a ticket put back is handed out again at once, one put off when its time has come', async () => {
    const time = clock();
    const world = await engine.open(time.now);
    const jobId = await submitOne(world);
    const first = await taken(world);
    expect(await putBack(world, first)).toBe(true);
    const second = await taken(world);
    expect(second).toMatchObject({ jobId });
    expect(second.receipt).toBeGreaterThan(first.receipt);
    expect(await putBack(world, second, time.in(30))).toBe(true);
    expect(await finish(world, second)).toBe(false);
    time.pass(29);
    expect(await take(world)).toEqual([]);
    time.pass(1);
    expect(await taken(world)).toMatchObject({ jobId });
  });

  test('a ticket that comes back is first again, before the later ones of its client', async () => {
    const time = clock();
    const world = await engine.open(time.now);
    const [first, second, third] = await submitMany(world, 'amy', 3);
    await putBack(world, await taken(world), time.in(30));
    expect((await taken(world)).jobId).toBe(second);
    time.pass(31);
    // The second's lease has ended too.
    expect((await take(world, 3)).map((delivery) => delivery.jobId)).toEqual([first, second, third]);
  });

  test('after a restart all that was out is in line again, where the engine has only one process', async () => {
    const time = clock();
    const world = await engine.open(time.now);
    if (world.queue.releaseAll === undefined) return;
    const jobs = [...(await submitMany(world, 'amy', 2)), await submitOne(world, 'bob')];
    const lost = await take(world, 9);
    expect(lost).toHaveLength(3);
    await world.queue.releaseAll();
    expect((await take(world, 9)).map((delivery) => delivery.jobId).sort()).toEqual(jobs.sort());
    for (const delivery of lost) expect(await finish(world, delivery)).toBe(false);
  });
}

function fairness(engine: Engine): void {
  test("a client with 10,000 jobs waiting does not stand before another's first", async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 10_000);
    for (let i = 0; i < 4; i++) await startNext(world);
    const urgent = await submitOne(world, 'bob');
    expect((await startNext(world))?.jobId).toBe(urgent);
  });

  test('clients with much to do take turns', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 50);
    await startNext(world);
    await submitMany(world, 'bob', 50);
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 20; i++) order.push((await startNext(world))?.clientId);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'bob' : 'amy')));
  });

  test('who cancels what waits gains no turns by it: its later jobs take turns with those of others', async () => {
    const world = await engine.open();
    const { store } = world;
    const submitAndCancel = async (): Promise<void> => {
      const jobId = await submitOne(world, 'amy');
      const fairnessRank = await store.jobs.fairnessRank(jobId);
      await store.transactions.run(async (tx) => {
        if (fairnessRank !== undefined) await world.queue.withdraw?.(tx, { jobId, clientId: 'amy', fairnessRank });
        await store.jobs.cancelPending(tx, jobId, { code: 'CANCELLED', message: 'x' }, AT);
      });
    };
    for (let i = 0; i < 20; i++) await submitAndCancel();
    for (let i = 0; i < 10; i++) {
      await submitOne(world, 'amy');
      await submitAndCancel();
    }
    await submitMany(world, 'bob', 10);
    const order: (string | undefined)[] = [];
    while (order.length < 20) {
      const { claimed: got } = await claimJobs({ ...store, queue: world.queue, now: () => new Date(AT) }, 1, 100);
      order.push(...got.map(({ claim }) => claim.job.clientId));
    }
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'amy' : 'bob')));
  });

  test('a client that has all it may have does not hold up those behind it', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 2000);
    await startNext(world, 1);
    const [first, second] = [await submitOne(world, 'bob'), await submitOne(world, 'cat')];
    expect((await take(world, 9, 1)).map((delivery) => delivery.jobId)).toEqual([first, second]);
  });
}
