import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Scope } from '../../domain/client.ts';
import { readScopeClaim } from '../scopes.ts';
import { ACCESS_TOKEN_SECONDS } from '../token-ttl.ts';
import { invalidToken } from './invalid-token.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What the tokens of this service say of where they come from and what they are for. */
export interface TokenIssuer {
  readonly keys: SigningKeys;
  /** `iss` and `aud`: a token with others is not ours, even if it was signed with our key. */
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What an access token says; times in whole seconds since 1970. */
export interface AccessClaims {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A JWT as this service writes it: HS256's signature is 43 characters, whose last one carries but four bits. */
const SHAPE = /^[\w-]{1,512}\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** In characters. Ours are some 500; what is longer is not looked at. */
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

/** Checks form, signature, origin and expiry. Throws INVALID_TOKEN; expiry is told only of tokens that we signed. */
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
