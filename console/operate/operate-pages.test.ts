import { expect, test } from 'vitest';
import { operatePagesOf } from './operate-pages.ts';

const namesOf = (...scopes: string[]) => operatePagesOf({ scopes }).map(({ name }) => name);

test('an administrator sees all pages, other clients those about themselves', () => {
  expect(namesOf('admin')).toEqual([
    ...['Queue', 'Workers', 'Clients', 'Webhooks', 'Usage', 'Shared links', 'Audit log', 'Health'],
  ]);
  expect(namesOf('jobs:read', 'files:write')).toEqual(['Webhooks', 'Usage']);
  expect(namesOf('files:read')).toEqual(['Shared links']);
  expect(namesOf('files:write')).toEqual([]);
});
