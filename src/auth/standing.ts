import { isFresh } from './lifetimes.ts';
import type { ClientRecord, ClientStore } from './ports.ts';

/** How long a client's record is trusted: what another process revoked ends here after that long. */
const TRUSTED_MS = 1000;

/** What was last read of a client; shared by all its tokens. */
export interface Standing {
  readonly clientId: string;
  record: ClientRecord | undefined;
  /** When the reading began, milliseconds since 1970. */
  readAt: number;
  reading: Promise<void> | undefined;
}

export interface Standings {
  of(clientId: string): Standing;
  isFresh(standing: Standing, at: number): boolean;
  /** Reads the record anew; all who wait share one reading. */
  read(standing: Standing): Promise<void>;
}

/** Holds one entry a client that ever sent a good token, so the operator's clients bound it. */
export function createStandings(clients: ClientStore, now: () => number): Standings {
  const all = new Map<string, Standing>();

  async function read(standing: Standing): Promise<void> {
    const startedAt = now();
    standing.record = await clients.get(standing.clientId);
    standing.readAt = startedAt;
  }

  return {
    of(clientId) {
      let standing = all.get(clientId);
      if (standing === undefined) {
        standing = { clientId, record: undefined, readAt: Number.NEGATIVE_INFINITY, reading: undefined };
        all.set(clientId, standing);
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
