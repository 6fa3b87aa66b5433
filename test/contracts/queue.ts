import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import type { Delivery, FetchRoom, Room, TakeRequest } from '../../packages/service/src/jobs/ports/job-queue.ts';
import { restoreTickets } from '../../packages/service/src/jobs/queue-upkeep.ts';
import { claimJobs } from '../../packages/service/src/jobs/run/claim-jobs.ts';
import { insertJobs } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { ANYTHING, AT, type Engine, type Offer, startNext, submitMany, submitOne, take, type World } from './engine.ts';

/** A claim of one job. */
const ONE = { slots: 1, perClient: 100, ...ANYTHING };

const CANCELLED = { code: 'CANCELLED', message: 'The job was cancelled.' } as const;

const remove = ({ store, queue }: World, delivery: Delivery): Promise<boolean> =>
  store.transactions.run((tx) => queue.remove(tx, delivery));
const requeue = ({ store, queue }: World, delivery: Delivery, delaySeconds = 0): Promise<boolean> =>
  store.transactions.run((tx) => queue.requeue(tx, delivery, delaySeconds));
const jobIds = (deliveries: readonly Delivery[]): string[] => deliveries.map(({ jobId }) => jobId);

/** Takes one ticket, and throws if there is none. */
async function mustTake(world: World): Promise<Delivery> {
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('No ticket was handed out.');
  return delivery;
}

/** Takes a ticket whose lease has ended, once a look at the queue finds it. */
async function takeWithin(world: World, seconds: number): Promise<Delivery> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const [delivery] = (await world.queue.hasTickets()) ? await take(world) : [];
    if (delivery !== undefined) return delivery;
    if (performance.now() > deadline) throw new Error(`No ticket was handed out within ${seconds} s.`);
    await sleep(200);
  }
}

export function queueContract(engine: Engine): void {
  describe(`queue on ${engine.name}`, () => {
    test('an empty queue hands out nothing', async () => {
      const world = await engine.open();
      expect(await take(world)).toEqual([]);
      expect(await world.queue.hasTickets()).toBe(false);
    });

    test('a look finds tickets until all are handed out', async () => {
      const world = await engine.open();
      await submitMany(world, 'amy', 2);
      for (const isLeft of [true, true, false]) {
        expect(await world.queue.hasTickets()).toBe(isLeft);
        await take(world);
      }
    });

    test('hands a ticket out once, and removes it when its job ends', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const delivery = await mustTake(world);
      expect(delivery).toMatchObject({ jobId, clientId: 'amy' });
      expect(await take(world)).toEqual([]);
      expect(await remove(world, delivery)).toBe(true);
      expect(await remove(world, delivery)).toBe(false);
      expect(await take(world)).toEqual([]);
    });

    test('a rollback undoes enqueuing and taking', async () => {
      const world = await engine.open();
      const { store, queue } = world;
      const rollback = new Error('roll back');
      const enqueued = store.transactions.run(async (tx) => {
        await queue.enqueue(tx, [{ jobId: uuid(), clientId: 'amy', priority: 0, ...ORDINARY }]);
        throw rollback;
      });
      await expect(enqueued).rejects.toBe(rollback);
      expect(await take(world)).toEqual([]);
      const jobId = await submitOne(world);
      const transaction = store.transactions.run(async (tx) => {
        await queue.take(tx, { slots: 1, perClient: 1, ...ANYTHING });
        throw rollback;
      });
      await expect(transaction).rejects.toBe(rollback);
      expect(await mustTake(world)).toMatchObject({ jobId });
    });

    test('of one client, hands out the ticket with the highest priority first, and the older job of equal ones', async () => {
      const world = await engine.open();
      const [a, b, c, d, e] = [uuid(), uuid(), uuid(), uuid(), uuid()];
      const priorities = { [d]: -5, [c]: 0, [e]: 7, [b]: 0, [a]: 0 };
      const tickets = Object.entries(priorities).map(([jobId, priority]) => ({ jobId, clientId: 'amy', priority }));
      await world.store.transactions.run((tx) =>
        world.queue.enqueue(
          tx,
          tickets.map((ticket) => ({ ...ticket, ...ORDINARY })),
        ),
      );
      expect(jobIds(await take(world, 9))).toEqual([e, a, b, c, d]);
    });

    test('hands out no more than the slots, and no more to a client than its limit', async () => {
      const world = await engine.open();
      await submitMany(world, 'amy', 5);
      await submitMany(world, 'bob', 5);
      const clients = (deliveries: readonly Delivery[]) => deliveries.map((delivery) => delivery.clientId).sort();
      expect(await take(world, 3, 2)).toHaveLength(3);
      expect(clients(await take(world, 9, 2))).toEqual(['bob']);
      expect(await take(world, 9, 2)).toEqual([]);
      expect(clients(await take(world, 9, 3))).toEqual(['amy', 'bob']);
    });

    test('never hands one ticket to two takers', async () => {
      const world = await engine.open();
      const submitted = await submitMany(world, 'amy', 12);
      const takers = await Promise.all([take(world, 5), take(world, 5), take(world, 5)]);
      expect(takers.flatMap(jobIds).sort()).toEqual(submitted);
    });

    test('a client at its limit gets the next ticket when one of its jobs ends', async () => {
      const world = await engine.open();
      const [first, second] = await submitMany(world, 'amy', 2);
      const [delivery] = await take(world, 9, 1);
      expect(delivery?.jobId).toBe(first);
      expect(await take(world, 9, 1)).toEqual([]);
      if (delivery) await remove(world, delivery);
      expect(jobIds(await take(world, 9, 1))).toEqual([second]);
    });

    test('restores the tickets that are missing, and leaves the others as they are', async ({ skip }) => {
      const world = await engine.open();
      const { store, queue } = world;
      if (queue.restore === undefined) skip('the engine loses no tickets');
      const [running = '', waiting, ended = '', lost] = await submitMany(world, 'amy', 4);
      const delivery = await startNext(world);
      expect(delivery?.jobId).toBe(running);
      // As if an operator had deleted the last one.
      const others = await take(world, 9);
      for (const other of others)
        if (other.jobId === waiting) await requeue(world, other);
        else await remove(world, other);
      await store.transactions.run((tx) => store.jobs.endPending(tx, [ended], 'CANCELLED', CANCELLED, AT));
      await restoreTickets({ ...store, queue });
      expect(jobIds(await take(world, 9)).sort()).toEqual([waiting, lost]);
      if (delivery !== undefined) expect(await remove(world, delivery)).toBe(true);
    });

    withdrawing(engine);
    leases(engine);
    fairness(engine);
    requirements(engine);
    rooms(engine);
  });
}

