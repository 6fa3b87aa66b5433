import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Scope } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import { createClientCache } from '../clients/client-cache.ts';
import type { ClientStore } from '../ports.ts';
import { readScopeClaim } from '../scopes.ts';
import type { TokenClaims, TokenSource } from '../token-source.ts';
import type { ExternalIssuer } from './external-issuer.ts';
import { externalKeys } from './external-keys.ts';

/** Only asymmetric algorithms. With a symmetric one, anyone who has the public key could sign tokens. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The allowed difference between our clock and that of the issuer. */
const LEEWAY_SECONDS = 30;

/** A token is verified again after this time, in case the issuer has withdrawn its key. */
const REVERIFY_AFTER_MS = 3_600_000;

const ACCESS_TOKEN = 'at+jwt';
const PLAIN: readonly string[] = [ACCESS_TOKEN, 'jwt', ''];

/** The access tokens of an external issuer. */
export interface ExternalTokens extends TokenSource {
  /** Whether the `iss` claim of the token is this issuer. Does not verify the signature. */
  claimsIssuer(token: string): boolean;
}

/** Verifies access tokens of an external issuer. The operator assigns their subjects to clients. */
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

/** Rejects ID tokens, and tokens that are bound to a key (`cnf`). */
function checkType(by: ExternalIssuer, typ: string | undefined, { cnf }: JWTPayload): void {
  const type = (typ ?? '').toLowerCase().replace(/^application\//, '');
  if (type !== ACCESS_TOKEN && !(by.plainJwt && PLAIN.includes(type))) throw rejected(by, 'type');
  if (cnf !== undefined) throw rejected(by, 'bound');
}

/** Reads the scopes from `scope` (RFC 9068) or from `scp`, which some issuers use. The claim is a text or a list. */
function scopesOf({ scope, scp }: JWTPayload, prefix: string): readonly Scope[] {
  const names = [scope ?? scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  const ours = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return readScopeClaim([...new Set(ours)].join(' '));
}

/** The reasons to reject a token. All except `malformed` apply only to tokens with a valid signature. */
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
    cause === undefined ? {} : { cause },
  );
