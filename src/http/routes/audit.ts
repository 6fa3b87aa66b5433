import { auditView } from '../../wire/audit.ts';
import { readCursor, writeCursor } from '../../wire/cursor.ts';
import type { AUDIT_OPERATIONS } from '../../wire/operations/audit.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const auditHandlers = ({ audit }: HttpDeps): Handlers<typeof AUDIT_OPERATIONS> => ({
  listAudit: async ({ query: { client, cursor, ...query } }) => {
    const { records, next } = await audit.list({
      ...query,
      ...(client !== undefined && { clientId: client }),
      ...(cursor !== undefined && { after: readCursor(cursor) }),
    });
    return {
      records: records.map(auditView),
      nextCursor: next === undefined ? undefined : writeCursor(next),
    };
  },
});
