import { randomBytes, randomUUID, type webcrypto } from 'node:crypto';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import { ACCESS_TOKEN_SECONDS, isFresh, LONGEST_LINK_SECONDS } from './lifetimes.ts';
import type { SigningKeyRecord, SigningKeyStore } from './ports.ts';

type Key = webcrypto.CryptoKey;

const ROTATE_AFTER_MS = 30 * 24 * 3600_000;

/**
 * How long the keys are used without reading them again. Meanwhile, this process may sign with a key that another
 * process has retired.
 */
const RELOAD_MS = 60_000;

/** The minimum time between two reads because of an unknown key id. Another process may have created such a key. */
const UNKNOWN_RELOAD_MS = 1000;

/**
 * How long a retired key still verifies. Another process may sign with it for `RELOAD_MS` more, and its clock may be
 * wrong by a minute.
 */
const VERIFIES_AFTER_RETIRED_MS = Math.max(ACCESS_TOKEN_SECONDS, LONGEST_LINK_SECONDS) * 1000 + RELOAD_MS + 60_000;

const newKey = (at: number): SigningKeyRecord => ({
  kid: randomUUID(),
  secret: randomBytes(32).toString('base64url'),
  createdAt: new Date(at).toISOString(),
});

const importKey = (record: SigningKeyRecord): Promise<Key> =>
  crypto.subtle.importKey('raw', Buffer.from(record.secret, 'base64url'), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>;

/** Opens the signing keys. Creates a first key if there is none. `now`: milliseconds since 1970. */
export async function openSigningKeys(deps: {
  readonly store: SigningKeyStore;
  readonly now: () => number;
  /** Called after this process has rotated the keys. `kid`: the id of the new key. */
  readonly onRotated?: (kid: string) => void;
}) {
  const { store, now, onRotated = () => {} } = deps;
  let ring = new Map<string, { readonly record: SigningKeyRecord; readonly key: Key }>();
  let loadedAt = 0;
  let loads = 0;
  let adopted = 0;

  async function load(read: () => Promise<readonly SigningKeyRecord[]>): Promise<void> {
    const startedAt = now();
    loads += 1;
    const order = loads;
    const next: typeof ring = new Map();
    for (const record of await read())
      next.set(record.kid, { record, key: ring.get(record.kid)?.key ?? (await importKey(record)) });
    // Ignore the result of a slow read if a later one has already finished.
    if (order < adopted) return;
    adopted = order;
    ring = next;
    loadedAt = startedAt;
  }

  const reload = shareRunning(() => load(() => store.list()));

  async function reloadAfter(ms: number): Promise<void> {
    if (reload.started() !== undefined || !isFresh(loadedAt, now(), ms)) await reload();
  }

  const rotate = shareRunning(async (): Promise<void> => {
    // Read the keys again: another process may already have rotated them.
    await load(() => store.list());
    if (!isDue()) return;
    const at = now();
    const successor = newKey(at);
    await store.rotate(successor, new Date(at).toISOString());
    onRotated(successor.kid);
    await store.forget(new Date(at - VERIFIES_AFTER_RETIRED_MS).toISOString());
    await load(() => store.list());
  });

  const current = () =>
    [...ring.values()]
      .filter(({ record }) => record.retiredAt === undefined)
      .sort((a, b) => b.record.createdAt.localeCompare(a.record.createdAt))[0];

  const isDue = (): boolean => {
    const newest = current();
    return newest === undefined || now() - Date.parse(newest.record.createdAt) >= ROTATE_AFTER_MS;
  };

  await load(() => store.ensure(newKey(now())));
  return {
    /** Returns the key to sign with. If it is too old, rotates the keys first. */
    async signer(): Promise<{ readonly kid: string; readonly key: Key }> {
      await reloadAfter(RELOAD_MS);
      if (isDue()) await rotate();
      const newest = current();
      if (newest === undefined) throw new Error('The database has no signing key.');
      return { kid: newest.record.kid, key: newest.key };
    },
    /** Finds the key with this id. Returns undefined if everything that it signed has expired. */
    async find(kid: string): Promise<Key | undefined> {
      await reloadAfter(RELOAD_MS);
      if (!ring.has(kid)) await reloadAfter(UNKNOWN_RELOAD_MS);
      const found = ring.get(kid);
      const retiredAt = found?.record.retiredAt;
      return retiredAt === undefined || now() < Date.parse(retiredAt) + VERIFIES_AFTER_RETIRED_MS
        ? found?.key
        : undefined;
    },
  };
}
