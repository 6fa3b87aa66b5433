import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import { onTestFinished } from 'vitest';

/** A real OpenID Connect issuer on loopback that approves every login and consent. */
export interface TestIssuer {
  /** The issuer URL in its tokens. */
  readonly url: string;
  /** The number of requests for its keys. */
  readonly keyFetches: () => number;
  /** An access token for the client `shop` by client credentials. Its subject is `shop`. */
  clientToken(resource: string, scope: string): Promise<string>;
  /** An access token for the public client `app` by authorization code with PKCE. `subject` logs in. */
  userToken(subject: string, resource: string, scope: string): Promise<string>;
  /**
   * Opens an authorization URL as a browser, approves all, and returns the redirect to the application. `login_hint` of the URL logs
   * in; `DENIER` denies.
   */
  approve(at: URL): Promise<URL>;
  /** Signs any claims with the current key. */
  forge(claims: object, header?: object): Promise<string>;
  /** The current public key. */
  readonly publicKey: () => CryptoKey;
  /** Replaces the key. The previous key is not published any more. */
  rotate(): Promise<void>;
  /** Stops listening. */
  down(): Promise<void>;
  up(): Promise<void>;
}

const SHOP = { client_id: 'shop', client_secret: 'a-secret-of-the-shop' };
/** The redirect URI of applications. */
export const CALLBACK = 'http://127.0.0.1/callback';

/** A person who allows no application anything. */
export const DENIER = 'denier';

/** Where the service of tests is, and its console as a client of the issuer. */
export const SERVICE_URL = 'https://media.example.org';
const redirectUriOf = (serviceUrl: string): string => `${serviceUrl}/api/session/external/callback`;
export const CONSOLE = {
  client_id: 'console',
  client_secret: 'a-secret-of-the-console',
  redirect_uri: redirectUriOf(SERVICE_URL),
};

const clientsFor = (serviceUrl: string) => [
  {
    ...{ client_id: CONSOLE.client_id, client_secret: CONSOLE.client_secret },
    // A native application may be at http on loopback.
    application_type: 'native',
    grant_types: ['authorization_code'],
    redirect_uris: [redirectUriOf(serviceUrl)],
  },
  { ...SHOP, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
  {
    client_id: 'app',
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    redirect_uris: [CALLBACK],
  },
];

const SCOPES = 'jobs:read jobs:write files:read files:write admin telecine:jobs:read moon:land';

interface Signing {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Keys of issuers. Generating one takes longer than most tests, so the issuers of a process share a few. */
const signings = new Map<string, Promise<Signing>>();

function signingOf(name: string): Promise<Signing> {
  const known = signings.get(name) ?? newSigning();
  signings.set(name, known);
  return known;
}

async function newSigning(): Promise<Signing> {
  const pair = await generateKeyPair('RS256', { extractable: true });
  return { kid: randomBytes(6).toString('hex'), ...pair };
}

let issuers = 0;

async function provide(url: string, { kid, privateKey }: Signing, serviceUrl: string): Promise<Provider> {
  return new Provider(url, {
    clients: clientsFor(serviceUrl),
    // The default adapter is the same, but logs a warning.
    adapter: (model: string) => new MemoryAdapter(model),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' }] },
    scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, ClientCredentials: 600, IdToken: 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          audience: resource,
          scope: SCOPES,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
}

/** Approves the login or consent that a user would see. */
async function approve(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  const { login_hint: accountId = 'somebody', client_id: clientId = '' } = params;
  if (accountId === DENIER) return provider.interactionFinished(request, response, { error: 'access_denied' });
  if (prompt.name === 'login' || session === undefined)
    return provider.interactionFinished(request, response, { login: { accountId } });
  const grant = new provider.Grant({ accountId: session.accountId, clientId });
  grant.addOIDCScope(prompt.details.missingOIDCScope?.join(' ') ?? '');
  for (const [resource, scopes] of Object.entries(prompt.details.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '));
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function tokenOf(reply: Response): Promise<string> {
  const body = (await reply.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`The issuer gave no token: ${JSON.stringify(body)}`);
  return body.access_token;
}

const CALLBACKS = [CALLBACK, CONSOLE.redirect_uri];

/** Follows redirects like a browser, until one leads to the application. */
async function browse(from: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = from;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`${url.pathname} → ${reply.status}: ${await reply.text()}`);
    url = new URL(location, url);
    if (CALLBACKS.some((one) => url.href.startsWith(one))) return url;
  }
  throw new Error('The issuer redirects in a loop');
}

/**
 * Starts an issuer. `atEnd` registers a function that stops it: by default at the end of the current test. Pass
 * `afterAll` to share it in a file. `host`: the name in its URL. `serviceUrl`: where the console is.
 */
export async function startIssuer(
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
  { host = '127.0.0.1', serviceUrl = SERVICE_URL }: { readonly host?: string; readonly serviceUrl?: string } = {},
): Promise<TestIssuer> {
  // An issuer, and the next one in a test, have different keys.
  issuers += 1;
  let signing = await signingOf(`issuer ${issuers % 2}`);
  let rotations = 0;
  let provider: Provider;
  let keyFetches = 0;
  const server = createServer((request, response) => {
    if (request.url === '/jwks') keyFetches += 1;
    if (request.url?.startsWith('/interaction/') === true) void approve(provider, request, response);
    else provider.callback()(request, response);
  });
  const port = await listen(server, 0);
  const url = `http://${host}:${port}`;
  provider = await provide(url, signing, serviceUrl);
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  atEnd(down);

  return {
    url,
    keyFetches: () => keyFetches,
    publicKey: () => signing.publicKey,
    async clientToken(resource, scope) {
      const basic = Buffer.from(`${SHOP.client_id}:${SHOP.client_secret}`).toString('base64');
      const body = new URLSearchParams({ grant_type: 'client_credentials', resource, scope });
      return tokenOf(
        await fetch(`${url}/token`, { method: 'POST', body, headers: { authorization: `Basic ${basic}` } }),
      );
    },
    async userToken(subject, resource, scope) {
      const verifier = randomBytes(32).toString('base64url');
      const authorization = new URL(`${url}/auth`);
      authorization.search = new URLSearchParams({
        client_id: 'app',
        response_type: 'code',
        redirect_uri: CALLBACK,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        login_hint: subject,
        scope: `openid ${scope}`,
        resource,
      }).toString();
      const code = (await browse(authorization)).searchParams.get('code') ?? '';
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: CALLBACK,
        code_verifier: verifier,
        code,
        resource,
      });
      return tokenOf(await fetch(`${url}/token`, { method: 'POST', body }));
    },
    approve: browse,
    forge: (claims, header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signing.kid, ...header })
        .sign(signing.privateKey),
    async rotate() {
      rotations += 1;
      signing = await signingOf(`rotation ${rotations}`);
      provider = await provide(url, signing, serviceUrl);
    },
    down,
    async up() {
      await listen(server, port);
    },
  };
}