/** Withdraws the ticket of a job, which may be unknown. */
async function withdraw({ store, queue }: World, jobId: string): Promise<void> {
  const stored = await store.jobs.ticketOf(jobId);
  const ticket = stored ?? { jobId, clientId: 'amy', priority: 0, ...ORDINARY };
  await store.transactions.run((tx) => queue.withdraw(tx, [ticket]));
}

function withdrawing(engine: Engine): void {
  test('a withdrawn ticket is not handed out, and those behind it are', async () => {
    const world = await engine.open();
    const [first = '', second, third = ''] = await submitMany(world, 'amy', 3);
    await withdraw(world, first);
    await withdraw(world, third);
    await withdraw(world, uuid());
    expect(jobIds(await take(world, 9))).toEqual([second]);
  });

  test('withdraws a delayed ticket, but not one that a worker has', async () => {
    const world = await engine.open();
    const [delayed = '', running = ''] = await submitMany(world, 'amy', 2);
    await requeue(world, await mustTake(world), 1);
    const delivery = await mustTake(world);
    await withdraw(world, delayed);
    await withdraw(world, running);
    expect(await world.queue.renewLease(delivery)).toBe(true);
    expect(await remove(world, delivery)).toBe(true);
    await sleep(1100);
    expect(await take(world, 9)).toEqual([]);
  });

  test('a ticket whose job has ended all the same is removed by the worker that takes it', async () => {
    const world = await engine.open();
    const { store, queue } = world;
    const [ended = '', live] = await submitMany(world, 'amy', 2);
    await store.transactions.run((tx) => store.jobs.endPending(tx, [ended], 'CANCELLED', CANCELLED, AT));
    const deps = { ...store, queue, now: () => new Date(AT) };
    expect(await claimJobs(deps, [ONE], 60_000)).toEqual({ claimed: [], more: true });
    expect(await claimJobs(deps, [ONE], 60_000)).toMatchObject({
      claimed: [{ delivery: { jobId: live } }],
      more: false,
    });
  });

  test('while a worker claims a job, its cancellation does not wait, and the worker finds it', async ({ skip }) => {
    if (!engine.isConcurrent) skip('transactions run one after the other');
    const world = await engine.open();
    const { store, queue } = world;
    const jobId = await submitOne(world);
    const ticket = await store.jobs.ticketOf(jobId);
    await store.transactions.run(async (tx) => {
      expect(await queue.take(tx, ONE)).toHaveLength(1);
      await store.transactions.run(async (other) => {
        await store.jobs.endPending(other, [jobId], 'CANCELLED', CANCELLED, AT);
        if (ticket !== undefined) await queue.withdraw(other, [ticket]);
      });
      expect(await store.jobs.claim(tx, jobId, AT)).toBeUndefined();
    });
  });
}

