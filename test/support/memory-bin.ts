import type { BinEntry, BinStore } from '../../packages/service/src/files/ports.ts';

interface Row {
  entry: BinEntry;
  holder?: string;
}

const isGivenUp = ({ entry }: Row): boolean => entry.givenUpAt !== undefined;

export interface MemoryBin extends BinStore {
  /** The ids of all entries, the oldest first. */
  ids(): readonly string[];
  /** The ids of entries that were put off. */
  readonly postponed: readonly string[];
}

/** Bins in memory, in which nothing expires by itself. `expired`: the ids of entries that have expired. */
export function memoryBin(entries: readonly BinEntry[] = [], expired: readonly string[] = []): MemoryBin {
  const rows = new Map<string, Row>(entries.map((entry) => [entry.entryId, { entry }]));
  const postponed: string[] = [];
  const sorted = (): readonly Row[] =>
    [...rows.values()].sort((a, b) => a.entry.deletedAt.localeCompare(b.entry.deletedAt));
  const kept = (clientId?: string): BinEntry[] =>
    sorted()
      .filter((row) => row.holder === undefined && !isGivenUp(row))
      .map(({ entry }) => entry)
      .filter((entry) => clientId === undefined || entry.clientId === clientId);
  return {
    ids: () => sorted().map(({ entry }) => entry.entryId),
    postponed,
    add: async (added, seconds, { holder }) => {
      if (rows.has(added.entryId)) return undefined;
      const now = Date.now() + rows.size;
      const times = { deletedAt: new Date(now), expiresAt: new Date(now + seconds * 1000) };
      const entry = { ...added, deletedAt: times.deletedAt.toISOString(), expiresAt: times.expiresAt.toISOString() };
      rows.set(entry.entryId, { entry, holder });
      return entry;
    },
    find: async (clientId, entryId) => {
      const row = rows.get(entryId);
      return row !== undefined && !isGivenUp(row) && row.entry.clientId === clientId ? row.entry : undefined;
    },
    hold: async (entryId, { holder }) => {
      const row = rows.get(entryId);
      if (row === undefined || isGivenUp(row) || (row.holder ?? holder) !== holder) return false;
      row.holder = holder;
      return true;
    },
    release: async (entryId, holder) => {
      const row = rows.get(entryId);
      if (row?.holder !== holder) return false;
      delete row.holder;
      return true;
    },
    giveUp: async (entryId, holder) => {
      const row = rows.get(entryId);
      if (row === undefined || row.holder !== holder) return false;
      delete row.holder;
      row.entry = { givenUpAt: new Date().toISOString(), ...row.entry };
      return true;
    },
    list: async (clientId, limit) => kept(clientId).reverse().slice(0, limit),
    oldest: async (clientId, limit, { except = [], leastBytes = 0 } = {}) =>
      kept(clientId)
        .filter((entry) => !except.includes(entry.clientId) && entry.bytes >= leastBytes)
        .slice(0, limit),
    expired: async (limit) =>
      sorted()
        .filter((row) => {
          const { entryId } = row.entry;
          if (row.holder !== undefined || postponed.includes(entryId)) return false;
          return isGivenUp(row) || expired.includes(entryId);
        })
        .map(({ entry }) => entry)
        .slice(0, limit),
    postpone: async (entryId) => void postponed.push(entryId),
    remove: async (entryId, holder) => {
      if (holder !== undefined && rows.get(entryId)?.holder !== holder) return false;
      return rows.delete(entryId);
    },
    count: async (clientId) => [...rows.values()].filter(({ entry }) => entry.clientId === clientId).length,
    used: async (clientId) => kept(clientId).reduce((sum, { bytes }) => sum + bytes, 0),
    clients: async () => [...new Set(sorted().flatMap((row) => (isGivenUp(row) ? [] : row.entry.clientId)))],
  };
}
