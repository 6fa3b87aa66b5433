import { expect, test } from 'vitest';
import { taskClients } from './task-runner.ts';

test('a client with as many tasks as it may have gets no more until one ends', () => {
  const clients = taskClients({ perClient: 2 });
  clients.add('amy');
  clients.add('amy');
  clients.add('bob');
  expect(clients.turns().full).toEqual(['amy']);
  clients.remove('amy');
  expect([clients.count(), clients.turns().full]).toEqual([2, []]);
});

test('clients without a task come before those that have one, or had the last one', () => {
  const clients = taskClients({ perClient: 2 });
  expect(clients.turns().served).toEqual([]);
  clients.add('amy');
  clients.add('bob');
  clients.remove('bob');
  expect(new Set(clients.turns().served)).toEqual(new Set(['amy', 'bob']));
  clients.add('cat');
  expect(new Set(clients.turns().served)).toEqual(new Set(['amy', 'cat']));
});
