import { SCOPES } from '../../packages/contract/src/domain/client.ts';
import { type ClientCredentials, clientWithToken, login, obtainTokens, sendRequest } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';
import { waitUntil } from '../support/wait.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

const JOB = '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
/** The two fields of the output of `client add` that a token request accepts. */
const pick = ({ clientId, clientSecret }: ClientCredentials) => ({ clientId, clientSecret });

const BODY = { input: 'none.mp3', output: 'out.mka' };

/** The status that each operation replies to a client with its scope. */
const OPERATIONS: readonly (readonly [
  scope: string,
  method: string,
  path: string,
  body: object | undefined,
  good: number,
])[] = [
  ['jobs:write', 'POST', '/api/conversion', BODY, 202],
  ['jobs:write', 'POST', '/mcp', { ...BODY, llmId: 'a' }, 202],
  ['jobs:write', 'POST', '/api/conversion?dryRun=true', BODY, 200],
  ['jobs:read', 'GET', '/api/conversion', undefined, 200],
  ['jobs:read', 'GET', JOB, undefined, 404],
  ['jobs:read', 'GET', `${JOB}/log`, undefined, 404],
  ['jobs:write', 'POST', `${JOB}/cancel`, undefined, 404],
  ['jobs:write', 'POST', `${JOB}/retry`, undefined, 404],
  ['jobs:write', 'DELETE', JOB, undefined, 404],
  ['files:read', 'GET', '/api/bin', undefined, 200],
  ['files:write', 'POST', '/api/file-moves', { from: 'none.mp3', to: 'x.mp3' }, 404],
];

let all: Promise<ClientCredentials> | undefined;

test.for(OPERATIONS)('only the scope %s allows %s %s', async ([scope, method, path, body, good], { expect }) => {
  const { server, admin } = await start();
  all ??= insertClient(server, 'all', { scopes: SCOPES.filter((one) => one !== 'admin') });
  const credentials = await all;
  const init = { method, ...(body === undefined ? {} : { body }) };
  const others = SCOPES.filter((one) => one !== scope && one !== 'admin').join(' ');
  const rejected = await (await login(server.url, credentials, others)).request(path, init);
  expect(rejected).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
  expect(rejected.body.detail).toContain(scope);
  expect(rejected.headers.get('www-authenticate')).toMatch(/^Bearer .*insufficient_scope/);
  expect((await (await login(server.url, credentials, scope)).request(path, init)).status).toBe(good);
  expect((await admin.request(path, init)).status, 'the administrator may').toBe(good);

  const without = await sendRequest(server.url, path, init);
  expect(without).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
  expect(without.headers.get('www-authenticate')).toBe('Bearer realm="telecine"');
});

test('deleting the files of a job needs the scope files:write', async ({ expect }) => {
  const { server } = await start();
  const credentials = await insertClient(server, 'no-files', { scopes: ['jobs:read', 'jobs:write'] });
  const client = await login(server.url, credentials);
  const answer = await client.request(`${JOB}?outputs=true`, { method: 'DELETE' });
  expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('files:write') } });
});

test('a token has at most the scopes of its client', async ({ expect }) => {
  const { server } = await start();
  const credentials = await insertClient(server, 'reader', { scopes: ['jobs:read'] });
  expect((await obtainTokens(server.url, credentials)).scope).toBe('jobs:read');
  const more = await sendRequest(server.url, '/api/auth/token', {
    body: { ...pick(credentials), scope: 'jobs:write' },
  });
  expect(more).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
  const slip = await sendRequest(server.url, '/api/auth/token', { body: { ...pick(credentials), scope: 'job:read' } });
  expect(slip).toMatchObject({ status: 400, body: { errors: [{ field: '/scope', fix: 'Send "jobs:read".' }] } });
});

test('rejects the tokens and the secret of a revoked client within about a second', async ({ expect }) => {
  const { server } = await start();
  const credentials = await insertClient(server, 'leaver');
  const { accessToken, refreshToken } = await obtainTokens(server.url, credentials);
  const client = clientWithToken(server.url, accessToken);
  expect((await client.list()).jobs).toEqual([]);
  await runClientCommand(server, 'revoke', credentials.clientId, '--yes');
  const rejected = async () => {
    const answer = await client.request('/api/conversion');
    return answer.status === 401 ? answer : undefined;
  };
  const answer = await waitUntil('the token to be refused', rejected, 10);
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  const renewed = await sendRequest(server.url, '/api/auth/refresh', { body: { refreshToken } });
  expect(renewed.status).toBe(401);
  expect((await sendRequest(server.url, '/api/auth/token', { body: pick(credentials) })).status).toBe(401);
});

test('rejects the old secret of a client and its tokens after a rotation, and accepts the new secret', async ({
  expect,
}) => {
  const { server } = await start();
  const credentials = await insertClient(server, 'mover');
  const { accessToken, refreshToken } = await obtainTokens(server.url, credentials);
  const { clientSecret } = JSON.parse(await runClientCommand(server, 'rotate', credentials.clientId, '--json')) as {
    clientSecret: string;
  };
  const old = clientWithToken(server.url, accessToken);
  await waitUntil(
    'the token to be refused',
    async () => (await old.request('/api/conversion')).status === 401 || undefined,
    3,
  );
  expect((await sendRequest(server.url, '/api/auth/refresh', { body: { refreshToken } })).status).toBe(401);
  expect((await sendRequest(server.url, '/api/auth/token', { body: pick(credentials) })).status).toBe(401);
  const again = await login(server.url, { clientId: credentials.clientId, clientSecret });
  expect((await again.list()).jobs).toEqual([]);
});
