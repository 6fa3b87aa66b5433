import { v7 as uuid } from 'uuid';
import { describe, expect, test, vi } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { CANCELLED_ON_REQUEST } from '../../packages/service/src/jobs/end-job.ts';
import { insertJobs } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { decideDelivery } from '../../packages/service/src/webhooks/decide-delivery.ts';
import type { WebhookEndpoint } from '../../packages/service/src/webhooks/ports/endpoints.ts';
import type { ClaimedDelivery } from '../../packages/service/src/webhooks/ports/outbox.ts';
import { recordJobEnd } from '../../packages/service/src/webhooks/record-job-end.ts';
import { recordWatchEvent } from '../../packages/service/src/webhooks/record-watch-event.ts';
import { AT, type Engine, endAny, REQUEST, type World } from './engine.ts';

const URL_A = 'https://a.example.org/hook';
const CALLBACK = 'https://user:pass@b.example.org/done?key=1';
const LEASE = 60;
const NEVER = 1e9;

const endpointOf = (change: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  webhookId: uuid(),
  clientId: 'amy',
  url: URL_A,
  createdAt: AT,
  ...change,
});

async function addEndpoint({ store }: World, change: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> {
  const endpoint = endpointOf(change);
  expect(await store.webhookEndpoints.add(endpoint, 'whsec_b25l', 20)).toBe(true);
  return endpoint;
}

/** Cancels a new job of amy, with webhooks. Returns its id. */
async function endOne(world: World, request: object = REQUEST): Promise<string> {
  const { store, queue } = world;
  const jobId = uuid();
  const job = { jobId, clientId: 'amy', request: JSON.stringify(request), ...ORDINARY };
  await store.transactions.run((tx) => insertJobs({ ...store, queue, now: () => new Date(AT) }, tx, [job]));
  const endWrites = {
    events: recordJobEnd({
      outbox: store.webhookOutbox,
      viewOf: ({ jobId: id }) => ({ jobId: id }) as never,
      viewOfBatch: () => ({}) as never,
      onOverLimit: () => {},
    }),
  };
  const deps = { ...store, queue, changes: { publish: () => {} }, now: () => new Date(), endWrites };
  expect(await endAny(deps, { queued: { jobId, clientId: 'amy' }, error: CANCELLED_ON_REQUEST })).toBe(true);
  return jobId;
}

const receivers = async ({ store }: World, after = '', limit = 100) =>
  (await store.webhookOutbox.receiversAfter(after, limit)).map(({ name, isDue }) => (isDue ? name : `(${name})`));

const claimAll = async (world: World, limit = 100): Promise<readonly ClaimedDelivery[]> => {
  const { webhookOutbox } = world.store;
  const claimed = [];
  for (const { name } of await webhookOutbox.receiversAfter('', 100))
    claimed.push(...(await webhookOutbox.claim(name, limit, LEASE)));
  return claimed;
};

async function claimOne(world: World): Promise<ClaimedDelivery> {
  const [claimed] = await claimAll(world, 1);
  if (claimed === undefined) throw new Error('There is nothing to claim.');
  return claimed;
}

const attempt = (status: number) => ({ at: AT, seconds: 0.1, status });
const delivered = { state: 'DELIVERED', attempt: attempt(204) } as const;
const givenUp = { state: 'FAILED', attempt: attempt(503) } as const;
const retryNow = { state: 'PENDING', attempt: attempt(503), afterSeconds: 0 } as const;

export function webhooksContract(engine: Engine): void {
  describe(`webhooks on ${engine.name}`, () => {
    test('an endpoint is stored as it was sent, and only its client sees it', async () => {
      const world = await engine.open();
      const { webhookEndpoints } = world.store;
      const endpoint = await addEndpoint(world, { events: ['job.failed'], description: 'orders' });
      const second = await addEndpoint(world);
      expect(await webhookEndpoints.list('amy')).toEqual([endpoint, second]);
      expect(await webhookEndpoints.get('amy', endpoint.webhookId)).toEqual(endpoint);
      expect(await webhookEndpoints.list('bob')).toEqual([]);
      expect(await webhookEndpoints.get('bob', endpoint.webhookId)).toBeUndefined();
      expect(await webhookEndpoints.change('bob', endpoint.webhookId, { url: 'x' }, AT)).toBe(false);
      expect(await webhookEndpoints.remove('bob', endpoint.webhookId)).toBe(false);
    });

    test('a client has no more endpoints than allowed, even if it adds several at once', async () => {
      const { webhookEndpoints } = await engine.openStore();
      const added = await Promise.all([1, 2, 3].map(() => webhookEndpoints.add(endpointOf(), 'whsec_b25l', 2)));
      expect(added.filter(Boolean)).toHaveLength(2);
      expect(await webhookEndpoints.add(endpointOf({ clientId: 'bob' }), 'whsec_b25l', 2)).toBe(true);
    });

    test('a change changes only its members; enabling forgets the failure', async () => {
      const world = await engine.open();
      const { webhookEndpoints } = world.store;
      const endpoint = await addEndpoint(world, { events: ['job.failed'], description: 'orders' });
      const { webhookId } = endpoint;
      const change = (to: Parameters<typeof webhookEndpoints.change>[2]) =>
        webhookEndpoints.change('amy', webhookId, to, AT);
      expect(await change({ isEnabled: false })).toBe(true);
      expect(await webhookEndpoints.get('amy', webhookId)).toEqual({
        ...endpoint,
        disabled: { at: AT, reason: 'CLIENT' },
      });
      expect(await change({ isEnabled: true, events: null, description: null, url: URL_A })).toBe(true);
      const { events: _, description: __, ...plain } = endpoint;
      expect(await webhookEndpoints.get('amy', webhookId)).toEqual(plain);
    });

    test('a rotated secret signs beside the new one until its overlap ends; the one before signs no more', async () => {
      const { webhookEndpoints } = await engine.openStore();
      const owner = { clientId: 'amy', webhookId: undefined };
      const [soon, later] = ['2026-11-20T11:00:00.000Z', '2026-11-20T12:00:00.000Z'];
      const secretsAt = async (at: string) =>
        (await webhookEndpoints.secrets(owner, at)).map(({ secret, expiresAt }) => [secret, expiresAt]);
      expect(await secretsAt(AT)).toEqual([]);
      await webhookEndpoints.rotate(owner, 'one', AT, soon);
      expect(await secretsAt(AT)).toEqual([['one', undefined]]);
      await webhookEndpoints.rotate(owner, 'two', AT, soon);
      expect(await secretsAt(AT)).toEqual([
        ['two', undefined],
        ['one', soon],
      ]);
      expect(await secretsAt(later)).toEqual([['two', undefined]]);
      await webhookEndpoints.rotate(owner, 'three', AT, soon);
      expect(await secretsAt(AT)).toEqual([
        ['three', undefined],
        ['two', soon],
      ]);
      expect(await webhookEndpoints.secrets({ clientId: 'bob', webhookId: undefined }, AT)).toEqual([]);
    });

    test('the end of a job is stored with a delivery to each endpoint that wants it, and to the callback', async () => {
      const world = await engine.open();
      const all = await addEndpoint(world);
      await addEndpoint(world, { events: ['job.completed'] });
      await addEndpoint(world, { clientId: 'bob' });
      const disabled = await addEndpoint(world);
      await world.store.webhookEndpoints.change('amy', disabled.webhookId, { isEnabled: false }, AT);
      const jobId = await endOne(world, { ...REQUEST, callbackUrl: CALLBACK });
      const deliveries = await world.store.webhookOutbox.ofJob(jobId, { limit: 9 });
      expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([undefined, all.webhookId]);
      for (const each of deliveries)
        expect(each).toMatchObject({ state: 'PENDING', event: 'job.cancelled', jobId, attemptCount: 0, attempts: [] });
      const claimed = await claimAll(world);
      expect(claimed.map(({ url }) => url).toSorted()).toEqual([URL_A, CALLBACK]);
      const payloads = claimed.map(({ message }) => JSON.parse(message.payload));
      for (const payload of payloads)
        expect(payload).toEqual({ type: 'job.cancelled', timestamp: expect.any(String), data: { jobId } });
      expect(new Set(claimed.map(({ message }) => message.messageId)).size).toBe(1);
    });

    test('a client has a limited number of unfinished deliveries; so many above are given up, and further ones not stored', async () => {
      const world = await engine.open();
      const { webhookOutbox: outbox, transactions } = world.store;
      const endpoint = await addEndpoint(world);
      const store = async (clientId: string) => {
        const deliveryId = uuid();
        const message = {
          messageId: uuid(),
          clientId,
          jobId: uuid(),
          event: 'job.failed',
          payload: '{}',
          createdAt: AT,
        } as const;
        const delivery = { deliveryId, createdAt: AT, receiver: { webhookId: endpoint.webhookId } };
        const storage = await transactions.run((tx) => outbox.insert(tx, message, [delivery], limits));
        return { storage, deliveryId, ...(await outbox.get(clientId, deliveryId)) };
      };
      const limits = { unfinished: 3, unsent: 2 };
      // A name that begins like that of the client.
      for (let i = 0; i < 3; i += 1) expect(await store('amy2')).toMatchObject({ state: 'PENDING' });
      for (let i = 0; i < 3; i += 1) expect(await store('amy')).toMatchObject({ state: 'PENDING' });
      const over = await store('amy');
      const givenUp = {
        storage: 'GIVEN_UP',
        state: 'FAILED',
        endedAt: AT,
        reason: expect.stringContaining('3 unfinished'),
      };
      expect(over).toMatchObject(givenUp);
      expect(await store('amy')).toMatchObject(givenUp);
      const lost = await store('amy');
      expect(lost).toEqual({ storage: 'NOT_STORED', deliveryId: lost.deliveryId });
      expect(await store('amy2')).toMatchObject(givenUp);
      // It can be replayed once there is room again.
      const replay = (more?: typeof limits) =>
        outbox.replay(over.deliveryId, { deliveryId: uuid(), createdAt: AT }, more);
      expect(await replay(limits)).toBe('NO_ROOM');
      await vi.waitFor(async () => expect(await replay({ ...limits, unfinished: 4 })).toBe('DUE'), { timeout: 10_000 });
      expect(await outbox.replay(uuid(), { deliveryId: uuid(), createdAt: AT })).toBe('FORGOTTEN');
    });

    test('an event of a watch is delivered once to each endpoint, and its delivery names the watch and the event', async () => {
      const world = await engine.open();
      const endpoint = await addEndpoint(world);
      await addEndpoint(world, { webhookId: uuid(), events: ['job.failed'] });
      const record = recordWatchEvent({ outbox: world.store.webhookOutbox, onOverLimit: () => {} });
      const watchId = uuid();
      const data = { watchId, client: 'amy', folder: 'in/' };
      const content = { type: 'watch.reachable', timestamp: AT, data } as const;
      await world.store.transactions.run((tx) => record(tx, content));
      const claimed = await claimAll(world);
      expect(claimed.map(({ webhookId, message }) => [webhookId, message.watchId])).toEqual([
        [endpoint.webhookId, watchId],
      ]);
      expect(JSON.parse(claimed[0]?.message.payload ?? '')).toEqual({ type: 'watch.reachable', timestamp: AT, data });
      const deliveryId = claimed[0]?.deliveryId ?? '';
      expect(await world.store.webhookOutbox.get('amy', deliveryId)).toMatchObject({
        watchId,
        event: 'watch.reachable',
      });
      const again = uuid();
      expect(await world.store.webhookOutbox.replay(deliveryId, { deliveryId: again, createdAt: AT })).toBe('DUE');
      expect(await world.store.webhookOutbox.get('amy', again)).toMatchObject({ watchId });
    });

    test('a job without receivers stores nothing', async () => {
      const world = await engine.open();
      await endOne(world);
      expect(await receivers(world)).toEqual([]);
      expect(await world.store.webhookOutbox.backlog()).toEqual({ deliveries: 0, oldestSeconds: 0 });
    });

    test('concurrent claims never get the same delivery, and a claimed one is not due', async () => {
      const world = await engine.open();
      await addEndpoint(world);
      for (let i = 0; i < 12; i += 1) await endOne(world);
      const claimed = (await Promise.all([1, 2, 3, 4].map(() => claimAll(world, 5)))).flat();
      const ids = claimed.map(({ deliveryId }) => deliveryId);
      expect(new Set(ids).size).toBe(ids.length);
      const rest = await claimAll(world);
      expect(ids.length + rest.length).toBe(12);
      expect(await receivers(world)).toEqual([expect.stringMatching(/^\(amy\//)]);
      expect(await world.store.webhookOutbox.backlog()).toMatchObject({ deliveries: 12 });
    });

    test('receivers are listed in order, from any position and however many deliveries they have', async () => {
      const world = await engine.open();
      const endpoints = [await addEndpoint(world), await addEndpoint(world), await addEndpoint(world)];
      for (let i = 0; i < 3; i += 1) await endOne(world);
      const names = endpoints.map(({ webhookId }) => `amy/${webhookId}`).toSorted();
      expect(await receivers(world)).toEqual(names);
      expect(await receivers(world, '', 2)).toEqual(names.slice(0, 2));
      expect(await receivers(world, names[0])).toEqual(names.slice(1));
      expect(await receivers(world, names[2])).toEqual([]);
    });

    test('an attempt that failed is logged, and its delivery is due again after the pause', async () => {
      const world = await engine.open();
      const { webhookId } = await addEndpoint(world);
      const { webhookOutbox, webhookEndpoints } = world.store;
      await endOne(world);
      const first = await claimOne(world);
      await webhookOutbox.storeOutcome(first, retryNow, NEVER);
      expect((await webhookEndpoints.get('amy', webhookId))?.failingSince).toBeDefined();
      const second = await claimOne(world);
      expect(second).toMatchObject({ deliveryId: first.deliveryId, attemptCount: 1 });
      expect(second.message).toEqual(first.message);
      await webhookOutbox.storeOutcome(second, { ...retryNow, afterSeconds: 100 }, NEVER);
      expect(await claimAll(world)).toEqual([]);
      const shown = await webhookOutbox.get('amy', first.deliveryId);
      expect(shown).toMatchObject({ state: 'PENDING', attemptCount: 2, attempts: [attempt(503), attempt(503)] });
      expect(Date.parse(shown?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 60_000);
      expect(await webhookOutbox.get('bob', first.deliveryId)).toBeUndefined();
    });

    test('the endpoints that fail are those of all clients, also the disabled ones, but not those that their client disabled', async () => {
      const world = await engine.open();
      const { webhookEndpoints } = world.store;
      const fails = { failingSince: '2026-01-02T00:00:00.000Z' };
      await addEndpoint(world);
      const amy = await addEndpoint(world, fails);
      const bob = await addEndpoint(world, { clientId: 'bob', failingSince: '2026-01-01T00:00:00.000Z' });
      const disabled = await addEndpoint(world, {
        failingSince: '2026-01-03T00:00:00.000Z',
        disabled: { at: AT, reason: 'FAILING' },
      });
      await addEndpoint(world, { ...fails, disabled: { at: AT, reason: 'CLIENT' } });
      const ids = (await webhookEndpoints.failing()).map(({ webhookId }) => webhookId);
      expect(ids).toEqual([bob, amy, disabled].map(({ webhookId }) => webhookId));
    });

    test('a delivery that succeeded ends, and its endpoint fails no more', async () => {
      const world = await engine.open();
      const { webhookId } = await addEndpoint(world, { failingSince: AT });
      await endOne(world);
      const claimed = await claimOne(world);
      expect(await world.store.webhookOutbox.storeOutcome(claimed, delivered, 1)).toBeUndefined();
      expect(await world.store.webhookOutbox.get('amy', claimed.deliveryId)).toMatchObject({
        state: 'DELIVERED',
        endedAt: expect.any(String),
        attempts: [attempt(204)],
      });
      expect(await world.store.webhookEndpoints.get('amy', webhookId)).not.toHaveProperty('failingSince');
      expect(await receivers(world)).toEqual([]);
    });

    test('the process whose lease has ended changes nothing', async () => {
      const world = await engine.open();
      await addEndpoint(world);
      await endOne(world);
      const lost = await claimOne(world);
      await world.store.webhookOutbox.releaseAll();
      const claimed = await claimOne(world);
      await world.store.webhookOutbox.storeOutcome(lost, { state: 'FAILED', reason: 'late' }, NEVER);
      expect(await world.store.webhookOutbox.get('amy', lost.deliveryId)).toMatchObject({ state: 'PENDING' });
      await world.store.webhookOutbox.storeOutcome(claimed, delivered, NEVER);
      expect(await world.store.webhookOutbox.get('amy', lost.deliveryId)).toMatchObject({
        state: 'DELIVERED',
        attemptCount: 1,
      });
    });

    test.each([
      ['that replied 410', { state: 'FAILED', attempt: attempt(410), isGone: true } as const, NEVER, 'GONE'],
      ['that has failed for long', givenUp, 3600, 'FAILING'],
    ])('an endpoint %s is disabled, and gives up its deliveries', async (_what, outcome, limit, reason) => {
      const world = await engine.open();
      const { webhookId } = await addEndpoint(world, { failingSince: '2026-01-01T00:00:00.000Z' });
      await endOne(world);
      await endOne(world);
      expect(await world.store.webhookOutbox.storeOutcome(await claimOne(world), outcome, limit)).toBe(reason);
      expect(await world.store.webhookEndpoints.get('amy', webhookId)).toMatchObject({ disabled: { reason } });
      const deliveries = await world.store.webhookOutbox.ofEndpoint(webhookId, { limit: 9 });
      expect(deliveries.map(({ state }) => state)).toEqual(['FAILED', 'FAILED']);
      await endOne(world);
      expect(await world.store.webhookOutbox.ofEndpoint(webhookId, { limit: 9 })).toHaveLength(2);
    });

    test('an endpoint with few events is not disabled by one failure after another, nor by a test', async () => {
      const world = await engine.open();
      const { webhookEndpoints, webhookOutbox } = world.store;
      const { webhookId } = await addEndpoint(world, { failingSince: '2026-01-01T00:00:00.000Z' });
      await endOne(world);
      const claimed = await claimOne(world);
      expect(await webhookOutbox.storeOutcome(claimed, retryNow, 3600)).toBeUndefined();
      const again = await claimOne(world);
      const test = { ...again, message: { ...again.message, event: 'webhook.test' } } as const;
      expect(await webhookOutbox.storeOutcome(test, givenUp, 3600)).toBeUndefined();
      expect(await webhookEndpoints.get('amy', webhookId)).not.toHaveProperty('disabled');
      await webhookEndpoints.change('amy', webhookId, { url: CALLBACK }, AT);
      expect(await webhookEndpoints.get('amy', webhookId), 'another receiver').not.toHaveProperty('failingSince');
    });

    test('an endpoint that is gone keeps no unfinished delivery, whatever others end at the same time', async () => {
      const world = await engine.open();
      const { webhookEndpoints, webhookOutbox } = world.store;
      for (let round = 0; round < 5; round += 1) {
        const { webhookId } = await addEndpoint(world);
        for (let i = 0; i < 6; i += 1) await endOne(world);
        const gone = { state: 'FAILED', attempt: attempt(410), isGone: true } as const;
        const claimed = await claimAll(world, 4);
        const results = await Promise.all(
          claimed.map((one, i) => webhookOutbox.storeOutcome(one, i % 2 === 0 ? gone : retryNow, NEVER)),
        );
        expect(results.filter((reason) => reason === 'GONE')).toHaveLength(1);
        const deliveries = await webhookOutbox.ofEndpoint(webhookId, { limit: 9 });
        expect(deliveries.map(({ state }) => state)).toEqual(Array(6).fill('FAILED'));
        await webhookEndpoints.remove('amy', webhookId);
      }
    });

    test('nothing is sent for a client that is revoked', async () => {
      const world = await engine.open();
      const { clients } = world.store;
      await clients.add({ clientId: 'amy', secretHash: 'x', scopes: [], createdAt: AT });
      await addEndpoint(world);
      const before = await endOne(world, { ...REQUEST, callbackUrl: CALLBACK });
      await clients.update('amy', { revokedAt: AT });
      const claimed = await claimAll(world);
      expect(claimed.map(({ url }) => url)).toEqual([undefined, undefined]);
      const after = await endOne(world, { ...REQUEST, callbackUrl: CALLBACK });
      expect(await world.store.webhookOutbox.ofJob(before, { limit: 9 })).toHaveLength(2);
      expect(await world.store.webhookOutbox.ofJob(after, { limit: 9 })).toEqual([]);
    });

    test('an endpoint is removed with its deliveries and secrets', async () => {
      const world = await engine.open();
      const { webhookId } = await addEndpoint(world);
      await endOne(world);
      await endOne(world, { ...REQUEST, callbackUrl: CALLBACK });
      const claimed = await claimOne(world);
      expect(await world.store.webhookEndpoints.remove('amy', webhookId)).toBe(true);
      expect(await world.store.webhookEndpoints.rotate({ clientId: 'amy', webhookId }, 'whsec_b25l', AT, AT)).toBe(
        false,
      );
      const events = await world.store.transactions.run((tx) =>
        dbOf(tx).selectFrom('webhook_messages').select('message_id').execute(),
      );
      expect(events, 'only the event that has a callback is left').toHaveLength(1);
      expect(await world.store.webhookEndpoints.secrets({ clientId: 'amy', webhookId }, AT)).toEqual([]);
      expect(await world.store.webhookOutbox.storeOutcome(claimed, delivered, NEVER)).toBeUndefined();
      expect(await receivers(world)).toEqual(['(amy/https://b.example.org)']);
    });

    test('a replay of an event that is removed at the same time fails, or keeps the event', async () => {
      const world = await engine.open();
      await addEndpoint(world);
      const { webhookOutbox } = world.store;
      for (let round = 0; round < 20; round += 1) {
        await endOne(world);
        const first = await claimOne(world);
        await webhookOutbox.storeOutcome(first, delivered, NEVER);
        const replay = { deliveryId: uuid(), createdAt: new Date().toISOString() };
        const [stored] = await Promise.all([
          webhookOutbox.replay(first.deliveryId, replay),
          webhookOutbox.removeEndedBefore(new Date(Date.now() + 1000).toISOString()),
        ]);
        expect((await webhookOutbox.get('amy', replay.deliveryId)) !== undefined).toBe(stored === 'DUE');
        if (stored === 'DUE') await webhookOutbox.storeOutcome(await claimOne(world), delivered, NEVER);
      }
    });

    test('a delivery that waits is attempted at once if that is asked for, but not while it is attempted or after its end', async () => {
      const world = await engine.open();
      await addEndpoint(world);
      const { webhookOutbox } = world.store;
      await endOne(world);
      const first = await claimOne(world);
      const { deliveryId } = first;
      expect(await webhookOutbox.makeDue(deliveryId), 'while it is attempted').toBe(false);
      await webhookOutbox.storeOutcome(first, { state: 'PENDING', attempt: attempt(503), afterSeconds: 3600 }, NEVER);
      expect(await claimAll(world)).toEqual([]);
      expect(await webhookOutbox.makeDue(deliveryId)).toBe(true);
      const second = await claimOne(world);
      expect(second).toMatchObject({ deliveryId, attemptCount: 1, message: first.message });
      await webhookOutbox.storeOutcome(second, delivered, NEVER);
      expect(await webhookOutbox.makeDue(deliveryId), 'after its end').toBe(false);
      expect(await webhookOutbox.makeDue(uuid())).toBe(false);
      expect(await claimAll(world)).toEqual([]);
    });

    test('three attempts that a person asks for within a minute leave the next planned attempt where it was', async () => {
      const world = await engine.open();
      await addEndpoint(world);
      const { webhookOutbox } = world.store;
      await endOne(world);
      const failOne = async () => {
        const claimed = await claimOne(world);
        const failed = decideDelivery(claimed, { status: 503 }, { at: new Date(), seconds: 0 }, 0.5);
        await webhookOutbox.storeOutcome(claimed, failed, NEVER);
        return (await webhookOutbox.get('amy', claimed.deliveryId)) ?? { deliveryId: '', nextAttemptAt: '' };
      };
      const { deliveryId, nextAttemptAt = '' } = await failOne();
      for (let attempts = 2; attempts <= 4; attempts += 1) {
        expect(await webhookOutbox.makeDue(deliveryId)).toBe(true);
        expect(await webhookOutbox.makeDue(deliveryId), 'a second press').toBe(true);
        const after = await failOne();
        expect(after).toMatchObject({ state: 'PENDING', attemptCount: attempts });
        const movedMs = Date.parse(after.nextAttemptAt ?? '') - Date.parse(nextAttemptAt);
        // The pause is counted from the end of the attempt and stored a moment later.
        expect(movedMs).toBeGreaterThanOrEqual(-1000);
        expect(Date.parse(after.nextAttemptAt ?? '') - Date.now()).toBeLessThan(60_000);
      }
    });

    test('a delivery that is overdue keeps its place before later ones if it is asked for again', async () => {
      const world = await engine.open();
      await addEndpoint(world);
      const { webhookOutbox } = world.store;
      await endOne(world);
      const first = await claimOne(world);
      await webhookOutbox.storeOutcome(first, retryNow, NEVER);
      const storedAt = Date.now();
      await vi.waitUntil(() => Date.now() > storedAt + 1);
      await endOne(world);
      expect(await webhookOutbox.makeDue(first.deliveryId)).toBe(true);
      const next = await claimOne(world);
      expect(next.deliveryId).toBe(first.deliveryId);
      expect(next).not.toHaveProperty('plannedAt');
    });

    test('a replay sends the same event as another delivery', async () => {
      const world = await engine.open();
      const { webhookId } = await addEndpoint(world);
      const { webhookOutbox } = world.store;
      await endOne(world);
      const first = await claimOne(world);
      await webhookOutbox.storeOutcome(first, delivered, NEVER);
      const replay = { deliveryId: uuid(), createdAt: new Date().toISOString() };
      expect(await webhookOutbox.replay(first.deliveryId, replay)).toBe('DUE');
      expect(await webhookOutbox.replay(uuid(), { ...replay, deliveryId: uuid() })).toBe('FORGOTTEN');
      const again = await claimOne(world);
      expect(again).toMatchObject({ ...replay, url: URL_A, attemptCount: 0, message: first.message });
      const listed = await webhookOutbox.ofEndpoint(webhookId, { limit: 9 });
      expect(listed.map(({ state }) => state)).toEqual(['PENDING', 'DELIVERED']);
      expect(await webhookOutbox.ofEndpoint(webhookId, { limit: 9, state: 'DELIVERED' })).toHaveLength(1);
      expect(await webhookOutbox.ofEndpoint(webhookId, { limit: 9, before: replay.deliveryId })).toHaveLength(1);
    });

    test('ended deliveries are removed when they are old, with the events that nobody waits for', async () => {
      const world = await engine.open();
      const { webhookId } = await addEndpoint(world);
      const other = await addEndpoint(world);
      const { webhookOutbox } = world.store;
      await endOne(world);
      const [one, two] = await claimAll(world);
      if (one === undefined || two === undefined) throw new Error('There are not two deliveries.');
      const later = () => new Date(Date.now() + 1000).toISOString();
      await webhookOutbox.storeOutcome(one, delivered, NEVER);
      await webhookOutbox.removeEndedBefore(AT);
      expect(await webhookOutbox.get('amy', one.deliveryId)).toBeDefined();
      await webhookOutbox.removeEndedBefore(later());
      expect(await webhookOutbox.get('amy', one.deliveryId)).toBeUndefined();
      expect(await webhookOutbox.get('amy', two.deliveryId), 'the other delivery keeps the event').toBeDefined();
      await webhookOutbox.storeOutcome(two, delivered, NEVER);
      await webhookOutbox.removeEndedBefore(later());
      for (const id of [webhookId, other.webhookId])
        expect(await webhookOutbox.ofEndpoint(id, { limit: 9 })).toEqual([]);
    });
  });
}