function leases(engine: Engine): void {
  test('after a lease expires, another worker gets the ticket with a higher receipt, and the first worker has lost it', async () => {
    const world = await engine.open({ shortLeases: true });
    await submitOne(world);
    const first = await mustTake(world);
    expect(await take(world)).toEqual([]);
    await sleep(engine.leaseSeconds * 1000 + 100);
    const second = await takeWithin(world, 30);
    expect(second.jobId).toBe(first.jobId);
    expect(second.receipt).toBeGreaterThan(first.receipt);
    expect(await world.queue.renewLease(first)).toBe(false);
    expect(await remove(world, first)).toBe(false);
    expect(await requeue(world, first)).toBe(false);
    expect(await remove(world, second)).toBe(true);
  });

  test('a worker may renew, remove and requeue after its lease has expired, until another worker has the ticket', {
    tags: 'long',
  }, async () => {
    const world = await engine.open({ shortLeases: true });
    const submitted = await submitMany(world, 'amy', 3);
    const [renewed, removed, requeued] = await take(world, 3);
    if (renewed === undefined || removed === undefined || requeued === undefined) throw new Error('Too few tickets.');
    await sleep((engine.leaseSeconds + engine.noticeSeconds) * 1000 + 100);
    expect(await world.queue.renewLease(renewed)).toBe(true);
    expect(await remove(world, removed)).toBe(true);
    expect(await requeue(world, requeued)).toBe(true);
    // A delivery that has ended gets no ticket back, although no other worker has it.
    expect(await world.queue.renewLease(requeued)).toBe(false);
    expect(await remove(world, requeued)).toBe(false);
    expect(jobIds(await take(world, 3))).toEqual([submitted[2]]);
    expect(await remove(world, renewed)).toBe(true);
  });

  test('a renewed lease does not expire', async () => {
    const world = await engine.open({ shortLeases: true });
    await submitOne(world);
    const delivery = await mustTake(world);
    for (let i = 0; i < 4; i++) {
      await sleep((engine.leaseSeconds / 3) * 1000);
      expect(await world.queue.renewLease(delivery)).toBe(true);
    }
    expect(await take(world)).toEqual([]);
  });

  test('hands out a requeued ticket at once, and a delayed one after its delay', async () => {
    const world = await engine.open();
    const jobId = await submitOne(world);
    const first = await mustTake(world);
    expect(await requeue(world, first)).toBe(true);
    const second = await mustTake(world);
    expect(second).toMatchObject({ jobId });
    expect(second.receipt).toBeGreaterThan(first.receipt);
    expect(await requeue(world, second, 1)).toBe(true);
    expect(await remove(world, second)).toBe(false);
    expect(await take(world)).toEqual([]);
    await sleep(1100);
    expect(await mustTake(world)).toMatchObject({ jobId });
  });

  test('a requeued ticket is handed out before the later tickets of its client', async () => {
    const world = await engine.open();
    const [first, second, third] = await submitMany(world, 'amy', 3);
    await requeue(world, await mustTake(world), 1);
    const other = await mustTake(world);
    expect(other.jobId).toBe(second);
    await sleep(1100);
    await requeue(world, other);
    expect(jobIds(await take(world, 3))).toEqual([first, second, third]);
  });

  test('after a restart, hands out again all tickets that workers had', async ({ skip }) => {
    const world = await engine.open();
    if (world.queue.releaseAll === undefined) skip('the workers of the engine survive a restart');
    const jobs = [...(await submitMany(world, 'amy', 2)), await submitOne(world, 'bob')];
    const lost = await take(world, 9);
    expect(lost).toHaveLength(3);
    expect(await world.queue.releaseAll?.()).toBe(3);
    expect(jobIds(await take(world, 9)).sort()).toEqual(jobs.sort());
    for (const delivery of lost) expect(await remove(world, delivery)).toBe(false);
  });
}

