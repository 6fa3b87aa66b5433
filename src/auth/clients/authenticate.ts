import pLimit from 'p-limit';
import { Problem } from '../../domain/problem.ts';
import type { ClientLogin } from '../operations.ts';
import type { ClientRecord, ClientStore } from '../ports.ts';
import { isClientName } from './client-name.ts';
import type { FailedAttempts } from './failed-attempts.ts';
import { matchesGenerated, matchesSecret } from './secrets.ts';

/** The limit of concurrent hashes. Each uses one of libuv's four threads for about 50 ms; files need the other two. */
const HASHES_AT_ONCE = 2;

/** Finds the client with this login. Throws RATE_LIMITED, or INVALID_CLIENT without saying what was wrong. */
export type Authenticate = (credentials: ClientLogin) => Promise<ClientRecord>;

export function createAuthenticate(deps: { clients: ClientStore; failures: FailedAttempts }): Authenticate {
  const { clients, failures } = deps;
  const slot = pLimit(HASHES_AT_ONCE);

  return async ({ clientId, clientSecret, address }) => {
    const named = isClientName(clientId);
    // Ids that no client can have share one counter, so that invented ids do not fill the memory.
    const who = { address, clientId: named ? clientId : '' };
    const found = named ? await clients.get(clientId) : undefined;
    // Check a generated secret before the limit: it cannot be guessed, and wrong secrets from others at the same
    // address must not lock out its client. A secret that an operator chose may be weak, so the limit applies to it.
    if (found !== undefined && found.revokedAt === undefined && matchesGenerated(clientSecret, found.secretHash)) {
      failures.succeeded(who);
      return found;
    }
    await failures.check(who);
    return slot(async () => {
      // Check again: most requests of a burst pass the first check before any of them fails.
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
 * Throws INVALID_CLIENT if the client was rotated or revoked after `seen` was read. Call it after storing a token: a
 * concurrent revocation may have deleted the tokens of the client before this token was stored.
 */
export async function checkClientUnchanged(clients: ClientStore, seen: ClientRecord): Promise<void> {
  const client = await clients.get(seen.clientId);
  if (
    client === undefined ||
    client.revokedAt !== undefined ||
    client.secretHash !== seen.secretHash ||
    client.tokensNotBefore !== seen.tokensNotBefore
  )
    throw new Problem('INVALID_CLIENT', 'The client was changed while its token was issued. Send the request again.');
}
