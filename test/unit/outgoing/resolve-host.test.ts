import { expect, test } from 'vitest';
import { resolveHost } from '../../../packages/service/src/outgoing/guarded-connect.ts';
import type { HostAddress } from '../../../packages/service/src/outgoing/host-lookup.ts';
import type { OutgoingError } from '../../../packages/service/src/outgoing/outgoing-error.ts';
import type { OutgoingPolicy } from '../../../packages/service/src/outgoing/outgoing-policy.ts';

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

test.each([
  [4000, 4000, 16, 16],
  [4000, 3, 29, 3],
  [2, 4000, 2, 30],
])('keeps a share of both families: of %i and %i addresses, %i and %i', async (ipv4, ipv6, first, second) => {
  const four = addresses('8.8').slice(0, ipv4);
  const six = Array.from({ length: ipv6 }, (_, i): HostAddress => ({ address: `2600::${i.toString(16)}`, family: 6 }));
  for (const all of [
    [...four, ...six],
    [...six, ...four],
  ]) {
    const found = await resolveHost(PUBLIC, DESTINATION, async () => all, NEVER);
    expect(found).toHaveLength(32);
    expect(found.filter(({ family }) => family === 4)).toEqual(four.slice(0, first));
    expect(found.filter(({ family }) => family === 6)).toEqual(six.slice(0, second));
  }
});

test('rejects a host whose first addresses are not allowed, and names no more of them for the log', async () => {
  const many = addresses('10.0');
  const error = await resolveHost(PUBLIC, DESTINATION, async () => many, NEVER).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  expect(String((error as OutgoingError).cause).split(', ')).toHaveLength(32);
});