function fairness(engine: Engine): void {
  test("a client with 10,000 queued jobs does not delay another client's first", async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 10_000);
    for (let i = 0; i < 4; i++) await startNext(world);
    const urgent = await submitOne(world, 'bob');
    expect((await startNext(world))?.jobId).toBe(urgent);
  });

  test('clients with many jobs take turns', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 50);
    await startNext(world);
    await submitMany(world, 'bob', 50);
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 20; i++) order.push((await startNext(world))?.clientId);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'bob' : 'amy')));
  });

  test('a client gains no turns by cancelling queued jobs', async () => {
    const world = await engine.open();
    const { store, queue } = world;
    const submitAndCancel = async (): Promise<void> => {
      const jobId = await submitOne(world, 'amy');
      const ticket = await store.jobs.ticketOf(jobId);
      await store.transactions.run(async (tx) => {
        await store.jobs.endPending(tx, [jobId], 'CANCELLED', CANCELLED, AT);
        if (ticket !== undefined) await queue.withdraw(tx, [ticket]);
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
      const { claimed } = await claimJobs({ ...store, queue, now: () => new Date(AT) }, [ONE], 60_000);
      order.push(...claimed.map(({ delivery }) => delivery.clientId));
    }
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'amy' : 'bob')));
  });

  test('a client that could not take its turns makes up for none of them, and comes next', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 60);
    await submitMany(world, 'bob', 60);
    const held = { ...ONE, without: ['amy'] };
    for (let i = 0; i < 40; i++) await world.store.transactions.run((tx) => world.queue.take(tx, held));
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 20; i++) order.push((await startNext(world))?.clientId);
    expect(order[0]).toBe('amy');
    expect(order.slice(0, 10).filter((clientId) => clientId === 'amy').length).toBeLessThanOrEqual(6);
    expect(order.slice(10).filter((clientId) => clientId === 'amy')).toHaveLength(5);
  });

  test('a client that has used its turns alone does not wait for one that comes later to catch up', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 60);
    for (let i = 0; i < 30; i++) await startNext(world);
    await submitMany(world, 'bob', 60);
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 10; i++) order.push((await startNext(world))?.clientId);
    expect(order).toEqual(Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'bob' : 'amy')));
  });

  test('a job with a priority starts before all others of its client, and takes no turn from another client', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 300);
    const bobs = await submitMany(world, 'bob', 20);
    // A client has a first turn in each queue, so both have jobs in two.
    await submitOne(world, 'bob', LIGHT);
    const light = { jobId: newJobId(), clientId: 'amy', request: '{}', ...LIGHT, priority: 1 };
    const urgent = Array.from({ length: 3 }, () => ({ ...light, jobId: newJobId(), ...ORDINARY, priority: 5 }));
    const deps = { ...world.store, queue: world.queue, now: () => new Date(AT) };
    await world.store.transactions.run((tx) => insertJobs(deps, tx, [light, ...urgent]));
    const taken: Delivery[] = [];
    for (let i = 0; i < 8; i++) taken.push(await mustTake(world));
    const ofClient = (clientId: string) => jobIds(taken.filter((one) => one.clientId === clientId));
    expect(ofClient('amy')).toEqual([...urgent.map(({ jobId }) => jobId), light.jobId]);
    expect(ofClient('bob')).toEqual(bobs.slice(0, 4));
  });

  test('a heavy job that waits for room keeps its place while light jobs of its client start', async () => {
    const world = await engine.open();
    const heavy = await submitOne(world, 'amy', HEAVY);
    const lights = await submitMany(world, 'amy', 5, LIGHT);
    await submitMany(world, 'bob', 5);
    const room = { free: 100, heaviest: 200 };
    for (const light of lights) {
      // The film of bob would fit.
      expect(jobIds(await takeInto(world, room))).toEqual([]);
      expect(jobIds(await takeInto(world, room, { lanes: ['light'], slots: 1 }))).toEqual([light]);
    }
    expect(jobIds(await takeInto(world, { free: 200, heaviest: 200 }, { slots: 1 }))).toEqual([heavy]);
  });

  test('a client at its limit does not delay the clients behind it', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 2000);
    await startNext(world, 1);
    const [first, second] = [await submitOne(world, 'bob'), await submitOne(world, 'cat')];
    expect(jobIds(await take(world, 9, 1))).toEqual([first, second]);
  });
}

