import pLimit from 'p-limit';
import { Problem } from '../../domain/problem.ts';
import type { ClientLogin } from '../operations.ts';
import type { ClientRecord, ClientStore } from '../ports.ts';
import { isClientName } from './client-name.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import { matchesSecret } from './secrets.ts';

/** Hashing holds a thread of libuv's four for some 50 ms: the other two are left to files. */
const HASHES_AT_ONCE = 2;

/** The client with these credentials. Throws RATE_LIMITED or INVALID_CLIENT, which does not say what was wrong. */
export type Authenticate = (credentials: ClientLogin) => Promise<ClientRecord>;

export function createAuthenticate(deps: { clients: ClientStore; failures: FailedAttempts }): Authenticate {
  const { clients, failures } = deps;
  const slot = pLimit(HASHES_AT_ONCE);

  return async ({ clientId, clientSecret, address }) => {
    const named = isClientName(clientId);
    // Ids that no client can have share one counter, so that making them up fills no memory.
    const who = { address, clientId: named ? clientId : '' };
    await failures.check(who);
    return slot(async () => {
      // Again: of a burst that came in together, most would get past the check above before the first has failed.
      await failures.check(who);
      const client = named ? await clients.get(clientId) : undefined;
      const right = await matchesSecret(clientSecret, client?.secretHash);
      if (client !== undefined && right && client.revokedAt === undefined) {
        failures.succeeded(who);
        return client;
      }
      await failures.count(who);
      throw new Problem('INVALID_CLIENT', 'The client id or the client secret is wrong.');
    });
  };
}

/**
 * Throws INVALID_CLIENT when the client was rotated or revoked since `seen` was read. Asked after a token was
 * stored: a revocation that came in between may have looked for the client's tokens before this one was there.
 */
export async function checkClientUnchanged(clients: ClientStore, seen: ClientRecord): Promise<void> {
  const client = await clients.get(seen.clientId);
  if (
    client === undefined ||
    client.revokedAt !== undefined ||
    client.secretHash !== seen.secretHash ||
    client.tokensNotBefore !== seen.tokensNotBefore
  )
    throw new Problem('INVALID_CLIENT', 'The client was changed while its token was made. Try again.');
}
