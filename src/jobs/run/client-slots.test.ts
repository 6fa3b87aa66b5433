import { expect, test } from 'vitest';
import { clientSlots } from './client-slots.ts';

test('a client without a limit of its own has the default, also if it was added after the last read', async () => {
  const clients = [
    { clientId: 'amy', limits: { running: 3 } },
    { clientId: 'bob', limits: { running: null } },
    { clientId: 'cat', limits: { jobs: 3 } },
  ];
  const read = clientSlots(1, async () => clients);
  expect(await read()).toEqual({
    perClient: 1,
    ofClients: new Map([
      ['amy', 3],
      ['bob', Number.POSITIVE_INFINITY],
    ]),
  });
});

test('without a default, clients run any number of jobs', async () => {
  const read = clientSlots(undefined, async () => []);
  expect(await read()).toEqual({ perClient: Number.POSITIVE_INFINITY, ofClients: new Map() });
});

test('reads the clients once a second', async () => {
  let reads = 0;
  let at = 0;
  const list = async () => {
    reads += 1;
    return [];
  };
  const read = clientSlots(undefined, list, () => at);
  await read();
  at = 999;
  await read();
  expect(reads).toBe(1);
  at = 1000;
  await read();
  expect(reads).toBe(2);
});
