import { join } from 'node:path';
import type { OAuthErrorView, OAuthTokensView } from '../../packages/contract/src/wire/token.ts';
import { openTokens } from '../../packages/service/src/auth/token-service.ts';
import { localRoot } from '../../packages/service/src/media/local/paths/root-boundary.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import type { TokenReply } from '../../scripts/lib/api.ts';
import { clientWithToken, obtainTokens, sendRequest } from '../support/api-client.ts';
import { UNLIMITED_FAILURES } from '../support/auth-harness.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { addClient } from '../support/run-cli.ts';
import type { TestServer } from '../support/server.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const refresh = (url: string, refreshToken: string) =>
  sendRequest<TokenReply>(url, '/api/auth/refresh', { body: { refreshToken } });

const form = <T>(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  sendRequest<T>(url, '/oauth/token', {
    raw: new URLSearchParams(fields).toString(),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/** Tokens on the store of the server, with a clock that is wrong by `seconds`. */
async function withClock<T>(
  { dataDir, mediaRoot }: TestServer,
  seconds: number,
  use: (tokens: Awaited<ReturnType<typeof openTokens>>) => Promise<T>,
): Promise<T> {
  const store = await openSqlite(join(dataDir, 'telecine.db'));
  try {
    const now = () => Date.now() + seconds * 1000;
    const rootOf = (root = mediaRoot) => localRoot(root);
    const identity = {
      issuer: 'telecine',
      audience: 'telecine',
      rootOf,
      policy: {},
      failureLimits: UNLIMITED_FAILURES,
    };
    return await use(await openTokens({ ...store, now, ...identity }));
  } finally {
    await store.close();
  }
}

test('what `client add --json` prints is a token request as it is', async ({ expect }) => {
  const { server } = await start();
  const printed = await addClient(server, 'pasted', '--root', 'pasted', '--scope', 'jobs:read', '--limit', 'time=1h');
  const { status, body } = await sendRequest<TokenReply>(server.url, '/api/auth/token', { body: printed });
  expect([status, body.scope]).toEqual([200, 'jobs:read']);
});

test('each refresh returns a new pair of tokens that works', async ({ expect }) => {
  const { server } = await start();
  const first = await obtainTokens(server.url, await insertClient(server, 'renewer'));
  expect(first).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, scope: expect.stringContaining('jobs:write') });
  let { refreshToken } = first;
  const seen = new Set([first.accessToken, refreshToken]);
  for (let i = 0; i < 3; i++) {
    const { status, body, headers } = await refresh(server.url, refreshToken);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await clientWithToken(server.url, body.accessToken).list()).jobs).toEqual([]);
    refreshToken = body.refreshToken;
    seen.add(body.accessToken).add(refreshToken);
  }
  expect(seen.size).toBe(8);
});

