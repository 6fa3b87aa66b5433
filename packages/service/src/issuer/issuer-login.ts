import type { ServerMetadata } from 'openid-client';
import { type IssuerLogin, IssuerLoginFailed, type LoginReply, type LoginSecrets } from '../auth/ports.ts';
import { addressIn, discoverIssuer } from './issuer-metadata.ts';

type OpenidClient = typeof import('openid-client');
type Configuration = InstanceType<OpenidClient['Configuration']>;

/** The time limit for one request to the issuer, in seconds. */
const TIMEOUT_SECONDS = 5;

/** How much the clocks of this service and of the issuer may differ, as for access tokens. */
const LEEWAY_SECONDS = 30;

/** How long the metadata of the issuer are used without reading them again. */
const MAX_AGE_MS = 600_000;

interface IssuerLoginOptions {
  readonly issuer: string;
  /** The client id and the secret of this service at the issuer. Without a secret, the service is a public client. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The URL to which the issuer sends browsers back. */
  readonly redirectUri: string;
  /** The requested scopes, separated by spaces, with `openid` among them. */
  readonly scope: string;
  /** Further parameters of the authorization request, such as `resource`. */
  readonly parameters: URLSearchParams;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Error codes of an issuer (OpenID Connect Core, 3.1.2.6) with which the person did not complete the login. */
const DENIED: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
]);

/** Lets people sign in at an issuer. Imports openid-client when the first person does. */
export function issuerLogin(options: IssuerLoginOptions): IssuerLogin {
  const { now, redirectUri, scope, parameters } = options;
  let known: { readonly readAt: number; readonly config: Promise<Configuration> } | undefined;

  const configuration = (): Promise<Configuration> => {
    if (known === undefined || now() - known.readAt > MAX_AGE_MS) {
      const read = { readAt: now(), config: configure(options) };
      known = read;
      read.config.catch(() => {
        if (known === read) known = undefined;
      });
    }
    return known.config;
  };

  return {
    async begin(isOtherAccount) {
      const oidc = await import('openid-client');
      const config = await configuration();
      const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const address = oidc.buildAuthorizationUrl(config, {
        ...Object.fromEntries(parameters),
        redirect_uri: redirectUri,
        scope,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        state: secrets.state,
        nonce: secrets.nonce,
        ...(isOtherAccount && { prompt: promptFor(config.serverMetadata(), parameters.get('prompt')) }),
      });
      return { address: address.href, secrets };
    },

    async finish(query, secrets) {
      const oidc = await import('openid-client');
      const config = await configuration();
      try {
        return await redeem(oidc, config, new URL(`${redirectUri}?${query}`), secrets);
      } catch (cause) {
        throw new IssuerLoginFailed(reasonOf(oidc, cause), cause);
      }
    },
  };

  async function redeem(
    oidc: OpenidClient,
    config: Configuration,
    address: URL,
    { state, nonce, verifier }: LoginSecrets,
  ): Promise<LoginReply> {
    const resource = parameters.get('resource');
    const tokens = await oidc.authorizationCodeGrant(
      config,
      address,
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      resource === null ? {} : { resource },
    );
    const claims = tokens.claims();
    const name = claims && nameIn(claims);
    return { accessToken: tokens.access_token, subject: claims?.sub ?? '', ...(name !== undefined && { name }) };
  }
}

/**
 * How to ask an issuer who logs in. `login` asks for the password, on a page where another person can log in too. Not all issuers
 * have a page to choose an account. `configured`: the `prompt` that the operator set. It is kept if it lets another person log in:
 * an issuer may have the page and not say so in its metadata.
 */
export function promptFor(
  { prompt_values_supported: supported }: Readonly<Record<string, unknown>>,
  configured: string | null,
): string {
  if (configured?.split(' ').some((value) => value === 'select_account' || value === 'login')) return configured;
  return Array.isArray(supported) && supported.includes('select_account') ? 'select_account' : 'login';
}

/** The claims by which people know a person, the best one first. */
const NAMES = ['email', 'preferred_username', 'name'] as const;

const nameIn = (claims: Readonly<Record<string, unknown>>): string | undefined =>
  NAMES.map((name) => claims[name]).find((value) => typeof value === 'string' && value !== '') as string | undefined;

async function configure({ issuer, clientId, clientSecret }: IssuerLoginOptions): Promise<Configuration> {
  const oidc = await import('openid-client');
  try {
    const metadata = await discoverIssuer(issuer, AbortSignal.timeout(TIMEOUT_SECONDS * 1000));
    for (const name of ['token_endpoint', 'jwks_uri']) addressIn(metadata, name);
    const config = new oidc.Configuration(
      // Cast the metadata: they were parsed from JSON, so their values have JSON types.
      metadata as ServerMetadata,
      clientId,
      { [oidc.clockTolerance]: LEEWAY_SECONDS },
      clientSecret === undefined ? oidc.None() : secretBy(oidc, metadata, clientSecret),
    );
    config.timeout = TIMEOUT_SECONDS;
    // Verify the signature of the ID token too, for an issuer behind a proxy that ends TLS.
    oidc.enableNonRepudiationChecks(config);
    // An http issuer can only be on the loopback address: the settings allow no other.
    if (issuer.startsWith('http:')) oidc.allowInsecureRequests(config);
    return config;
  } catch (cause) {
    throw new IssuerLoginFailed('UNAVAILABLE', cause);
  }
}

/**
 * Returns how to send the secret to the issuer. The default is HTTP Basic, if the metadata name no method
 * (OpenID Connect Discovery, 3).
 */
function secretBy(
  oidc: OpenidClient,
  { token_endpoint_auth_methods_supported: methods }: Readonly<Record<string, unknown>>,
  secret: string,
) {
  const isBasic = !Array.isArray(methods) || methods.includes('client_secret_basic');
  return isBasic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

function reasonOf(oidc: OpenidClient, error: unknown): IssuerLoginFailed['reason'] {
  if (error instanceof oidc.AuthorizationResponseError)
    return DENIED.has(error.error) ? 'DENIED' : error.error === 'temporarily_unavailable' ? 'UNAVAILABLE' : 'REJECTED';
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500 ? 'UNAVAILABLE' : 'REJECTED';
  if (error instanceof oidc.ClientError) return error.code === 'OAUTH_TIMEOUT' ? 'UNAVAILABLE' : 'REJECTED';
  // If there is no reply, fetch throws a TypeError with a cause.
  return error instanceof TypeError && error.cause !== undefined ? 'UNAVAILABLE' : 'REJECTED';
}
