import { expect, test } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { fakeTokens, JOB_ID } from '../support/http-fakes.ts';

const PROXY = '10.0.0.9';
const CLIENT = '203.0.113.7';

/** Sends one audited request and one login. Returns the address in the access log, the audit log and the login limit. */
async function addressesOf(
  headers: Readonly<Record<string, string>>,
  { from = PROXY, trustProxy = [PROXY] }: { from?: string; trustProxy?: readonly string[] } = {},
): Promise<readonly (string | undefined)[]> {
  const logins: string[] = [];
  const tokens = fakeTokens({
    issue: async ({ address }) => {
      logins.push(address);
      throw new Problem('INVALID_CLIENT', 'The client id or the client secret is wrong.');
    },
  });
  const { inject, lines, audited } = httpApp({ tokens, trustProxy });
  const common = { method: 'POST' as const, remoteAddress: from };
  await inject({ ...common, url: `/api/conversion/${JOB_ID}/cancel`, headers: { ...BEARER, ...headers } });
  await inject({ ...common, url: '/api/auth/token', headers, payload: { clientId: 'alice', clientSecret: 'x' } });
  const logged = lines.findLast(({ fields }) => fields['path'] === '/api/auth/token')?.fields['address'];
  return [logged as string, audited[0]?.address, logins[0]];
}

const all = (address: string) => [address, address, address];

test('logs, audit log and limits have the address that the trusted proxy saw', async () => {
  expect(await addressesOf({ 'x-forwarded-for': CLIENT })).toEqual(all(CLIENT));
  expect(await addressesOf({ 'x-forwarded-for': '2001:db8::7' })).toEqual(all('2001:db8::7'));
});

test('entries that the client added itself count for nothing', async () => {
  expect(await addressesOf({ 'x-forwarded-for': `127.0.0.1, 198.51.100.1, ${CLIENT}` })).toEqual(all(CLIENT));
  expect(await addressesOf({ 'x-forwarded-for': `${PROXY}, ${CLIENT}` })).toEqual(all(CLIENT));
});

test('behind two trusted proxies, the address is the last one that is not a proxy', async () => {
  const trustProxy = ['10.0.0.0/8'];
  expect(await addressesOf({ 'x-forwarded-for': `1.1.1.1, ${CLIENT}, 10.1.1.1` }, { trustProxy })).toEqual(all(CLIENT));
});

test('a caller that is not a trusted proxy cannot choose its address', async () => {
  const other = '198.51.100.9';
  expect(await addressesOf({ 'x-forwarded-for': CLIENT }, { from: other })).toEqual(all(other));
});

test('other header fields of proxies are not read', async () => {
  const headers = { forwarded: `for=${CLIENT}`, 'x-real-ip': CLIENT, 'x-client-ip': CLIENT, via: '1.1 proxy' };
  expect(await addressesOf(headers)).toEqual(all(PROXY));
});

test('a port or text instead of an address gives no caller a limit of its own', async () => {
  expect(await addressesOf({ 'x-forwarded-for': `${CLIENT}:51234` })).toEqual(all(CLIENT));
  expect(await addressesOf({ 'x-forwarded-for': '[2001:db8::7]:443' })).toEqual(all('2001:db8::7'));
  for (const nonsense of ['unknown', '_hidden', 'x'.repeat(500), '999.1.1.1', '<script>'])
    expect(await addressesOf({ 'x-forwarded-for': nonsense }), nonsense).toEqual(all(PROXY));
});
