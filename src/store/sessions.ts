import type { SessionRecord, SessionStore } from '../auth/ports.ts';
import { oldestRows } from './oldest-rows.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

export const sessionStore = (database: Database): SessionStore => ({
  add: (session) =>
    database.transactions.run(async (tx) => {
      await dbOf(tx)
        .insertInto('sessions')
        .values({
          session_hash: session.sessionHash,
          client_id: session.clientId,
          scopes: JSON.stringify(session.scopes),
          issued_at: session.issuedAt,
          expires_at: session.expiresAt,
        })
        .execute();
    }),

  async get(sessionHash) {
    const row = await database.reader
      .selectFrom('sessions')
      .selectAll()
      .where('session_hash', '=', sessionHash)
      .executeTakeFirst();
    return (
      row && {
        sessionHash: row.session_hash,
        clientId: row.client_id,
        scopes: JSON.parse(row.scopes) as SessionRecord['scopes'],
        issuedAt: row.issued_at,
        expiresAt: row.expires_at,
      }
    );
  },

  remove: (sessionHash) =>
    database.transactions.run(async (tx) => {
      await dbOf(tx).deleteFrom('sessions').where('session_hash', '=', sessionHash).execute();
    }),

  forget: oldestRows(database, 'sessions').forget,
});
