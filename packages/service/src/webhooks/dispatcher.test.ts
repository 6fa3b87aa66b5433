import { expect, test } from 'vitest';
import { type DispatcherDeps, startDispatcher } from './dispatcher.ts';
import type { ClaimedDelivery, DeliveryOutcome } from './ports/outbox.ts';

/** An outbox in memory. `deliveries`: the number of deliveries to each receiver. */
function memoryOutbox(deliveries: Readonly<Record<string, number>>) {
  const due = new Map(
    Object.entries(deliveries).map(([name, count]) => [name, Array.from({ length: count }, (_, i) => i)]),
  );
  const settled: { receiver: string; outcome: DeliveryOutcome }[] = [];
  const outbox: DispatcherDeps['outbox'] = {
    receiversAfter: async (after, limit) =>
      [...due]
        .filter(([name, waiting]) => name > after && waiting.length > 0)
        .map(([name]) => ({ name, isDue: true }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, limit),
    claim: async (receiver, limit) =>
      (due.get(receiver) ?? []).splice(0, limit).map((i): ClaimedDelivery => {
        const clientId = receiver.split('/')[0] ?? '';
        const createdAt = new Date().toISOString();
        return {
          deliveryId: `${receiver} ${i}`,
          receipt: 1,
          message: { messageId: `msg_${i}`, clientId, event: 'job.completed', payload: '{}', createdAt },
          webhookId: receiver,
          url: `https://example.org/${receiver}`,
          createdAt,
          attemptCount: 0,
        };
      }),
    storeOutcome: async (delivery, outcome) => {
      settled.push({ receiver: delivery.webhookId ?? '', outcome });
      return undefined;
    },
  };
  return { outbox, settled };
}

/** Starts a dispatcher on an outbox. Requests to a receiver whose name ends with `slow` never end by themselves. */
function dispatch(deliveries: Readonly<Record<string, number>>, limits: DispatcherDeps['limits']) {
  const { outbox, settled } = memoryOutbox(deliveries);
  const running = new Map<string, number>();
  const most = new Map<string, number>();
  const count = (key: string, change: number): void => {
    running.set(key, (running.get(key) ?? 0) + change);
    most.set(key, Math.max(most.get(key) ?? 0, running.get(key) ?? 0));
  };
  const errors: unknown[] = [];
  const changed: (() => void)[] = [];
  const dispatcher = startDispatcher({
    outbox,
    endpoints: { secrets: async () => [{ secret: 'whsec_b25l', createdAt: '' }] },
    send: async ({ url, signal }) => {
      const receiver = url.slice('https://example.org/'.length);
      const keys = ['all', receiver, String(receiver.split('/')[0])];
      for (const key of keys) count(key, 1);
      for (const check of changed) check();
      try {
        if (!receiver.endsWith('slow')) return { status: 200 };
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => reject(signal.reason));
        return await promise;
      } finally {
        for (const key of keys) count(key, -1);
      }
    },
    now: () => new Date(),
    random: () => 0.5,
    ...(limits && { limits }),
    pollMs: 1_000_000,
    onAttempt: () => {
      for (const check of changed) check();
    },
    onError: (error) => errors.push(error),
  });
  const until = (isTrue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      changed.push(() => {
        if (isTrue()) resolve();
      });
      if (isTrue()) resolve();
    });
  const delivered = (receiver: string): number =>
    settled.filter((one) => one.receiver === receiver && one.outcome.state === 'DELIVERED').length;
  return { dispatcher, settled, most, errors, until, delivered };
}

test('a receiver that never replies delays no other one, and occupies only its own slots', async () => {
  const deliveries = {
    'amy/1-slow': 500,
    'amy/2-slow': 500,
    'amy/3': 50,
    'bob/1': 50,
    'carl/9-slow': 500,
    'dora/1': 50,
  };
  const { dispatcher, most, errors, until, delivered, settled } = dispatch(deliveries, {
    inAll: 16,
    perClient: 8,
    perReceiver: 3,
  });
  await until(() => ['amy/3', 'bob/1', 'dora/1'].every((name) => delivered(name) === 50));
  await until(() => ['amy/1-slow', 'amy/2-slow', 'carl/9-slow'].every((name) => most.get(name) === 3));
  await dispatcher.stop();
  expect(errors).toEqual([]);
  expect(most.get('all')).toBeLessThanOrEqual(16);
  expect(most.get('amy')).toBeLessThanOrEqual(8);
  // When the dispatcher stops, deliveries whose requests did not end go back to the outbox.
  const returned = settled.filter(({ outcome }) => outcome.state === 'PENDING' && !('attempt' in outcome));
  expect(returned).toHaveLength(9);
});

test('slow receivers of one client leave the slots that other clients need', async () => {
  const slow = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`amy/${i}-slow`, 10]));
  const { dispatcher, most, until, delivered } = dispatch(
    { ...slow, 'bob/1': 40 },
    { inAll: 10, perClient: 6, perReceiver: 3 },
  );
  await until(() => delivered('bob/1') === 40);
  await dispatcher.stop();
  expect(most.get('amy')).toBe(6);
});

test('more receivers than a page all get their deliveries, however few slots there are', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`client-${i}/a`, 2]));
  const { dispatcher, until, settled, most } = dispatch(many, { inAll: 3, perClient: 2, perReceiver: 1 });
  await until(() => settled.length === 400);
  await dispatcher.stop();
  expect(most.get('all')).toBeLessThanOrEqual(3);
});

test('a delivery without a receiver ends without a request', async () => {
  const { outbox, settled } = memoryOutbox({ 'amy/1': 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const dispatcher = startDispatcher({
    outbox: {
      ...outbox,
      claim: async (...args) => (await outbox.claim(...args)).map((one) => ({ ...one, url: undefined })),
    },
    endpoints: { secrets: async () => [] },
    send: async () => {
      throw new Error('sent');
    },
    now: () => new Date(),
    random: () => 0.5,
    onAttempt: () => resolve(),
    onError: (error) => {
      throw error;
    },
  });
  await promise;
  await dispatcher.stop();
  expect(settled).toMatchObject([{ outcome: { state: 'FAILED', reason: expect.any(String) } }]);
});
