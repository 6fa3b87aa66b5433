import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Scope } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import { createClientCache } from '../clients/client-cache.ts';
import type { ClientStore } from '../ports.ts';
import { readScopeClaim } from '../scopes.ts';
import type { TokenClaims, TokenSource } from '../token-source.ts';
import type { ExternalIssuer } from './external-issuer.ts';
import { externalKeys } from './external-keys.ts';

/** Asymmetric ones alone: with a symmetric one, whoever knows the public key could sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** How far the issuer's clock may be off. */
const LEEWAY_SECONDS = 30;

/** A token is read anew after this, so that what was signed with a withdrawn key does not live as long as it says. */
const REMEMBERED_MS = 3_600_000;

const ACCESS_TOKEN = 'at+jwt';
const PLAIN: readonly string[] = [ACCESS_TOKEN, 'jwt', ''];

/** Tokens that can be told from our own at a glance. */
export interface ExternalTokens extends TokenSource {
  /** Does the token say that it is of this issuer? Told before any signature is looked at, and so no proof. */
  names(token: string): boolean;
}

/** The tokens of an external issuer; their subject is what an operator bound a client to. */
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
      if (typeof sub !== 'string' || iat === undefined || exp === undefined) throw notGood(by, 'malformed');
      return {
        subject: sub,
        scopes: scopesOf(payload, by.scopePrefix),
        issuedAt: iat,
        goodUntil: Math.min((exp + LEEWAY_SECONDS) * 1000, now() + REMEMBERED_MS),
      };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw notGood(by, whyNot(error), error);
      throw error;
    }
  }

  return {
    names(token) {
      try {
        return decodeJwt(token).iss === by.issuer;
      } catch {
        return false;
      }
    },
    read,
    standings: createClientCache((subject) => clients.findExternal(subject), now),
    refused: ({ subject }, client) =>
      client === undefined
        ? new Problem(
            'NOT_A_CLIENT',
            `The access token is good, but its subject ${JSON.stringify(subject)} is no client of this service. ` +
              'Whoever runs it can make it one: "telecine client add NAME --external SUBJECT".',
          )
        : notGood(by, 'revoked'),
  };
}

/** An ID token is for another reader, and a token that is bound to a key is not for who merely carries it. */
function checkType(by: ExternalIssuer, typ: string | undefined, { cnf }: JWTPayload): void {
  const type = (typ ?? '').toLowerCase().replace(/^application\//, '');
  if (type !== ACCESS_TOKEN && !(by.plainJwt && PLAIN.includes(type))) throw notGood(by, 'type');
  if (cnf !== undefined) throw notGood(by, 'bound');
}

/** From `scope` (RFC 9068), or from `scp`, as some issuers call it; as text or as a list. */
function scopesOf({ scope, scp }: JWTPayload, prefix: string): readonly Scope[] {
  const names = [scope ?? scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  const ours = names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return readScopeClaim([...new Set(ours)].join(' '));
}

/** All that the caller learns. What follows `malformed` is told only of tokens that the issuer signed. */
const REASONS = {
  malformed: 'is malformed, or was not signed with a key of its issuer',
  expired: 'has expired',
  early: 'is not good yet',
  audience: 'is for another audience',
  type: 'is not of the type at+jwt',
  bound: 'is bound to a key, which is not supported here',
  revoked: 'is from before the client was changed',
} as const;

function whyNot(error: errors.JOSEError): keyof typeof REASONS {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (!(error instanceof errors.JWTClaimValidationFailed) || error.reason !== 'check_failed') return 'malformed';
  return error.claim === 'aud' ? 'audience' : error.claim === 'nbf' ? 'early' : 'malformed';
}

const notGood = ({ issuer, audiences }: ExternalIssuer, why: keyof typeof REASONS, cause?: unknown): Problem =>
  new Problem(
    'INVALID_TOKEN',
    `The access token ${REASONS[why]}. Obtain one from ${issuer} for the audience ${audiences[0]}.`,
    cause === undefined ? {} : { cause },
  );
