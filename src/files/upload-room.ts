import type { Caller } from '../domain/client.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { RecountFiles, StoredFiles } from '../domain/stored-files.ts';

/** What is reserved at once for a body of unknown length. Each reservation is a transaction. */
const STEP_BYTES = 16 * 2 ** 20;

/** How often a reservation is renewed that does not grow. One that is an hour old is forgotten. */
const RENEWAL_MS = 600_000;

/**
 * The room for the body of one upload in the quota of its client, so that no bodies are read that do not fit together. Each
 * method but `release` throws QUOTA_EXCEEDED.
 */
export interface UploadRoom {
  /** Reserves room for a body before it is read. */
  announce(sizeBytes: number | undefined): Promise<void>;
  /** Call it when so many bytes of the body have arrived. */
  use(bytes: number): Promise<void>;
  /** Counts the file, before it appears. Recount it afterwards. */
  count(bytes: number): Promise<void>;
  /** Call it last. Forgets a body that was not counted. Never rejects: a recount repeats it. */
  release(): Promise<void>;
}

/** Opens the room for an upload. Without a quota, it only counts the file. `version`: see `StoredFiles.count`. */
export function uploadRoom(
  {
    stored,
    recount,
  }: { readonly stored: Pick<StoredFiles, 'reserve' | 'release' | 'count'>; readonly recount: RecountFiles },
  { clientId, policy: { storage: limit } }: Pick<Caller, 'clientId' | 'policy'>,
  path: MediaPath,
  version: string,
): UploadRoom {
  let reserved = 0;
  let reservedAtMs = 0;
  let isReserved = false;
  const reserve = async (least: number, most: number): Promise<void> => {
    if (limit === undefined) return;
    reserved = await stored.reserve(clientId, path, { least, most, version, limit });
    reservedAtMs = Date.now();
    isReserved = true;
  };
  return {
    announce: (sizeBytes) =>
      // A client that sends no length has at least one byte to send.
      sizeBytes === undefined ? reserve(1, STEP_BYTES) : reserve(sizeBytes, sizeBytes),
    use: async (bytes) => {
      if (!isReserved) return;
      if (bytes > reserved) await reserve(bytes, bytes + STEP_BYTES);
      else if (Date.now() - reservedAtMs > RENEWAL_MS) await reserve(reserved, reserved);
    },
    count: async (bytes) => {
      await stored.count(clientId, [{ path, bytes }], { version, limit });
      isReserved = false;
    },
    release: async () => {
      if (isReserved)
        await stored.release(clientId, version).catch(() => recount(clientId, [path], { version, hasAppeared: false }));
    },
  };
}
