import { expect, test } from 'vitest';
import type { OutgoingError } from '../../../src/outgoing/outgoing-error.ts';
import type { OutgoingPolicy } from '../../../src/outgoing/outgoing-policy.ts';
import { type HostAddress, resolveHost } from '../../../src/outgoing/resolve-host.ts';

const DESTINATION = { host: 'many.example', port: 80 };
const PUBLIC: OutgoingPolicy = { isPublicAllowed: true, hosts: [] };
const NEVER = new AbortController().signal;

const addresses = (start: string): readonly HostAddress[] =>
  Array.from({ length: 4000 }, (_, i) => ({ address: `${start}.${i >> 8}.${i & 255}`, family: 4 }));

test('looks at the first addresses of a host that has thousands', async () => {
  const many = addresses('8.8');
  const found = await resolveHost(PUBLIC, DESTINATION, async () => many, NEVER);
  expect(found).toEqual(many.slice(0, 32));
});

test('rejects a host whose first addresses are not allowed, and names no more of them for the log', async () => {
  const many = addresses('10.0');
  const error = await resolveHost(PUBLIC, DESTINATION, async () => many, NEVER).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  expect(String((error as OutgoingError).cause).split(', ')).toHaveLength(32);
});
