import { randomBytes, randomUUID, type webcrypto } from 'node:crypto';
import type { SigningKeyRecord, SigningKeyStore } from '../ports.ts';
import { ACCESS_TOKEN_SECONDS, isFresh, LONGEST_LINK_SECONDS } from '../token-ttl.ts';

type Key = webcrypto.CryptoKey;

export interface SigningKeys {
  /** The key to sign with; one that is too old is followed by a new one first. */
  signer(): Promise<{ readonly kid: string; readonly key: Key }>;
  /** The key of that name, unless all tokens and links signed with it have expired. */
  find(kid: string): Promise<Key | undefined>;
}

const ROTATE_AFTER_MS = 30 * 24 * 3600_000;

/** How long another process's rotation may go unnoticed; until then this one signs with the key before. */
const RELOAD_MS = 60_000;

/** A key that is not known may be another process's new one; asking for made-up ones reads no more than this often. */
const UNKNOWN_RELOAD_MS = 1000;

/** The last token or link of a key is signed up to `RELOAD_MS` after it was retired, by a clock up to a minute off. */
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

/** Opens the keys that sign access tokens, making the first where there is none. `now`: milliseconds since 1970. */
export async function openSigningKeys(deps: { store: SigningKeyStore; now: () => number }): Promise<SigningKeys> {
  const { store, now } = deps;
  let ring = new Map<string, { readonly record: SigningKeyRecord; readonly key: Key }>();
  let loadedAt = 0;
  let loads = 0;
  let adopted = 0;
  let loading: Promise<void> | undefined;
  let rotating: Promise<void> | undefined;

  async function load(read: () => Promise<readonly SigningKeyRecord[]>): Promise<void> {
    const startedAt = now();
    loads += 1;
    const turn = loads;
    const next: typeof ring = new Map();
    for (const record of await read())
      next.set(record.kid, { record, key: ring.get(record.kid)?.key ?? (await importKey(record)) });
    // A slow read must not bring back what was there before a later one.
    if (turn < adopted) return;
    adopted = turn;
    ring = next;
    loadedAt = startedAt;
  }

  async function reloadAfter(ms: number): Promise<void> {
    if (loading === undefined && isFresh(loadedAt, now(), ms)) return;
    loading ??= load(() => store.list()).finally(() => {
      loading = undefined;
    });
    await loading;
  }

  async function rotate(): Promise<void> {
    // Another process may have been first.
    await load(() => store.list());
    if (!isDue()) return;
    const at = now();
    await store.rotate(newKey(at), new Date(at).toISOString());
    await store.forget(new Date(at - VERIFIES_AFTER_RETIRED_MS).toISOString());
    await load(() => store.list());
  }

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
    async signer() {
      await reloadAfter(RELOAD_MS);
      if (isDue()) {
        rotating ??= rotate().finally(() => {
          rotating = undefined;
        });
        await rotating;
      }
      const newest = current();
      if (newest === undefined) throw new Error('There is no key to sign with');
      return { kid: newest.record.kid, key: newest.key };
    },
    async find(kid) {
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
