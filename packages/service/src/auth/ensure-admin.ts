import { ADMIN_CLIENT_ID } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { replaceSecret } from './clients.ts';
import type { ClientStore, RefreshStore } from './ports.ts';
import { hashSecret, MAX_SECRET_LENGTH, matchesSecret, newSecret } from './secrets.ts';

/** The minimum length of the admin secret, in characters. NIST SP 800-63B demands it for a password. */
const MIN_SECRET_LENGTH = 8;

export interface AdminCredentials {
  readonly clientId: typeof ADMIN_CLIENT_ID;
  readonly clientSecret: string;
}

/** The file in which the operator finds a generated admin secret. */
interface AdminSecretFile {
  /** Writes the file. Call this before the secret is stored, so that a crash in between does not lose the secret. */
  write(admin: AdminCredentials): Promise<void>;
  /** Deletes the file, because its secret is no longer valid, or the operator has configured another one. */
  remove(): Promise<void>;
}

/**
 * Creates the admin client (scope `admin`) if it is missing. Without `configuredSecret`, generates a secret and writes
 * it to `secretFile`. If `configuredSecret` has changed, replaces the secret and revokes the tokens of the admin. A
 * revoked admin stays revoked. Throws INVALID_REQUEST if the configured secret is too short or too long.
 */
export async function ensureAdmin(deps: {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /**
   * The secret in TELECINE_ADMIN_SECRET_FILE, without a line break at its end. undefined: the operator has configured
   * none.
   */
  readonly configuredSecret: string | undefined;
  readonly secretFile: AdminSecretFile;
}): Promise<'created' | 'rotated' | 'unchanged' | 'revoked'> {
  const { clients, now, configuredSecret, secretFile } = deps;
  if (
    configuredSecret !== undefined &&
    (configuredSecret.length < MIN_SECRET_LENGTH || configuredSecret.length > MAX_SECRET_LENGTH)
  )
    throw new Problem(
      'INVALID_REQUEST',
      `TELECINE_ADMIN_SECRET_FILE: the secret must have ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters, not ${configuredSecret.length}.`,
    );

  const admin = await clients.get(ADMIN_CLIENT_ID);
  if (admin === undefined) {
    const secret = configuredSecret ?? newSecret();
    if (configuredSecret === undefined) await secretFile.write({ clientId: ADMIN_CLIENT_ID, clientSecret: secret });
    const added = await clients.add({
      clientId: ADMIN_CLIENT_ID,
      secretHash: await hashSecret(secret),
      scopes: ['admin'],
      createdAt: new Date(now()).toISOString(),
    });
    if (configuredSecret !== undefined || !added) await secretFile.remove();
    return added ? 'created' : 'unchanged';
  }
  if (admin.revokedAt !== undefined) return 'revoked';
  if (configuredSecret === undefined) return 'unchanged';
  const unchanged = await matchesSecret(configuredSecret, admin.secretHash);
  if (!unchanged) await replaceSecret(deps, ADMIN_CLIENT_ID, configuredSecret);
  await secretFile.remove();
  return unchanged ? 'unchanged' : 'rotated';
}
