import type { Leases } from '../files/ports.ts';
import { chunksOf, deleteRows, rowsChanged } from './queries.ts';
import type { Database } from './transaction/database.ts';

/** Stores named leases: rights that one process at a time has. They end by the clock of the database. */
export function leaseStore({ reader, write, now }: Database): Leases {
  const named = (prefix: string) =>
    reader
      .selectFrom('leases')
      .select(['name', 'data'])
      // The names that begin with the prefix are between the prefix and the text with the next last character.
      .where('name', '>=', prefix)
      .where('name', '<', `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`);
  const toLease = ({ name, data }: { readonly name: string; readonly data: string | null }) => ({
    name,
    ...(data !== null && { data }),
  });
  return {
    take: ({ name, holder, data }, seconds) =>
      // Not durable: a lease that a crash has lost looks like a lease that has expired.
      write(
        async (db) => {
          const values = { holder, expires_at: now(seconds), ...(data !== undefined && { data }) };
          const lease = db
            .insertInto('leases')
            .values({ name, ...values })
            .onConflict((c) =>
              c
                .column('name')
                .doUpdateSet(values)
                .where((e) => e.or([e('leases.holder', '=', holder), e('leases.expires_at', '<=', now())])),
            );
          return (await rowsChanged(db, lease)) > 0;
        },
        { durable: false },
      ),

    async release({ name, holder }) {
      await write((db) => deleteRows(db, 'leases', { name, holder }), { durable: false });
    },

    anyHeld: async (names) => {
      for (const chunk of chunksOf(names)) {
        const held = await reader
          .selectFrom('leases')
          .select('name')
          .where('name', 'in', chunk)
          .where('expires_at', '>', now())
          .limit(1)
          .executeTakeFirst();
        if (held !== undefined) return true;
      }
      return false;
    },

    list: async (prefix) => (await named(prefix).execute()).map(toLease),

    expired: async (prefix, limit) =>
      (await named(prefix).where('expires_at', '<=', now()).orderBy('name').limit(limit).execute()).map(toLease),
  };
}
