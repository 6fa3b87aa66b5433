import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BEARER, httpApp } from '../support/http-app.ts';
import { fakeTokens, JOB_ID } from '../support/http-fakes.ts';

const FLOOD = 100;

const FLOODS = {
  'requests with an invalid token': { method: 'GET', url: '/api/conversion', headers: { authorization: 'Bearer bad' } },
  'requests without a token': { method: 'GET', url: '/api/files/a.mp4' },
  'requests without a route': { method: 'GET', url: '/nowhere' },
  'signed links': { method: 'GET', url: `/api/links/${JOB_ID}/bad` },
} as const;

/** Sends a flood and then one request, and returns how many replies of the flood came before that of the request. */
async function repliesBefore(
  flood: (typeof FLOODS)[keyof typeof FLOODS],
  request: {
    readonly method: 'GET';
    readonly url: string;
    readonly headers?: Record<string, string>;
    readonly remoteAddress?: string;
  },
  addressOf: (i: number) => string = () => '192.0.2.1',
): Promise<number> {
  const { inject } = httpApp();
  await inject(request);
  let replies = 0;
  const replied = Array.from({ length: FLOOD }, async (_, i) => {
    await inject({ ...flood, remoteAddress: addressOf(i) });
    replies += 1;
  });
  const before = await inject(request).then(() => replies);
  await Promise.all(replied);
  return before;
}

const LIST = { method: 'GET', url: '/api/conversion', headers: BEARER } as const;
const HEALTH = { method: 'GET', url: '/health', remoteAddress: '192.0.2.1' } as const;

test.each(Object.entries(FLOODS))(
  'many %s at once delay neither a client with a token nor the health',
  async (_name, flood) => {
    expect(await repliesBefore(flood, LIST)).toBeLessThan(FLOOD / 2);
    expect(await repliesBefore(flood, HEALTH)).toBeLessThan(FLOOD / 2);
  },
);

test('addresses of one IPv6 network share their turns', async () => {
  const oneNetwork = (i: number) => `2001:db8::${i.toString(16)}`;
  expect(await repliesBefore(FLOODS['requests without a route'], LIST, oneNetwork)).toBeLessThan(FLOOD / 2);
});

test('of the token requests of an address, few begin in one turn of the event loop', async () => {
  const known = fakeTokens();
  let begun = 0;
  const tokens = fakeTokens({
    issue: (request) => {
      begun += 1;
      return known.issue(request);
    },
  });
  const { inject } = httpApp({ tokens });
  const login = {
    method: 'POST',
    url: '/api/auth/token',
    payload: { clientId: 'alice', clientSecret: 'secret' },
  } as const;
  const replies = Array.from({ length: FLOOD }, () => inject(login));
  let most = 0;
  while (begun < FLOOD) {
    const before = begun;
    await setImmediate();
    most = Math.max(most, begun - before);
  }
  expect(most).toBeLessThan(20);
  for (const reply of await Promise.all(replies)) expect(reply.statusCode).toBe(200);
});
