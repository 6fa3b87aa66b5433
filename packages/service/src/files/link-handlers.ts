import type { PlainHandlers } from '@telecine/contract/wire/operations/plain-handler.ts';
import type { SHARE_OPERATIONS } from '@telecine/contract/wire/operations/shares.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { auditedRevocation, auditedShare, parseShareId, shareUrl, shareView } from '@telecine/contract/wire/share.ts';
import type { ShareOperations } from './shares.ts';

export type ManagedShares = Pick<ShareOperations, 'create' | 'list' | 'revoke'>;

type Managed = Pick<typeof SHARE_OPERATIONS, 'createShare' | 'listShares' | 'revokeShare'>;

/** The operations of those who share, for HTTP and MCP. */
export const managedShareHandlers = (shares: ManagedShares): PlainHandlers<Managed> => ({
  createShare: async ({ caller, body, origin }) => {
    const { share, secret } = await shares.create(caller, body);
    const view = { ...shareView(share, Date.now()), url: shareUrl(origin, secret) };
    return { status: 201, body: view, facts: auditedShare(share) };
  },

  listShares: async ({ caller, query: { cursor, ended, ...query } }) => {
    const before = cursor === undefined ? {} : { before: readCursor(cursor) };
    // Read one more, to know whether there is a next page.
    const found = await shares.list(caller, {
      ...{ ...query, ...before, hasEnded: ended === 'true' },
      limit: query.limit + 1,
    });
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    const now = Date.now();
    return {
      status: 200,
      body: {
        shares: page.map((share) => shareView(share, now)),
        nextCursor: found.length > page.length && last !== undefined ? writeCursor(last.shareId) : undefined,
      },
    };
  },

  revokeShare: async ({ caller, params, auditRecord }) => {
    await shares.revoke(caller, parseShareId(params.shareId), (share) =>
      auditRecord('share.revoke', auditedRevocation(share)),
    );
    return { status: 204 };
  },
});
