import type { Caller } from '@telecine/contract/domain/client.ts';
import { expect, test } from 'vitest';
import { type WebhookOperationsDeps, webhookOperations } from './webhook-operations.ts';

const caller = { clientId: 'amy' } as Caller;
const delivery = { deliveryId: 'd', webhookId: 'w', clientId: 'amy', state: 'FAILED' };
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
