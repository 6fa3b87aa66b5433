import type { Scope } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { isFresh } from './lifetimes.ts';
import type { ClientStore, IssuerKeys } from './ports.ts';
import { readScopeClaim } from './scopes.ts';
import { createClientCache, type TokenClaims, type TokenSource } from './verify.ts';

/** An external OAuth issuer whose access tokens the service accepts. */
export interface ExternalIssuer {
  /** The issuer, exactly as in the `iss` claim of its tokens. */
  readonly issuer: string;
  /** The accepted audiences. The `aud` claim of a token must contain at least one of them. */
  readonly audiences: readonly string[];
  /** The prefix that this service's scopes have in the issuer's tokens. '': they have no prefix. */
  readonly scopePrefix: string;
  /** Whether to accept also tokens whose `typ` does not say that they are access tokens (RFC 9068). */
  readonly plainJwt: boolean;
  readonly keys: IssuerKeys;
}

/** Contains only asymmetric algorithms. With a symmetric one, anyone who knows the public key could sign tokens. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The allowed difference between the clocks of the service and of the issuer. */
const LEEWAY_SECONDS = 30;

/** A token is verified again after this time, because the issuer may have withdrawn the key that signed it. */
const REVERIFY_AFTER_MS = 3_600_000;

const ACCESS_TOKEN = 'at+jwt';
const PLAIN: readonly string[] = [ACCESS_TOKEN, 'jwt', ''];

/** The source for access tokens of an external issuer. */
interface ExternalTokens extends TokenSource {
  /** Whether the token's `iss` claim names this issuer. Does not verify the signature. */
  claimsIssuer(token: string): boolean;
}

/** Verifies access tokens of an external issuer. The operator decides which client has which subject. */
export function externalTokens(by: ExternalIssuer, clients: ClientStore, now: () => number): ExternalTokens {
  const keys = externalKeys(by.keys, now);

  async function read(token: string): Promise<TokenClaims> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: by.issuer,
        audience: [...by.audiences],
        requiredClaims: ['sub', 'iat', 'exp'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(now()),
      });
      const { sub, iat, exp } = payload;
      checkType(by, protectedHeader.typ, payload);
      if (typeof sub !== 'string' || iat === undefined || exp === undefined) throw rejected(by, 'malformed');
      return {
        subject: sub,
        scopes: scopesOf(payload, by.scopePrefix),
        issuedAt: iat * 1000,
        validUntil: Math.min((exp + LEEWAY_SECONDS) * 1000, now() + REVERIFY_AFTER_MS),
      };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw rejected(by, rejectionReason(error), error);
      throw error;
    }
  }

  return {
    claimsIssuer(token) {
      try {
        return decodeJwt(token).iss === by.issuer;
      } catch {
        return false;
      }
    },
    read,
    clients: createClientCache((subject) => clients.findExternal(subject), now),
    rejection: ({ subject }, client) =>
      client === undefined
        ? new Problem(
            'NOT_A_CLIENT',
            `The access token is valid, but no client has its subject ${JSON.stringify(subject)}. ` +
              'Ask the operator to add one: telecine client add NAME --external SUBJECT.',
          )
        : rejected(by, 'revoked'),
  };
}

/** Rejects tokens that are not access tokens (such as ID tokens), and tokens that are bound to a key (`cnf`). */
function checkType(by: ExternalIssuer, typ: string | undefined, { cnf }: JWTPayload): void {
  const type = (typ ?? '').toLowerCase().replace(/^application\//, '');
  if (type !== ACCESS_TOKEN && !(by.plainJwt && PLAIN.includes(type))) throw rejected(by, 'type');
  if (cnf !== undefined) throw rejected(by, 'bound');
}

/** Reads the scopes from the claim `scope` (RFC 9068), or from `scp`, which some issuers use. The claim is a text or a list of texts. */
function scopesOf({ scope, scp }: JWTPayload, prefix: string): readonly Scope[] {
  const names = [scope ?? scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  const ours = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return readScopeClaim([...new Set(ours)].join(' '));
}

/** The reasons for rejecting a token. All reasons except `malformed` are given only if the signature is valid. */
const REASONS = {
  malformed: 'is malformed, or was not signed with a key of its issuer',
  expired: 'has expired',
  early: 'is not valid yet',
  audience: 'is for another audience',
  type: 'is not of the type at+jwt',
  bound: 'is bound to a key, which is not supported here',
  revoked: 'is from before the client was changed',
} as const;

function rejectionReason(error: errors.JOSEError): keyof typeof REASONS {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (!(error instanceof errors.JWTClaimValidationFailed) || error.reason !== 'check_failed') return 'malformed';
  return error.claim === 'aud' ? 'audience' : error.claim === 'nbf' ? 'early' : 'malformed';
}

const rejected = ({ issuer, audiences }: ExternalIssuer, why: keyof typeof REASONS, cause?: unknown): Problem =>
  new Problem(
    'INVALID_TOKEN',
    `The access token ${REASONS[why]}. Obtain one from ${issuer} for the audience ${audiences[0]}.`,
    { cause },
  );

/** Fetched keys are used for this time. Until then, a key still verifies tokens even if the issuer has withdrawn it. */
const MAX_AGE_MS = 600_000;

/** The shortest time between two fetches for unknown key ids. Without it, invented key ids could cause any number of fetches. */
const UNKNOWN_REFETCH_MS = 30_000;

/** The timeout of one fetch of the keys, including discovery. */
const TIMEOUT_MS = 5000;

/** After a failed fetch, the next fetch waits this long. */
const RETRY_SECONDS = 5;

/** jose requires a URL, but `customFetch` does not use it. */
const UNUSED_URL = new URL('https://issuer.invalid/');

/** The problem while the issuer's keys cannot be fetched. `cause` is for the log. */
const unavailable = (cause?: unknown): Problem =>
  new Problem(
    'UNAVAILABLE',
    `The access token cannot be checked: the keys of its issuer are not available. Retry in ${RETRY_SECONDS} s.`,
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );

/** Finds the key that a token names. Fetches the issuer's keys when needed. Throws UNAVAILABLE and errors of jose. */
function externalKeys(keys: IssuerKeys, now: () => number): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY;

  async function fetchKeys(signal: AbortSignal): Promise<Response> {
    if (isFresh(failedAt, now(), RETRY_SECONDS * 1000)) throw unavailable();
    try {
      const set = await keys.fetch(signal);
      // Check the key set here, so that an error about an invalid set names the issuer and not the token.
      createLocalJWKSet(set as JSONWebKeySet);
      return Response.json(set);
    } catch (cause) {
      failedAt = now();
      throw unavailable(cause);
    }
  }

  return createRemoteJWKSet(UNUSED_URL, {
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: UNKNOWN_REFETCH_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: (_address, { signal }) => fetchKeys(signal),
  });
}
