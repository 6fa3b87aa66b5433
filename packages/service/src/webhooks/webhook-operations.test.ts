import type { Caller } from '@telecine/contract/domain/client.ts';
import { expect, test } from 'vitest';
import { type WebhookOperationsDeps, webhookOperations } from './webhook-operations.ts';

const caller = { clientId: 'amy' } as Caller;
const delivery = { deliveryId: 'd', webhookId: 'w', clientId: 'amy', state: 'FAILED' };
const pending = { ...delivery, state: 'PENDING', nextAttemptAt: '2026-11-27T16:00:00.000Z' };
const endpoint = { webhookId: 'w', clientId: 'amy', url: 'https://example.org' };

test('a client without room for a delivery is told why its test and its replay are rejected', async () => {
  const limits: unknown[] = [];
  const operations = webhookOperations({
    transactions: { run: (unit: (tx: unknown) => unknown) => unit(undefined) },
    endpoints: { get: async () => endpoint },
    outbox: {
      get: async () => delivery,
      insert: async (_tx: unknown, _message: unknown, _deliveries: unknown, given: unknown) => {
        limits.push(given);
        return 'NOT_STORED';
      },
      replay: async () => 'NO_ROOM',
    },
    wake: () => {},
    now: () => new Date(),
  } as unknown as WebhookOperationsDeps);
  const rejected = { code: 'TOO_MANY_DELIVERIES', message: expect.stringContaining('100000 unfinished') };
  await expect(operations.test(caller, 'w')).rejects.toMatchObject(rejected);
  expect(limits, 'a test is not stored to be replayed').toEqual([{ unfinished: 100_000, unsent: 0 }]);
  await expect(operations.replay(caller, { webhookId: 'w' }, 'd')).rejects.toMatchObject(rejected);
});

test('a replay of a delivery that waits attempts it now, and makes no other delivery', async () => {
  const due: string[] = [];
  let woken = 0;
  const operations = webhookOperations({
    endpoints: { get: async () => endpoint },
    outbox: {
      get: async () => pending,
      makeDue: async (deliveryId: string) => due.push(deliveryId) > 0,
      replay: () => Promise.reject(new Error('It is the same delivery.')),
    },
    wake: () => {
      woken += 1;
    },
  } as unknown as WebhookOperationsDeps);
  expect(await operations.replay(caller, { webhookId: 'w' }, 'd')).toEqual(pending);
  expect(due).toEqual(['d']);
  expect(woken).toBe(1);
});

test('a replay of a delivery that is being attempted is rejected', async () => {
  const operations = webhookOperations({
    endpoints: { get: async () => endpoint },
    outbox: { get: async () => pending, makeDue: async () => false },
  } as unknown as WebhookOperationsDeps);
  await expect(operations.replay(caller, { webhookId: 'w' }, 'd')).rejects.toMatchObject({
    code: 'DELIVERY_NOT_FINISHED',
    message: expect.stringContaining('being attempted now'),
  });
});

test('a delivery that ends at the moment of its replay is sent again as another one', async () => {
  const states = [pending, delivery];
  const replayed: string[] = [];
  const operations = webhookOperations({
    endpoints: { get: async () => endpoint },
    outbox: {
      get: async (_clientId: string, deliveryId: string) =>
        deliveryId === 'd' ? states.shift() : { ...pending, deliveryId },
      makeDue: async () => false,
      replay: async (_deliveryId: string, { deliveryId }: { readonly deliveryId: string }) => {
        replayed.push(deliveryId);
        return 'DUE';
      },
    },
    wake: () => {},
    now: () => new Date(),
  } as unknown as WebhookOperationsDeps);
  expect(await operations.replay(caller, { webhookId: 'w' }, 'd')).toEqual({ ...pending, deliveryId: replayed[0] });
  expect(replayed).toHaveLength(1);
});

test('a delivery of a disabled webhook, or of another client, is not attempted', async () => {
  const operations = (outbox: object, disabled: object) =>
    webhookOperations({
      endpoints: { get: async () => ({ ...endpoint, ...disabled }) },
      outbox: { makeDue: () => Promise.reject(new Error('It is attempted.')), ...outbox },
    } as unknown as WebhookOperationsDeps);
  const disabled = { disabled: { at: '2026-11-27T15:00:00.000Z', reason: 'CLIENT' } };
  await expect(
    operations({ get: async () => pending }, disabled).replay(caller, { webhookId: 'w' }, 'd'),
  ).rejects.toMatchObject({ code: 'WEBHOOK_DISABLED' });
  await expect(
    operations({ get: async () => undefined }, {}).replay(caller, { webhookId: 'w' }, 'd'),
  ).rejects.toMatchObject({ code: 'DELIVERY_NOT_FOUND' });
});
