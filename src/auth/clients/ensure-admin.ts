import { Problem } from '../../domain/problem.ts';
import type { ClientStore, RefreshStore } from '../ports.ts';
import { replaceSecret } from './clients.ts';
import { hashSecret, MAX_SECRET_LENGTH, matchesSecret, newSecret } from './secrets.ts';

export const ADMIN_CLIENT_ID = 'admin';

/** As short a password as NIST SP 800-63B allows; a file of 32 random bytes is better. */
const MIN_GIVEN_LENGTH = 8;

export interface AdminCredentials {
  readonly clientId: typeof ADMIN_CLIENT_ID;
  readonly clientSecret: string;
}

/** Where the operator finds a secret of the admin that was made up. */
export interface AdminSecretFile {
  /**
   * Called before the store learns of the secret: after a crash in between, the next start makes another one and
   * keeps that; the other way round the secret would be lost.
   */
  write(admin: AdminCredentials): Promise<void>;
  /** Takes back what was kept: it is no longer the admin's, or is one that the operator has already. */
  remove(): Promise<void>;
}

/**
 * Makes the admin client (scope `admin`) where there is none. `given`: its secret from outside, without the
 * newline that ends a file; without one it is made up, and kept. A given secret that is not the stored one replaces it,
 * and voids the admin's tokens. An admin that was revoked stays so. Throws INVALID_REQUEST for a given secret too short or too long.
 */
export async function ensureAdmin(deps: {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly given: string | undefined;
  readonly secretFile: AdminSecretFile;
}): Promise<'created' | 'rotated' | 'unchanged' | 'revoked'> {
  const { clients, now, given, secretFile } = deps;
  if (given !== undefined && (given.length < MIN_GIVEN_LENGTH || given.length > MAX_SECRET_LENGTH))
    throw new Problem(
      'INVALID_REQUEST',
      `The admin's secret must have ${MIN_GIVEN_LENGTH} to ${MAX_SECRET_LENGTH} characters; the one given has ${given.length}.`,
    );

  const admin = await clients.get(ADMIN_CLIENT_ID);
  if (admin === undefined) {
    const secret = given ?? newSecret();
    if (given === undefined) await secretFile.write({ clientId: ADMIN_CLIENT_ID, clientSecret: secret });
    const added = await clients.add({
      clientId: ADMIN_CLIENT_ID,
      secretHash: await hashSecret(secret),
      scopes: ['admin'],
      createdAt: new Date(now()).toISOString(),
    });
    if (given !== undefined || !added) await secretFile.remove();
    return added ? 'created' : 'unchanged';
  }
  if (admin.revokedAt !== undefined) return 'revoked';
  if (given === undefined) return 'unchanged';
  const unchanged = await matchesSecret(given, admin.secretHash);
  if (!unchanged) await replaceSecret(deps, ADMIN_CLIENT_ID, given);
  await secretFile.remove();
  return unchanged ? 'unchanged' : 'rotated';
}
