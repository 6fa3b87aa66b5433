import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Scope } from '../../domain/client.ts';
import { readScopeClaim } from '../scopes.ts';
import { ACCESS_TOKEN_SECONDS } from '../token-ttl.ts';
import { invalidToken } from './invalid-token.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The keys, claims and clock with which this service signs and verifies its access tokens. */
export interface TokenIssuer {
  readonly keys: SigningKeys;
  /** The claims `iss` and `aud`. A token with other values is rejected even if it has our signature. */
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The claims of an access token. Times are whole seconds since 1970. */
export interface AccessClaims {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A JWT of this service. An HS256 signature has 43 characters; the last one carries only four bits. */
const SHAPE = /^[\w-]{1,512}\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** The maximum length of a token in characters. Our tokens have about 500. */
const MAX_TOKEN_LENGTH = 4096;

export async function signAccessToken(by: TokenIssuer, claims: Omit<AccessClaims, 'expiresAt'>): Promise<string> {
  const { kid, key } = await by.keys.signer();
  return new SignJWT({ scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .setIssuer(by.issuer)
    .setAudience(by.audience)
    .setSubject(claims.clientId)
    .setJti(randomUUID())
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(key);
}

/**
 * Checks format, signature, issuer, audience and expiry. Throws INVALID_TOKEN. Its message says that a token has
 * expired only if the token has our signature.
 */
export async function readAccessToken(by: TokenIssuer, token: string): Promise<AccessClaims> {
  if (token.length > MAX_TOKEN_LENGTH || !SHAPE.test(token)) throw invalidToken('malformed');
  try {
    const { payload } = await jwtVerify(token, ({ kid = '' }) => keyOf(by.keys, kid), {
      algorithms: ['HS256'],
      issuer: by.issuer,
      audience: by.audience,
      requiredClaims: ['sub', 'scope', 'iat', 'exp'],
      currentDate: new Date(by.now()),
    });
    const { sub, scope, iat, exp } = payload;
    if (typeof sub !== 'string' || typeof scope !== 'string' || iat === undefined || exp === undefined)
      throw invalidToken('malformed');
    return { clientId: sub, scopes: readScopeClaim(scope), issuedAt: iat, expiresAt: exp };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw invalidToken('expired', error);
    if (error instanceof errors.JOSEError) throw invalidToken('malformed', error);
    throw error;
  }
}

async function keyOf(keys: SigningKeys, kid: string) {
  const key = await keys.find(kid);
  if (key === undefined) throw invalidToken('malformed');
  return key;
}