test('a client may repeat a refresh whose reply was lost, within the grace period', async ({ expect }) => {
  const { server } = await start();
  const { refreshToken } = await obtainTokens(server.url, await insertClient(server, 'lost-reply'));
  const replies = await Promise.all([refresh(server.url, refreshToken), refresh(server.url, refreshToken)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const [one, two] = replies.map(({ body }) => body.refreshToken);
  expect((await refresh(server.url, two ?? '')).status, 'whichever reply arrived goes on').toBe(200);
  expect((await refresh(server.url, one ?? '')).status, 'one who has the other is a thief').toBe(401);
});

test('reuse of an old refresh token voids its whole family, and no other family', async ({ expect }) => {
  const { server } = await start();
  const credentials = await insertClient(server, 'robbed');
  const [stolen, other] = [await obtainTokens(server.url, credentials), await obtainTokens(server.url, credentials)];
  const { body: successor } = await refresh(server.url, stolen.refreshToken);
  const late = withClock(server, 31, (tokens) =>
    tokens.refresh({ refreshToken: stolen.refreshToken, address: '192.0.2.1' }),
  );
  await expect(late).rejects.toThrow('The refresh token is invalid');
  const { status, body } = await refresh(server.url, successor.refreshToken);
  expect({ status, body }).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
  expect((await refresh(server.url, other.refreshToken)).status).toBe(200);
});

test('rejects an access token older than 15 minutes, and says that it has expired', async ({ expect }) => {
  const { server } = await start();
  const { clientId, clientSecret } = await insertClient(server, 'sleeper');
  const request = { clientId, clientSecret, address: '192.0.2.1' };
  const old = await withClock(server, -901, (tokens) => tokens.issue(request));
  const young = await withClock(server, 0, (tokens) => tokens.issue(request));
  expect((await clientWithToken(server.url, young.accessToken).list()).jobs).toEqual([]);
  const answer = await clientWithToken(server.url, old.accessToken).request('/api/conversion');
  expect(answer).toMatchObject({
    status: 401,
    body: { code: 'INVALID_TOKEN', detail: expect.stringMatching(/expired/) },
  });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="telecine", error="invalid_token"');
});

const FOREIGN: readonly (readonly [string, (good: string) => string])[] = [
  ['a text that is not a token', () => 'nonsense'],
  ['a token with a wrong signature', (good) => `${good.slice(0, -4)}AAAA`],
  ['a token without a signature', (good) => `${good.split('.').slice(0, 2).join('.')}.`],
  [
    'a token that says "alg": "none"',
    (good) => `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${good.split('.')[1]}.`,
  ],
  ['a refresh token', () => 'refresh'],
];

test.for(FOREIGN)('rejects %s', async ([title, change], { expect }) => {
  const { server, own } = await start();
  const token =
    title === 'a refresh token'
      ? (await obtainTokens(server.url, await insertClient(server, 'refresher'))).refreshToken
      : change(own.token);
  const { status, body } = await clientWithToken(server.url, token).request('/api/conversion');
  expect({ status, body }).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
});

test('an OAuth client gets and refreshes tokens with a form, by credentials in the body or by Basic', async ({
  expect,
}) => {
  const { server } = await start();
  const { clientId, clientSecret } = await insertClient(server, 'oauth');
  const fields = { grant_type: 'client_credentials' };
  const byBody = await form<OAuthTokensView>(server.url, {
    ...fields,
    client_id: clientId,
    client_secret: clientSecret,
  });
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const byBasic = await form<OAuthTokensView>(server.url, { ...fields, scope: 'jobs:read' }, { authorization: basic });
  for (const { status, body } of [byBody, byBasic]) {
    expect({ status, body }).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900 } });
    expect(body.refresh_token, 'RFC 6749, 4.4.3').toBeUndefined();
    expect((await clientWithToken(server.url, body.access_token).list()).jobs).toEqual([]);
  }
  expect(byBasic.body.scope).toBe('jobs:read');

  const { refreshToken } = await obtainTokens(server.url, { clientId, clientSecret });
  const renewed = await form<OAuthTokensView>(server.url, { grant_type: 'refresh_token', refresh_token: refreshToken });
  expect(renewed).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } });
  expect(renewed.body.refresh_token).not.toBe(refreshToken);
});

const OAUTH_FAULTS: readonly (readonly [error: string, status: number, fields: Readonly<Record<string, string>>])[] = [
  ['invalid_client', 401, { grant_type: 'client_credentials', client_id: 'admin', client_secret: 'wrong' }],
  ['invalid_client', 401, { grant_type: 'client_credentials' }],
  ['unsupported_grant_type', 400, { grant_type: 'password', username: 'a', password: 'b' }],
  ['invalid_request', 400, { scope: 'jobs:read' }],
  ['invalid_request', 400, { grant_type: 'refresh_token' }],
  ['invalid_grant', 400, { grant_type: 'refresh_token', refresh_token: 'never-was' }],
];

test.for(OAUTH_FAULTS)(
  'answers an invalid OAuth request with the error %s',
  async ([error, status, fields], { expect }) => {
    const { server } = await start();
    const answer = await form<OAuthErrorView>(server.url, fields);
    expect(answer).toMatchObject({ status, body: { error, error_description: expect.stringMatching(/\w/) } });
  },
);

test.for([
  [{ clientId: 'admin' }, '/clientSecret', 'MISSING'],
  [{ clientId: 'admin', clientSecret: 5 }, '/clientSecret', 'WRONG_TYPE'],
  [{ clientId: 'admin', clientSecret: 'x', client_secret: 'x' }, '/client_secret', 'UNKNOWN_FIELD'],
] as const)('rejects the token request %j at the wrong field', async ([body, field, code], { expect }) => {
  const { server } = await start();
  const answer = await sendRequest(server.url, '/api/auth/token', { body });
  expect({ status: answer.status, errors: answer.body.errors }).toMatchObject({
    status: 400,
    errors: [{ field, code }],
  });
});
