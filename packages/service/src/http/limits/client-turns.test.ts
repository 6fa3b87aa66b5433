import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clientTurns } from './client-turns.ts';

test('of many requests of one client, few begin in a turn of the event loop, and others wait for none of them', async () => {
  const turns = clientTurns(2);
  const begun: string[] = [];
  const request = async (clientId: string, i: number): Promise<void> => {
    await turns(clientId);
    begun.push(`${clientId}${i}`);
  };
  const requests = Array.from({ length: 7 }, (_, i) => request('amy', i));
  requests.push(request('bob', 0));
  await Promise.resolve();
  expect(begun).toEqual(['amy0', 'amy1', 'bob0']);
  const perTurn: number[] = [];
  while (begun.length < 8) {
    const before = begun.length;
    await setImmediate();
    perTurn.push(begun.length - before);
    requests.push(request('bob', perTurn.length));
    await Promise.resolve();
    expect(begun.at(-1), 'a client with one request').toBe(`bob${perTurn.length}`);
    begun.pop();
  }
  expect(Math.max(...perTurn)).toBe(2);
  expect(begun.filter((name) => name.startsWith('amy'))).toEqual(Array.from({ length: 7 }, (_, i) => `amy${i}`));
  await Promise.all(requests);
});

test('after a long turn, one request of a client begins, until turns are short again', async () => {
  let now = 0;
  const turns = clientTurns(3, () => now);
  let begun = 0;
  for (let i = 0; i < 12; i++) void Promise.resolve(turns('amy')).then(() => (begun += 1));
  const perTurn: number[] = [];
  for (const milliseconds of [0, 10, 10, 1, 1]) {
    await Promise.resolve();
    const before = begun;
    now += milliseconds;
    await setImmediate();
    perTurn.push(begun - before);
  }
  expect(perTurn).toEqual([3, 1, 1, 3, 1]);
});
