import type { ServerMetadata } from 'openid-client';
import { type IssuerLogin, IssuerLoginFailed, type LoginReply, type LoginSecrets } from '../auth/ports.ts';
import { addressIn, discoverIssuer } from './issuer-metadata.ts';

type OpenidClient = typeof import('openid-client');
type Configuration = InstanceType<OpenidClient['Configuration']>;

/** The timeout of one request to the issuer, in seconds. */
const TIMEOUT_SECONDS = 5;

/** The allowed difference between the clocks of this service and of the issuer. Access tokens have the same. */
const LEEWAY_SECONDS = 30;

/** Metadata of the issuer are read again after this time. */
const MAX_AGE_MS = 600_000;

export interface IssuerLoginOptions {
  readonly issuer: string;
  /** The client id and the secret that this service has at the issuer. Without a secret, the service is a public client. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The URL to which the issuer sends browsers back. */
  readonly redirectUri: string;
  /** The requested scopes, separated by spaces. They contain `openid`. */
  readonly scope: string;
  /** Further parameters of the authorization request, such as `resource`. */
  readonly parameters: URLSearchParams;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Error codes of an issuer (OpenID Connect Core, 3.1.2.6) that mean that the person did not complete the login. */
const DENIED: ReadonlySet<string> = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
]);

/** Lets people sign in at an issuer. Uses openid-client, which is loaded when the first person signs in. */
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
    async begin() {
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
    return { accessToken: tokens.access_token, subject: tokens.claims()?.sub ?? '' };
  }
}

async function configure({ issuer, clientId, clientSecret }: IssuerLoginOptions): Promise<Configuration> {
  const oidc = await import('openid-client');
  try {
    const metadata = await discoverIssuer(issuer, AbortSignal.timeout(TIMEOUT_SECONDS * 1000));
    addressIn(metadata, 'token_endpoint');
    const config = new oidc.Configuration(
      // The metadata were parsed from JSON, so all values have JSON types.
      metadata as ServerMetadata,
      clientId,
      { [oidc.clockTolerance]: LEEWAY_SECONDS },
      clientSecret === undefined ? oidc.None() : secretBy(oidc, metadata, clientSecret),
    );
    config.timeout = TIMEOUT_SECONDS;
    // The configuration allows an http issuer only on the loopback address.
    if (issuer.startsWith('http:')) oidc.allowInsecureRequests(config);
    return config;
  } catch (cause) {
    throw new IssuerLoginFailed('UNAVAILABLE', cause);
  }
}

/**
 * Returns how to send the secret to the issuer. If the issuer does not say what it supports, HTTP Basic is the default (OpenID Connect
 * Discovery, 3).
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
  // fetch throws such an error if it gets no reply.
  return error instanceof TypeError && error.cause !== undefined ? 'UNAVAILABLE' : 'REJECTED';
}