/** Takes what fits into a room. */
const takeInto = ({ store, queue }: World, room: Room, request: Partial<TakeRequest> = {}) =>
  store.transactions.run((tx) => queue.take(tx, { slots: 9, perClient: 9, ...ANYTHING, room, ...request }));

function rooms(engine: Engine): void {
  test('hands out what fits into the room of a worker, by weight', async () => {
    const world = await engine.open();
    const light = await submitMany(world, 'amy', 4, LIGHT);
    const films = await submitMany(world, 'amy', 3);
    expect(jobIds(await takeInto(world, { free: 200, heaviest: 400 }))).toEqual([...light, films[0]]);
    expect(jobIds(await takeInto(world, { free: 199, heaviest: 400 }))).toEqual([films[1]]);
    expect(await takeInto(world, { free: 99, heaviest: 400 })).toEqual([]);
  });

  test('a heavy job fits an empty worker of any size, and is not overtaken while it waits for room', async () => {
    const world = await engine.open();
    const heavy = await submitOne(world, 'amy', HEAVY);
    const film = await submitOne(world, 'bob');
    const blocked: number[] = [];
    const onBlocked = (weight: number): void => void blocked.push(weight);
    expect(await takeInto(world, { free: 100, heaviest: 200 }, { onBlocked })).toEqual([]);
    expect(blocked).toEqual([HEAVY.weight]);
    expect(await takeInto(world, { free: 100, heaviest: 100 }, { onBlocked })).toMatchObject([
      { jobId: heavy, ...HEAVY },
    ]);
    expect(jobIds(await takeInto(world, { free: 100, heaviest: 100 }, { onBlocked }))).toEqual([film]);
    expect(await takeInto(world, { free: 100, heaviest: 100 }, { onBlocked })).toEqual([]);
  });

  test('says that no ticket is left only if none is', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 2, LIGHT);
    let empty = 0;
    const onEmpty = (): void => {
      empty += 1;
    };
    await takeInto(world, { free: LIGHT.weight, heaviest: 400 }, { onEmpty });
    expect(empty).toBe(0);
    await takeInto(world, { free: LIGHT.weight, heaviest: 400 }, { onEmpty });
    expect(empty, 'an engine with several takers never says so').toBe(engine.name === 'SQLite' ? 1 : 0);
  });

  test('hands out no more to a client than its own limit, also to takers at the same time', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 8);
    const bobs = await submitMany(world, 'bob', 2);
    const request = { ofClients: new Map([['amy', 2]]), perClient: Number.POSITIVE_INFINITY };
    const takeFour = () => takeInto(world, { free: 400, heaviest: 400 }, request);
    const taken = (await Promise.all([takeFour(), takeFour(), takeFour()])).flat();
    expect(jobIds(taken)).toEqual(expect.arrayContaining(bobs));
    const amys = taken.filter(({ clientId }) => clientId === 'amy');
    // A taker passes over a client of which another one is taking tickets, so it may take one more try.
    const later = (await takeFour()).filter(({ clientId }) => clientId === 'amy');
    expect([...amys, ...later]).toHaveLength(2);
    const [first] = [...amys, ...later];
    if (first === undefined) throw new Error('No ticket was handed out.');
    await remove(world, first);
    expect(await takeFour()).toMatchObject([{ clientId: 'amy' }]);
  });

  test('of clients with the same turn, checks and hands out the same one', async () => {
    const world = await engine.open();
    const [older, newer] = [uuid(), uuid()];
    await world.store.transactions.run(async (tx) => {
      // The newer ticket comes first in the table.
      await world.queue.enqueue(tx, [{ jobId: newer, clientId: 'amy', priority: 0, ...HEAVY }]);
      await world.queue.enqueue(tx, [{ jobId: older, clientId: 'bob', priority: 0, ...HEAVY, weight: 100 }]);
    });
    const request = { ofClients: new Map([['amy', 1]]) };
    expect(await takeInto(world, { free: 100, heaviest: 400 }, request)).toMatchObject([
      { jobId: older, clientId: 'bob', weight: 100 },
    ]);
  });

  test('takers at the same time together hand out no more to any client than the limit of all', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 8);
    await submitMany(world, 'bob', 8);
    const takeTwo = () => takeInto(world, { free: 800, heaviest: 400 }, { perClient: 2 });
    const taken = [...(await Promise.all([takeTwo(), takeTwo(), takeTwo()])).flat(), ...(await takeTwo())];
    expect(taken.filter(({ clientId }) => clientId === 'amy')).toHaveLength(2);
    expect(taken.filter(({ clientId }) => clientId === 'bob')).toHaveLength(2);
  });

  test('jobs that fetch their inputs need no room, but do not overtake', async () => {
    const world = await engine.open();
    const early = await submitMany(world, 'amy', 2, FETCH);
    const film = await submitOne(world, 'amy');
    await submitMany(world, 'amy', 2, FETCH);
    const full = { free: 0, heaviest: 200 };
    expect(await takeInto(world, full, { fetches: fetchRoom(9) })).toMatchObject(
      early.map((jobId) => ({ jobId, ...FETCH })),
    );
    expect(await takeInto(world, full, { fetches: fetchRoom(9) })).toEqual([]);
    expect(jobIds(await takeInto(world, { free: 100, heaviest: 200 }, { fetches: fetchRoom(0) }))).toEqual([film]);
  });

  test('a worker without room for the next job does not keep another worker from it', async ({ skip }) => {
    if (!engine.isConcurrent) skip('transactions run one after the other');
    const world = await engine.open();
    const { store, queue } = world;
    const [film, heavy] = [await submitOne(world, 'amy'), await submitOne(world, 'amy', HEAVY)];
    await submitMany(world, 'amy', 2, FETCH);
    for (const [next, free] of [
      [film, 0],
      [heavy, 100],
    ] as const) {
      const taken = await store.transactions.run(async (tx) => {
        const request = { slots: 9, perClient: 9, ...ANYTHING, fetches: fetchRoom(9) };
        expect(await queue.take(tx, { ...request, room: { free, heaviest: 400 } })).toEqual([]);
        return takeInto(world, { free: 200, heaviest: 400 }, { slots: 1 });
      });
      expect(jobIds(taken)).toEqual([next]);
    }
  });

  test('a worker gets so many jobs that fetch, of which a client has its share, and others pass them by', async () => {
    const world = await engine.open();
    const amys = await submitMany(world, 'amy', 5, FETCH);
    const bobs = await submitMany(world, 'bob', 5, { ...FETCH, needs: ['encoder:libsvtav1'] });
    const film = await submitOne(world, 'amy');
    const room = { free: 900, heaviest: 900 };
    const taken = jobIds(await takeInto(world, room, { fetches: fetchRoom(4, 3, ['amy', 1]) }));
    expect(taken.toSorted()).toEqual([...amys.slice(0, 2), ...bobs.slice(0, 2), film].toSorted());
    expect(await takeInto(world, room, { fetches: fetchRoom(2, 3, ['amy', 3], ['bob', 3]) })).toEqual([]);
    expect(jobIds(await takeInto(world, room, { fetches: fetchRoom(2, 3, ['amy', 3]) }))).toEqual(bobs.slice(2, 4));
  });

  test('of the jobs that need a device, only as many are handed out as it takes, and others pass them by', async () => {
    const world = await engine.open();
    const onDevice = await submitMany(world, 'amy', 3, ON_DEVICE);
    const films = await submitMany(world, 'amy', 2);
    const room = { free: 900, heaviest: 900 };
    const devices = (free: number) => ({ devices: new Map([['cuda', free]] as const) });
    expect(jobIds(await takeInto(world, room, devices(1)))).toEqual([onDevice[0], ...films]);
    expect(await takeInto(world, room, devices(0))).toEqual([]);
    expect(jobIds(await takeInto(world, room, devices(9)))).toEqual(onDevice.slice(1));
  });

  test('a job that needs a device is handed out only to a worker that has one', async () => {
    const world = await engine.open();
    const [onDevice] = await submitMany(world, 'amy', 1, ON_DEVICE);
    const room = { free: 900, heaviest: 900 };
    expect(await takeInto(world, room, { has: () => false })).toEqual([]);
    expect(jobIds(await takeInto(world, room, { has: (need) => ON_DEVICE.needs.some((one) => one === need) }))).toEqual(
      [onDevice],
    );
  });

  test('hands out nothing to the clients that a worker leaves out', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 3);
    const bobs = await submitMany(world, 'bob', 2);
    expect(jobIds(await takeInto(world, { free: 900, heaviest: 900 }, { without: ['amy'] }))).toEqual(bobs);
  });
}

