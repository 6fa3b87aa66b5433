import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { issuerKeys } from '../../packages/service/src/issuer/issuer-metadata.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { startIssuer } from '../support/oidc-issuer.ts';

type Answer = object | string | ((response: ServerResponse) => void);

/** A server that sends these replies by path and records the requests. `answers` receives the server's URL. */
async function site(answers: (url: string) => Readonly<Record<string, Answer>>) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const answer = known[request.url ?? ''];
    if (typeof answer === 'function') answer(response);
    else if (answer === undefined) response.writeHead(404).end();
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const url = await listenOnLoopback(server);
  const known = answers(url);
  return { url, requests };
}

const KEYS = { keys: [] };
const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const never = new AbortController().signal;

test('fetches the keys of a real issuer', async () => {
  const { url } = await startIssuer();
  expect(await issuerKeys({ issuer: url }).fetch(never)).toMatchObject({ keys: [{ kty: 'RSA', use: 'sig' }] });
});

test.each([
  ['OAuth', '', OAUTH],
  ['OAuth, with a path', '/realms/a', `${OAUTH}/realms/a`],
  ['OpenID', '', OPENID],
  ['OpenID, with a path', '/realms/a', `/realms/a${OPENID}`],
  ['OpenID, with a slash at its end', '/', OPENID],
])('finds the keys of an issuer by its metadata: %s', async (_, path, place) => {
  const { url } = await site((at) => ({
    [place]: { issuer: at + path, jwks_uri: `${at}/keys` },
    '/keys': KEYS,
  }));
  expect(await issuerKeys({ issuer: url + path }).fetch(never)).toEqual(KEYS);
});

test('fetches keys from a configured URL without the metadata, also from another host', async () => {
  const { url, requests } = await site(() => ({ '/keys': KEYS }));
  const keys = issuerKeys({ issuer: 'https://login.example.org', keysUrl: `${url}/keys` });
  expect(await keys.fetch(never)).toEqual(KEYS);
  expect(requests).toEqual(['/keys']);
});

test('metadata and redirects cannot lead to a host that is not configured', async () => {
  const elsewhere = await site(() => ({ '/keys': KEYS }));
  const redirect = (response: ServerResponse): void => {
    response.writeHead(302, { location: `${elsewhere.url}/keys` }).end();
  };
  const cases: readonly [(at: string) => Readonly<Record<string, Answer>>, RegExp][] = [
    [
      (at) => ({ [OAUTH]: { issuer: at, jwks_uri: `${elsewhere.url}/keys` } }),
      /another origin.*"jwksUri" in TELECINE_OAUTH/,
    ],
    [(at) => ({ [OAUTH]: { issuer: at, jwks_uri: 'file:///etc/passwd' } }), /another origin/],
    [(at) => ({ [OAUTH]: { issuer: at, jwks_uri: '/keys' } }), /no jwks_uri/],
    [(at) => ({ [OAUTH]: { issuer: at } }), /no jwks_uri/],
    [(at) => ({ [OAUTH]: { issuer: `${at}/`, jwks_uri: `${at}/keys` } }), /is the metadata of the issuer/],
    [() => ({ [OAUTH]: '[]' }), /is the metadata of the issuer/],
    [() => ({ [OAUTH]: 'null' }), /is the metadata of the issuer/],
    [() => ({ [OAUTH]: redirect, [OPENID]: redirect }), /status 302/],
    [(at) => ({ [OAUTH]: { issuer: at, jwks_uri: `${at}/keys` }, '/keys': redirect }), /status 302/],
    [() => ({}), /no metadata at the usual addresses: .* status 404, .* status 404/],
  ];
  for (const [answers, message] of cases) {
    const { url } = await site(answers);
    await expect(issuerKeys({ issuer: url }).fetch(never)).rejects.toThrow(message);
  }
  expect(elsewhere.requests).toEqual([]);
});

test('rejects documents that are too long or not JSON', async () => {
  let sent = 0;
  const flood = (response: ServerResponse): void => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  };
  const { url } = await site(() => ({ '/flood': flood, '/text': 'no keys' }));
  const from = (path: string) => issuerKeys({ issuer: url, keysUrl: url + path }).fetch(never);
  await expect(from('/flood')).rejects.toThrow('longer than 262144 bytes');
  expect(sent).toBeLessThan(2 ** 26);
  await expect(from('/text')).rejects.toThrow('not JSON');
});

test('aborting stops a fetch from an issuer that does not answer or never finishes', async () => {
  const { url } = await site(() => ({
    '/silent': () => {},
    '/endless': (response) => {
      response.write('{"keys":');
    },
  }));
  for (const path of ['/silent', '/endless']) {
    const caller = new AbortController();
    const fetched = issuerKeys({ issuer: url, keysUrl: url + path }).fetch(caller.signal);
    caller.abort(new Error('given up'));
    await expect(fetched).rejects.toThrow('given up');
  }
});
