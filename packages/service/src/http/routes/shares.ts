import { isManifest, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { pathOf } from '@telecine/contract/wire/endpoints.ts';
import type { SHARE_OPERATIONS } from '@telecine/contract/wire/operations/shares.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { PROBLEMS } from '@telecine/contract/wire/problem.ts';
import { parseShareId, shareView } from '@telecine/contract/wire/share.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../auth/authenticate.ts';
import { shareOf } from '../auth/authenticate-share.ts';
import type { HttpDeps } from '../deps.ts';
import { problemReply, toProblem } from '../errors/problem-reply.ts';
import { sendFile } from '../transfer/file-transfer.ts';
import type { SendZip } from '../transfer/send-zip.ts';
import type { Handlers } from './handler.ts';

export function shareHandlers(
  { shares, publicUrl = '', fileOrigins = [] }: HttpDeps,
  sendZip: SendZip,
): Handlers<typeof SHARE_OPERATIONS> {
  const filesOf = (request: FastifyRequest) => shares.files(callerOf(request), shareOf(request));

  /** Counts a download when it begins, and not the further ranges of a player. */
  const countUse = (request: FastifyRequest): void => {
    const { range = 'bytes=0-' } = request.headers;
    if (request.method === 'GET' && /^bytes\s*=\s*0-/i.test(range)) shares.uses.add(shareOf(request).shareId);
  };

  const sendShared = async (
    request: FastifyRequest,
    reply: FastifyReply,
    file: Awaited<ReturnType<typeof shares.files>>['files'][number] | undefined,
  ): Promise<FastifyReply> => {
    if (file === undefined) throw new Problem('FILE_NOT_FOUND', 'The link shares no file of this name.');
    const opened = await file.open();
    countUse(request);
    hide(reply);
    // Do not redirect to a manifest: a player resolves the names in a manifest relative to the URL of the manifest.
    return sendFile(request, reply, opened, { mayRedirect: !isManifest(file.name as MediaPath) });
  };

  const sendAll = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = await filesOf(request);
    countUse(request);
    return sendZip(request, hide(reply), found);
  };

  return {
    createShare: async (request, reply) => {
      const { share, secret } = await shares.create(callerOf(request), request.body);
      const { shareId, expiresAt, path, jobId } = share;
      request.auditFacts = { target: path ?? jobId ?? shareId, details: { shareId, expiresAt } };
      reply.code(201);
      return { ...shareView(share), url: `${publicUrl}${pathOf('openShare', { link: secret })}` };
    },

    listShares: async (request) => {
      const { cursor, ...query } = request.query;
      const before = cursor === undefined ? {} : { before: readCursor(cursor) };
      // Read one more, to know whether there is a next page.
      const found = await shares.list(callerOf(request), { ...query, ...before, limit: query.limit + 1 });
      const page = found.slice(0, query.limit);
      const last = page.at(-1);
      return {
        shares: page.map(shareView),
        nextCursor: found.length > page.length && last !== undefined ? writeCursor(last.shareId) : undefined,
      };
    },

    revokeShare: async (request, reply) => {
      const { path, jobId } = await shares.revoke(callerOf(request), parseShareId(request.params.shareId));
      request.auditFacts = { details: { ...(path !== undefined && { path }), ...(jobId !== undefined && { jobId }) } };
      return reply.code(204).send();
    },

    openShare: {
      hooks: {
        // A person who opens a link that has ended reads a page too.
        errorHandler: async (error, request, reply) => {
          const problem = toProblem(error);
          if (!wantsPage(request) || PROBLEMS[problem.code].status >= 500) throw error;
          problemReply(reply, problem);
          const { endedPage } = await import('../transfer/share-page.ts');
          return sendPage(request, reply, endedPage(problem.message));
        },
      },
      handle: async (request, reply) => {
        const found = await filesOf(request);
        if (!wantsPage(request))
          return found.files.length === 1 ? sendShared(request, reply, found.files[0]) : sendAll(request, reply);
        // Import this at the first page, because most services never show one.
        const { sharePage } = await import('../transfer/share-page.ts');
        const { link } = request.params;
        const { expiresAt } = shareOf(request);
        return sendPage(request, reply, sharePage({ ...found, link, expiresAt, origins: fileOrigins }));
      },
    },

    downloadSharedFiles: sendAll,

    downloadSharedFile: async (request, reply) => {
      const { files } = await filesOf(request);
      const { '*': name } = request.params;
      return sendShared(
        request,
        reply,
        files.find((file) => file.name === name),
      );
    },
  };
}

const sendPage = (
  { method }: FastifyRequest,
  reply: FastifyReply,
  { html, policy }: { readonly html: string; readonly policy: string },
): FastifyReply =>
  hide(reply)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'private, no-store',
      vary: 'accept',
    })
    .send(method === 'HEAD' ? undefined : html);

/** Whether a browser asks for a page, and not a program or a player for the bytes. */
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/i.test(accept);

/** Keeps a shared link out of search engines, and out of the `Referer` that the next page gets. */
const hide = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' });
