import type { Caller } from '@telecine/contract/domain/client.ts';
import { invalidRequest, type Problem } from '@telecine/contract/domain/problem.ts';
import { SHARE_LIMITS } from '@telecine/contract/domain/share.ts';
import type { SignedLink } from '@telecine/contract/domain/signed-link.ts';
import { auditedUploadLink, linkLifetime, signUploadLink } from '@telecine/contract/wire/links.ts';
import type { UPLOAD_LINK_OPERATIONS } from '@telecine/contract/wire/operations/files.ts';
import type { PlainHandlers } from '@telecine/contract/wire/operations/plain-handler.ts';
import type { SHARE_OPERATIONS } from '@telecine/contract/wire/operations/shares.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { auditedRevocation, auditedShare, parseShareId, shareUrl, shareView } from '@telecine/contract/wire/share.ts';
import { type FileOperations, fileBytesWithin } from './file-operations.ts';
import type { ShareOperations } from './shares.ts';

interface UploadLinkDeps {
  readonly files: Pick<FileOperations, 'newUploadLink'>;
  readonly links: { sign(caller: Caller, subject: string, seconds: number): Promise<SignedLink> };
  readonly shares: Pick<ShareOperations, 'create'>;
  readonly uploads: { readonly maxBytes: number };
  /** How long a link to a file works at most. */
  readonly linkSeconds: number;
}

type CreateUploadLink = PlainHandlers<Pick<typeof UPLOAD_LINK_OPERATIONS, 'createUploadLink'>>;

/** Makes links to upload a file, or files into a folder, for HTTP and MCP. */
export const uploadLinkHandler = (deps: UploadLinkDeps): CreateUploadLink => ({
  createUploadLink: async (call) => {
    const { path, seconds, files: maxFiles, ...terms } = call.body;
    if (path.endsWith('/')) return createFolderLink(deps, call);
    if (maxFiles !== undefined) throw invalidTerms('/files', 'CONFLICT', FOR_FOLDERS);
    const lifetime = linkLifetime(seconds, deps.linkSeconds);
    const upload = await deps.files.newUploadLink(call.caller, path, terms);
    const view = await signUploadLink(
      (subject) => deps.links.sign(call.caller, subject, lifetime),
      call.origin,
      upload,
    );
    return { status: 201, body: view, facts: auditedUploadLink(upload, view) };
  },
});

/** Makes a link by which anyone can upload files into a folder for days. It is a share, so that it is listed and can be revoked. */
const createFolderLink = async (
  { shares, uploads }: UploadLinkDeps,
  { caller, body, origin }: Parameters<CreateUploadLink['createUploadLink']>[0],
): ReturnType<CreateUploadLink['createUploadLink']> => {
  const { defaultSeconds, defaultFiles, maxSeconds } = SHARE_LIMITS;
  const { path, replace, seconds = defaultSeconds, files: maxFiles = defaultFiles } = body;
  if (replace) throw invalidTerms('/replace', 'CONFLICT', NO_REPLACING);
  const maxBytes = fileBytesWithin(body.maxBytes, uploads.maxBytes);
  const { share, secret } = await shares.create(caller, {
    path,
    seconds: linkLifetime(seconds, maxSeconds),
    uploads: { maxFiles, maxBytes },
  });
  const { shareId, expiresAt } = share;
  const view = {
    ...{ url: shareUrl(origin, secret), path: share.path ?? path, maxBytes, replace, expiresAt },
    ...{ files: maxFiles, shareId },
  };
  return { status: 201, body: view, facts: auditedShare(share) };
};

const FOR_FOLDERS = 'Only a link to a folder takes "files": end "path" with a slash, or leave "files" out.';
const NO_REPLACING = 'A link to a folder never replaces a file. Leave "replace" out, or name one file as "path".';

const invalidTerms = (field: string, code: string, message: string): Problem =>
  invalidRequest([{ field, code, message }]);

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
