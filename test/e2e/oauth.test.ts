// @module-tag long
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  auth,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { afterAll, expect } from 'vitest';
import { adminClient, clientWithToken, obtainTokens, sendRequest } from '../support/api-client.ts';
import { insertExternalClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { CALLBACK, startIssuer } from '../support/oidc-issuer.ts';
import { addClient, runClientCommand } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const BODY = { input: 'none.mp3', output: 'out.mka' };

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no port');
  return address.port;
}

let shared: ReturnType<typeof start> | undefined;
const started = () => {
  shared ??= start();
  return shared;
};

/** A service with a real issuer and a public URL. */
async function start() {
  const issuer = await startIssuer(afterAll);
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = { TELECINE_PORT: port, TELECINE_PUBLIC_URL: url, TELECINE_OAUTH: JSON.stringify({ issuer: issuer.url }) };
  return { issuer, server: await startServer({ env }) };
}

test('a client that knows only the URL finds the issuer by the 401, and submits a job', async () => {
  const { issuer, server } = await started();
  await runClientCommand(server, 'add', 'studio', '--root', '.', '--external', 'shop');
  for (const [path, body] of [
    ['/api/conversion', BODY],
    ['/mcp', { ...BODY, llmId: 'm' }],
  ] as const) {
    const rejected = await sendRequest(server.url, path, { body });
    expect(rejected.status).toBe(401);
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(rejected.headers.get('www-authenticate') ?? '') ?? [];
    expect(metadata).toMatch(server.url);
    const found = (await (await fetch(metadata)).json()) as Record<string, readonly string[]> & { resource: string };
    expect(found['authorization_servers']).toEqual([issuer.url]);
    const scope = found['scopes_supported']?.join(' ') ?? '';
    const client = clientWithToken(server.url, await issuer.clientToken(found.resource, scope));
    expect((await client.request(path, { body })).status).toBe(202);
  }
});

test('the official MCP client signs a person in with only the URL of the service', async () => {
  const { issuer, server } = await started();
  await runClientCommand(server, 'add', 'zoe', '--root', '.', '--external', 'somebody');
  const kept: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    url?: URL;
    verifier?: string;
    discovery?: OAuthDiscoveryState;
  } = {};
  const application: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'An application',
      redirect_uris: [CALLBACK],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void Object.assign(kept, { url }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
  };
  const serverUrl = `${server.url}/mcp`;
  expect(await auth(application, { serverUrl })).toBe('REDIRECT');
  if (kept.url === undefined) throw new Error('The person was sent nowhere');
  const back = await issuer.approve(kept.url);
  const answer = { authorizationCode: back.searchParams.get('code') ?? '', iss: back.searchParams.get('iss') ?? '' };
  expect(await auth(application, { serverUrl, ...answer })).toBe('AUTHORIZED');
  const zoe = clientWithToken(server.url, kept.tokens?.access_token ?? '');
  expect((await zoe.request('/mcp', { body: { ...BODY, llmId: 'm' } })).status).toBe(202);
});

test('an external client cannot read the jobs of another one', async () => {
  const { issuer, server } = await started();
  await insertExternalClient(server, 'amy', 'user-amy');
  await insertExternalClient(server, 'bob', 'user-bob');
  const amy = clientWithToken(server.url, await issuer.userToken('user-amy', server.url, 'jobs:read jobs:write'));
  const bob = clientWithToken(server.url, await issuer.userToken('user-bob', server.url, 'jobs:read jobs:write'));
  const jobId = await amy.accept(BODY);
  expect((await amy.list()).jobs).toHaveLength(1);
  expect((await bob.request(`/api/conversion/${jobId}`)).status).toBe(404);
});

test('rejects the issuer’s token of a revoked client within seconds', async () => {
  const { issuer, server } = await started();
  await insertExternalClient(server, 'eve', 'user-eve');
  const eve = clientWithToken(server.url, await issuer.userToken('user-eve', server.url, 'jobs:read'));
  expect((await eve.request('/api/conversion')).status).toBe(200);
  const admin = await adminClient(server);
  expect((await admin.request('/api/clients/eve', { method: 'DELETE' })).status).toBe(200);
  const rejected = await waitUntil('the token to be refused', async () => {
    const answer = await eve.request('/api/conversion');
    return answer.status === 200 ? undefined : answer;
  });
  expect(rejected).toMatchObject({ status: 403, body: { code: 'NOT_A_CLIENT' } });
});

test('while the issuer is down, its tokens get 503, own tokens work, and no token is logged', async () => {
  const { issuer } = await started();
  const away = `http://127.0.0.1:${await freePort()}`;
  const publicUrl = 'https://media.example.org';
  const server = await startServer({
    env: { TELECINE_PUBLIC_URL: publicUrl, TELECINE_OAUTH: JSON.stringify({ issuer: away }) },
  });
  const forged = await issuer.forge({ iss: away, aud: publicUrl, sub: 'shop' });
  const rejected = await sendRequest(server.url, '/api/conversion', {}, forged);
  expect(rejected).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  expect(rejected.headers.get('retry-after')).toBe('5');
  const own = await obtainTokens(server.url, await addClient(server, 'local'));
  expect((await sendRequest(server.url, '/api/conversion', {}, own.accessToken)).status).toBe(200);
  expect(server.log()).toContain('ECONNREFUSED');
  for (const token of [own.accessToken, forged]) expect(server.log()).not.toContain(token.slice(-20));
});

test('without a configured issuer there is no metadata, and tokens of any issuer are rejected', async () => {
  const { issuer } = await started();
  const server = await startServer({ env: { TELECINE_PUBLIC_URL: 'https://media.example.org' } });
  for (const path of [WELL_KNOWN, `${WELL_KNOWN}/mcp`]) expect((await sendRequest(server.url, path)).status).toBe(404);
  const token = await issuer.clientToken('https://media.example.org', 'jobs:read');
  for (const sent of [undefined, token]) {
    const { status, headers } = await sendRequest(server.url, '/api/conversion', {}, sent);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).not.toContain('resource_metadata');
  }
});

test('the service does not start with an issuer but without a public URL', async () => {
  const failed = startServer({ env: { TELECINE_OAUTH: '{"issuer": "https://login.example.org"}' } });
  await expect(failed).rejects.toThrow('needs TELECINE_PUBLIC_URL');
});
