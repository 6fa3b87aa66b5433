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
  /** The accepted audiences: the `aud` claim of a token must contain at least one of them. */
  readonly audiences: readonly string[];
  /** The prefix of this service's scopes in tokens of the issuer. '': none. */
  readonly scopePrefix: string;
  /** true: tokens are accepted even if their `typ` does not say that they are access tokens (RFC 9068). */
  readonly plainJwt: boolean;
  readonly keys: IssuerKeys;
}

/** Only asymmetric algorithms: with a symmetric one, anyone who knows the public key could sign tokens. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** How much the clocks of the service and of the issuer may differ. */
const LEEWAY_SECONDS = 30;

/** A token is verified again after this time, because the issuer may have withdrawn the key that signed it. */
const REVERIFY_AFTER_MS = 3_600_000;

const ACCESS_TOKEN = 'at+jwt';
const PLAIN: readonly string[] = [ACCESS_TOKEN, 'jwt', ''];

/** The source for access tokens of an external issuer. */
interface ExternalTokens extends TokenSource {
  /** Returns whether the `iss` claim of a token names this issuer. Does not verify the signature. */
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

/**
 * Reads the scopes from the claim `scope` (RFC 9068), or from `scp`, which some issuers use. The claim is a text or a
 * list of texts.
 */
function scopesOf({ scope, scp }: JWTPayload, prefix: string): readonly Scope[] {
  const names = [scope ?? scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  const ours = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return readScopeClaim([...new Set(ours)].join(' '));
}

/** Why a token is rejected. All reasons except `malformed` are only given if the signature is valid. */
const REASONS = {
  malformed: 'is malformed, or was not signed with a key of its issuer',
  expired: 'has expired',
  early: 'is not valid yet',
  audience: 'is for another audience (claim aud)',
  type: 'is not of the type at+jwt',
  bound: 'is bound to a key (claim cnf), which this service does not support',
  revoked: 'was issued before the client was changed',
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

/** How long fetched keys are used. Until then, a key verifies tokens even if the issuer has withdrawn it. */
const MAX_AGE_MS = 600_000;

/**
 * The minimum time between two fetches because of an unknown key id. Otherwise, invented key ids could cause any number
 * of fetches.
 */
const UNKNOWN_REFETCH_MS = 30_000;

/** The time limit for one fetch of the keys, including discovery. */
const TIMEOUT_MS = 5000;

/** How long no fetch is tried after a failed one. */
const RETRY_SECONDS = 5;

/** jose demands a URL, which `customFetch` does not use. */
const UNUSED_URL = new URL('https://issuer.invalid/');

/** The problem while the keys of the issuer cannot be fetched. `cause` is for the log. */
const unavailable = (cause?: unknown): Problem =>
  new Problem(
    'UNAVAILABLE',
    `The access token cannot be checked: the keys of its issuer are not available. Retry in ${RETRY_SECONDS} s.`,
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );

/**
 * Finds the key that a token names. Fetches the keys of the issuer when they are needed. Throws UNAVAILABLE and errors
 * of jose.
 */
function externalKeys(keys: IssuerKeys, now: () => number): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY;

  async function fetchKeys(signal: AbortSignal): Promise<Response> {
    if (isFresh(failedAt, now(), RETRY_SECONDS * 1000)) throw unavailable();
    try {
      const set = await keys.fetch(signal);
      // Check the key set here, so that an error about an invalid one is about the issuer, not about the token.
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
