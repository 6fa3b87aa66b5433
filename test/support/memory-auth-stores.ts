import {
  type ClientRecord,
  type ClientStore,
  LastAdmin,
  type RefreshRecord,
  type RefreshStore,
  type SessionRecord,
  type SessionStore,
  type SigningKeyRecord,
  type SigningKeyStore,
} from '../../packages/service/src/auth/ports.ts';

/**
 * The ports of auth in memory, for tests of the rules with a fake clock. The contract suites test the same behaviour on
 * the real engines.
 */
export interface MemoryAuthStores {
  readonly clients: ClientStore & { reads: number };
  readonly refreshTokens: RefreshStore & { readonly all: ReadonlyMap<string, RefreshRecord> };
  readonly signingKeys: SigningKeyStore & { reads: number };
  readonly sessions: SessionStore & { reads: number; readonly all: ReadonlyMap<string, SessionRecord> };
}

export function memoryAuthStores(): MemoryAuthStores {
  return {
    clients: memoryClients(),
    refreshTokens: memoryRefreshTokens(),
    signingKeys: memorySigningKeys(),
    sessions: memorySessions(),
  };
}

function memoryClients(): MemoryAuthStores['clients'] {
  const all = new Map<string, ClientRecord>();
  const holder = (subject: string): ClientRecord | undefined =>
    [...all.values()].find((one) => one.externalSubject === subject && one.revokedAt === undefined);
  return {
    reads: 0,
    async add(client) {
      if (all.has(client.clientId)) return false;
      if (client.externalSubject !== undefined && holder(client.externalSubject) !== undefined) return false;
      all.set(client.clientId, client);
      return true;
    },
    async get(clientId) {
      this.reads += 1;
      return all.get(clientId);
    },
    async findExternal(subject) {
      this.reads += 1;
      return holder(subject);
    },
    list: async () => [...all.values()],
    async update(clientId, change, { keepsAdmin = false } = {}) {
      const client = all.get(clientId);
      const admins = [...all.values()].filter((one) => one.revokedAt === undefined && one.scopes.includes('admin'));
      if (keepsAdmin && admins.length === 1 && admins[0] === client) throw new LastAdmin();
      if (client === undefined) return false;
      const limits = change.limits && { limits: { ...client.limits, ...change.limits } };
      all.set(clientId, { ...client, ...change, ...limits });
      return true;
    },
  };
}

function memoryRefreshTokens(): MemoryAuthStores['refreshTokens'] {
  const all = new Map<string, RefreshRecord>();
  const drop = (isDropped: (token: RefreshRecord) => boolean): void => {
    for (const token of [...all.values()]) if (isDropped(token)) all.delete(token.tokenHash);
  };
  return {
    all,
    async keepNewest(clientId, count) {
      for (const { tokenHash } of oldestOf(all.values(), clientId, count)) all.delete(tokenHash);
    },
    add: async (token) => void all.set(token.tokenHash, token),
    get: async (tokenHash) => all.get(tokenHash),
    async rotate(successor, { at, graceFrom, mostSuccessors }) {
      const token = all.get(successor.parent);
      if (token === undefined) return undefined;
      const usedAt = token.usedAt ?? at;
      all.set(token.tokenHash, { ...token, usedAt });
      const childrenOf = (parent: string) => [...all.values()].filter((one) => one.parent === parent);
      const children = childrenOf(token.tokenHash);
      const rivals =
        token.parent === undefined ? [] : childrenOf(token.parent).filter((one) => one.tokenHash !== token.tokenHash);
      if (
        ((children.length > 0 || usedAt !== at) && usedAt < graceFrom) ||
        children.length >= mostSuccessors ||
        [...children, ...rivals].some((one) => one.usedAt !== undefined)
      )
        return 'reused';
      all.set(successor.tokenHash, successor);
      return 'rotated';
    },
    revokeFamily: async (family) => drop((token) => token.family === family),
    revokeClient: async (clientId) => drop((token) => token.clientId === clientId),
    forget: async (expiredBefore) => drop((token) => token.expiresAt < expiredBefore),
  };
}

/** What a client has besides its newest `count`. */
const oldestOf = <T extends Pick<RefreshRecord, 'clientId' | 'issuedAt'>>(
  all: Iterable<T>,
  clientId: string,
  count: number,
): T[] =>
  [...all]
    .filter((one) => one.clientId === clientId)
    .toSorted((a, b) => (a.issuedAt < b.issuedAt ? 1 : -1))
    .slice(count);

function memorySessions(): MemoryAuthStores['sessions'] {
  const all = new Map<string, SessionRecord>();
  return {
    all,
    reads: 0,
    add: async (session) => void all.set(session.sessionHash, session),
    async get(sessionHash) {
      this.reads += 1;
      return all.get(sessionHash);
    },
    remove: async (sessionHash) => void all.delete(sessionHash),
    async forget(expiredBefore) {
      for (const { sessionHash, expiresAt } of [...all.values()])
        if (expiresAt < expiredBefore) all.delete(sessionHash);
    },
  };
}

function memorySigningKeys(): MemoryAuthStores['signingKeys'] {
  let all: readonly SigningKeyRecord[] = [];
  return {
    reads: 0,
    async ensure(key) {
      if (all.every(({ retiredAt }) => retiredAt !== undefined)) all = [...all, key];
      return all;
    },
    async list() {
      this.reads += 1;
      return all;
    },
    async rotate(successor, at) {
      all = [...all.map((key) => (key.retiredAt === undefined ? { ...key, retiredAt: at } : key)), successor];
    },
    async forget(retiredBefore) {
      all = all.filter(({ retiredAt }) => retiredAt === undefined || retiredAt >= retiredBefore);
    },
  };
}