const HEAVY = { lane: 'full', weight: 200, needs: [] } as const;
const LIGHT = { lane: 'light', weight: 25, needs: [] } as const;
const FETCH = { lane: 'fetch', weight: 100, needs: [] } as const;

const ON_DEVICE = { lane: 'full', weight: 50, needs: ['device:cuda', 'device:h264_nvenc'] } as const;

const fetchRoom = (free: number, perClient = 9, ...ofClients: readonly (readonly [string, number])[]): FetchRoom => ({
  ...{ free, perClient },
  ofClients: new Map(ofClients),
});
const AV1 = { lane: 'full', weight: 200, needs: ['encoder:libsvtav1'] } as const;
const LONG = { lane: 'full', weight: 100, needs: ['speed:x264'] } as const;
const AV1_AND_OPUS = { lane: 'light', weight: 50, needs: ['encoder:libopus', 'encoder:libsvtav1'] } as const;

/** A worker that runs jobs of any lane and has only these. */
const having = (...offered: string[]): Offer => ({ ...ANYTHING, has: (need) => offered.includes(need) });

function requirements(engine: Engine): void {
  test('hands out only tickets of the lanes that are asked for', async () => {
    const world = await engine.open();
    const film = await submitOne(world, 'amy');
    const thumbnail = await submitOne(world, 'amy', LIGHT);
    const light: Offer = { ...ANYTHING, lanes: ['light'] };
    expect(await take(world, 9, 9, light)).toMatchObject([{ jobId: thumbnail, ...LIGHT }]);
    expect(await take(world, 9, 9, light)).toEqual([]);
    expect(await take(world, 9, 9, { ...ANYTHING, lanes: ['full'] })).toMatchObject([{ jobId: film, ...ORDINARY }]);
  });

  test('hands a ticket with needs only to a worker that has all of them', async () => {
    const world = await engine.open();
    const av1 = await submitOne(world, 'amy', AV1);
    const both = await submitOne(world, 'amy', AV1_AND_OPUS);
    const plain = await submitOne(world, 'amy');
    expect(jobIds(await take(world, 9, 9, having()))).toEqual([plain]);
    expect(jobIds(await take(world, 9, 9, having('encoder:libopus')))).toEqual([]);
    const [delivery] = await take(world, 9, 9, having('encoder:libsvtav1'));
    expect(delivery).toMatchObject({ jobId: av1, ...AV1 });
    expect(await take(world, 9, 9, having('encoder:libopus', 'encoder:libsvtav1'))).toMatchObject([
      { jobId: both, ...AV1_AND_OPUS },
    ]);
    if (delivery === undefined) throw new Error('No ticket was handed out.');
    expect(await world.queue.renewLease(delivery)).toBe(true);
    expect(await requeue(world, delivery)).toBe(true);
    const [again] = await take(world, 9, 9, having('encoder:libsvtav1'));
    expect(again?.jobId).toBe(av1);
    if (again !== undefined) expect(await remove(world, again)).toBe(true);
  });

  test('a job shows the ticket with which it was stored', async () => {
    const world = await engine.open();
    const jobId = await submitOne(world, 'amy', AV1_AND_OPUS);
    expect(await world.store.jobs.ticketOf(jobId)).toEqual({
      jobId,
      clientId: 'amy',
      priority: 0,
      ...AV1_AND_OPUS,
    });
    expect(await world.store.jobs.ticketsOf('', 5)).toHaveLength(1);
    expect(await world.store.jobs.ticketOf(uuid())).toBeUndefined();
  });

  test('leaves a long job to other workers for a while, and takes those behind it', async ({ skip }) => {
    if (!engine.isConcurrent) skip('one worker has nobody to leave a job to');
    const world = await engine.open();
    const long = await submitOne(world, 'amy', LONG);
    const others = [await submitOne(world, 'amy'), await submitOne(world, 'bob')];
    const leaving = (seconds: number): Offer => ({
      ...ANYTHING,
      leaveFor: (need) => (need === 'speed:x264' ? seconds : 0),
    });
    expect(jobIds(await take(world, 9, 9, leaving(60))).sort()).toEqual(others.sort());
    expect(await take(world, 9, 9, leaving(60))).toEqual([]);
    expect(await world.queue.hasTickets()).toBe(true);
    await sleep(300);
    expect(await take(world, 9, 9, leaving(0.2))).toMatchObject([{ jobId: long, ...LONG }]);
  });

  test('hands a long job at once to a worker that does not leave it', async () => {
    const world = await engine.open();
    const long = await submitOne(world, 'amy', LONG);
    expect(await take(world, 9, 9, { ...ANYTHING, leaveFor: () => 0 })).toMatchObject([{ jobId: long }]);
  });

  test('withdraws a ticket with needs', async () => {
    const world = await engine.open();
    const [first = '', second] = await submitMany(world, 'amy', 2, AV1);
    await withdraw(world, first);
    expect(jobIds(await take(world, 9))).toEqual([second]);
  });

  test('restores a ticket with its lane and needs', async ({ skip }) => {
    const world = await engine.open();
    if (world.queue.restore === undefined) skip('the engine loses no tickets');
    const jobId = await submitOne(world, 'amy', AV1);
    for (const delivery of await take(world)) await remove(world, delivery);
    await restoreTickets({ ...world.store, queue: world.queue });
    expect(await take(world, 9, 9, having())).toEqual([]);
    expect(jobIds(await take(world, 9, 9, having('encoder:libsvtav1')))).toEqual([jobId]);
  });

  test("a client with 10,000 jobs does not delay another client's first, whatever their lanes and needs", async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 10_000);
    for (let i = 0; i < 3; i++) await startNext(world);
    const [bobs, cats] = [await submitOne(world, 'bob', AV1), await submitOne(world, 'cat', LIGHT)];
    expect([(await startNext(world))?.jobId, (await startNext(world))?.jobId].sort()).toEqual([bobs, cats].sort());
  });

  test('clients take turns across lanes and needs', async () => {
    const world = await engine.open();
    const of = { amy: ORDINARY, bob: LIGHT, cat: AV1 };
    for (const [clientId, required] of Object.entries(of)) await submitMany(world, clientId, 20, required);
    const order: (string | undefined)[] = [];
    for (let i = 0; i < 30; i++) order.push((await startNext(world))?.clientId);
    for (let turn = 0; turn < 30; turn += 3) expect(order.slice(turn, turn + 3).sort()).toEqual(['amy', 'bob', 'cat']);
  });

  test('a worker that lacks what the next jobs need takes those behind them', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 50, AV1);
    const plain = await submitMany(world, 'bob', 3);
    expect(jobIds(await take(world, 9, 100, having()))).toEqual(plain);
  });

  test("counts a client's deliveries in all lanes", async () => {
    const world = await engine.open();
    await submitOne(world, 'amy');
    await submitOne(world, 'amy', LIGHT);
    await submitOne(world, 'amy', AV1);
    const bobs = await submitOne(world, 'bob', AV1);
    expect(await take(world, 1, 2, { ...ANYTHING, lanes: ['light'] })).toHaveLength(1);
    const deliveries = await take(world, 9, 2, having('encoder:libsvtav1'));
    expect(deliveries).toHaveLength(2);
    expect(jobIds(deliveries)).toContain(bobs);
    expect(await take(world, 9, 2)).toEqual([]);
  });

  test('many takers get every ticket of every lane once, and none waits for another', async () => {
    const world = await engine.open();
    const submitted = [
      ...(await submitMany(world, 'amy', 40)),
      ...(await submitMany(world, 'bob', 40, LIGHT)),
      ...(await submitMany(world, 'cat', 40, AV1)),
    ];
    const all: string[] = [];
    const runTaker = async (offer: Offer): Promise<void> => {
      for (;;) {
        const taken = jobIds(await take(world, 3, 200, offer));
        if (taken.length === 0) return;
        all.push(...taken);
      }
    };
    await Promise.all([...Array.from({ length: 4 }, () => runTaker(ANYTHING)), runTaker(having()), runTaker(having())]);
    expect(all.toSorted()).toEqual(submitted.toSorted());
  });
}
