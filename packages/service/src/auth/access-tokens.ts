import { randomUUID } from 'node:crypto';
import type { Scope } from '@telecine/contract/domain/client.ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ACCESS_TOKEN_SECONDS, notBefore } from './lifetimes.ts';
import type { ClientRecord } from './ports.ts';
import { readScopeClaim } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';
import { type ClientCache, invalidToken, type TokenClaims, type TokenSource } from './verify.ts';

/** The keys, claims and clock with which this service signs and verifies its access tokens. */
export interface TokenIssuer {
  readonly keys: SigningKeys;
  /** The value of the claims `iss` and `aud`. A token with another value is rejected. */
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The reply to `POST /api/auth/token`, except its refresh token. */
export interface AccessToken {
  /** Only for the audit log, not in the reply. */
  readonly clientId: string;
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  /** The lifetime in seconds. */
  readonly expiresIn: number;
  /** The scopes of the access token, separated by spaces. */
  readonly scope: string;
}

/** Matches a JWT of this service. An HS256 signature has 43 characters, the last of which carries only four bits. */
const SHAPE = /^[\w-]{1,512}\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** The maximum length of a token in characters. A token of this service has about 500. */
const MAX_TOKEN_LENGTH = 4096;

/**
 * Issues an access token. The claim `iat` is in whole seconds, and never before a rotation of the client's secret: such
 * a token would be invalid.
 */
export async function issueAccessToken(
  by: TokenIssuer,
  client: ClientRecord,
  scopes: readonly Scope[],
): Promise<AccessToken> {
  const { clientId } = client;
  const at = by.now();
  const issuedAt = Math.max(Math.floor(at / 1000), Math.ceil(notBefore(client, at) / 1000));
  const scope = scopes.join(' ');
  const { kid, key } = await by.keys.signer();
  const accessToken = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .setIssuer(by.issuer)
    .setAudience(by.audience)
    .setSubject(clientId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(key);
  return { clientId, accessToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_SECONDS, scope };
}

/** Returns the source for access tokens of this service, whose subject is the client id. */
export const ownTokens = (by: TokenIssuer, clients: ClientCache): TokenSource => ({
  read: (token) => readAccessToken(by, token),
  clients,
  rejection: () => invalidToken('revoked'),
});

/** Verifies an access token: its format, signature, issuer, audience and expiry. Throws INVALID_TOKEN. */
export async function readAccessToken(by: TokenIssuer, token: string): Promise<TokenClaims> {
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
    return { subject: sub, scopes: readScopeClaim(scope), issuedAt: iat * 1000, validUntil: exp * 1000 };
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
