const WINDOW_SECONDS = 60;

/** What a client has left of a limit a minute. */
export interface Bucket {
  left: number;
}

/**
 * What each client has left of one limit a minute. A client that was idle for a minute has those of a minute, and gets them back
 * evenly. Counted in this process.
 */
export interface MinuteBuckets {
  /** The bucket of a client, filled up to now. */
  of(clientId: string, limit: number): Bucket;
}

/** Creates the buckets. `now`: milliseconds of a clock that never goes back. */
export function minuteBuckets(now: () => number = () => performance.now()): MinuteBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    of(clientId, limit) {
      const [at, known] = [now(), buckets.get(clientId)];
      const bucket = known ?? { left: limit, at };
      if (known === undefined) buckets.set(clientId, bucket);
      bucket.left = Math.min(limit, bucket.left + ((at - bucket.at) * limit) / (WINDOW_SECONDS * 1000));
      bucket.at = at;
      return bucket;
    },
  };
}

/** The milliseconds until a bucket of this limit has `wanted`; 0 if it has. */
export const msUntil = ({ left }: Bucket, wanted: number, limit: number): number =>
  Math.max(0, ((wanted - left) * WINDOW_SECONDS * 1000) / limit);
