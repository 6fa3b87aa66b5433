import type { ClientRecord } from '../ports.ts';
import { isFresh } from '../token-ttl.ts';

/** How long a client's record is trusted: what another process revoked ends here after that long. */
const TRUSTED_MS = 1000;

/** What was last read of a client; shared by all its tokens. */
export interface CachedClient {
  /** By what the client is read. */
  readonly key: string;
  record: ClientRecord | undefined;
  /** When the reading began, milliseconds since 1970. */
  readAt: number;
  reading: Promise<void> | undefined;
}

export interface ClientCache {
  of(key: string): CachedClient;
  isFresh(standing: CachedClient, at: number): boolean;
  /** Reads the record anew; all who wait share one reading. */
  read(standing: CachedClient): Promise<void>;
}

/**
 * Holds one entry a client that ever sent a good token, so the operator's clients bound it: a key that is no client's is
 * not kept. `find` reads the client of a key.
 */
export function createClientCache(
  find: (key: string) => Promise<ClientRecord | undefined>,
  now: () => number,
): ClientCache {
  const all = new Map<string, CachedClient>();

  async function read(standing: CachedClient): Promise<void> {
    const startedAt = now();
    standing.record = await find(standing.key);
    standing.readAt = startedAt;
    if (standing.record === undefined) all.delete(standing.key);
  }

  return {
    of(key) {
      let standing = all.get(key);
      if (standing === undefined) {
        standing = { key, record: undefined, readAt: Number.NEGATIVE_INFINITY, reading: undefined };
        all.set(key, standing);
      }
      return standing;
    },
    isFresh: (standing, at) => isFresh(standing.readAt, at, TRUSTED_MS),
    read(standing) {
      standing.reading ??= read(standing).finally(() => {
        standing.reading = undefined;
      });
      return standing.reading;
    },
  };
}
