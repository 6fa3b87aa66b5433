import { isManifest, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { SHARE_OPERATIONS } from '@telecine/contract/wire/operations/shares.ts';
import { uploadTerms } from '@telecine/contract/wire/share.ts';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { managedShareHandlers } from '../../files/link-handlers.ts';
import type { NamedFile } from '../../files/named-files.ts';
import type { SharedFiles } from '../../files/shares.ts';
import { callerOf } from '../auth/authenticate.ts';
import { shareOf } from '../auth/authenticate-share.ts';
import type { HttpDeps } from '../deps.ts';
import { logInternalError, problemReply, toProblem } from '../errors/problem-reply.ts';
import { sendFile } from '../transfer/file-transfer.ts';
import type { SendZip } from '../transfer/send-zip.ts';
import type { Handlers } from './handler.ts';
import { plainRoutes } from './plain-routes.ts';

export function shareHandlers(
  { shares, publicUrl = '', fileOrigins = [], logger }: HttpDeps,
  sendZip: SendZip,
): Handlers<Omit<typeof SHARE_OPERATIONS, 'uploadByLink'>> {
  const open = (request: FastifyRequest): Promise<SharedFiles> => shares.open(callerOf(request), shareOf(request));

  /** Counts a download when it begins, and not its further parts. */
  const countUse = (request: FastifyRequest) => (): void => shares.uses.add(shareOf(request).shareId);

  const sendShared = async (request: FastifyRequest, reply: FastifyReply, file: NamedFile): Promise<FastifyReply> => {
    const opened = await file.open();
    hide(reply);
    return sendFile(request, reply, opened, {
      // Do not redirect to a manifest: a player resolves the names in a manifest relative to the URL of the manifest.
      mayRedirect: !isManifest(file.name as MediaPath),
      onStart: isShownInPage(request) ? undefined : countUse(request),
    });
  };

  const sendAll = (request: FastifyRequest, reply: FastifyReply, { all }: SharedFiles): Promise<FastifyReply> =>
    sendZip(request, hide(reply), { read: all, visitor: request.callerAddress, onStart: countUse(request) });

  /** A person who opens a link that has ended, or that cannot be opened now, reads a page too. */
  const errorHandler: NonNullable<RouteShorthandOptions['errorHandler']> = async (error, request, reply) => {
    const problem = toProblem(error);
    if (!wantsPage(request)) throw error;
    const { problemPage } = await import('../transfer/share-page.ts');
    const page = problemPage(problem);
    if (page === undefined) throw error;
    logInternalError(logger, request, problem);
    problemReply(reply, problem);
    return sendPage(request, reply, page);
  };

  return {
    ...plainRoutes(managedShareHandlers(shares), publicUrl),

    openShare: {
      hooks: { errorHandler },
      handle: async (request, reply) => {
        const { sendConsole } = request.server;
        const share = shareOf(request);
        if (share.maxFiles !== undefined) {
          if (sendConsole === null || !wantsPage(request)) return hide(reply).send(uploadTerms(share));
          const page = sendConsole(request, reply);
          hide(reply).header('vary', 'accept');
          return page;
        }
        const found = await open(request);
        if (!wantsPage(request)) {
          const [only] = found.count === 1 ? await found.first(1) : [];
          return only === undefined ? sendAll(request, reply, found) : sendShared(request, reply, only);
        }
        // Import this at the first page, because most services never show one.
        const { MAX_LISTED, sharePage } = await import('../transfer/share-page.ts');
        const { link } = request.params;
        const { expiresAt } = share;
        const files = await found.first(MAX_LISTED);
        // A page must not offer a single file that is gone.
        if (found.count === 1) await (await files[0]?.open())?.close();
        return sendPage(request, reply, sharePage({ ...found, files, link, expiresAt, origins: fileOrigins }));
      },
    },

    downloadSharedFiles: {
      hooks: { errorHandler },
      handle: async (request, reply) => sendAll(request, reply, await open(request)),
    },

    downloadSharedFile: {
      hooks: { errorHandler },
      handle: async (request, reply) => {
        const found = await open(request);
        return sendShared(request, reply, await found.named(request.params['*']));
      },
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

/** What `Sec-Fetch-Dest` says if a page shows or plays a file. */
const SHOWN: ReadonlySet<unknown> = new Set(['image', 'video', 'audio']);

/**
 * Whether the page of the link shows the file, as when it opens, or its player plays it. Browsers say so by `Sec-Fetch-Dest`, but not over
 * plain HTTP: there, only the address tells it, also of a video that is saved by the menu of its player.
 */
const isShownInPage = ({ query, headers: { 'sec-fetch-dest': destination } }: FastifyRequest): boolean =>
  (query as { readonly page?: string }).page === 'true' && (destination === undefined || SHOWN.has(destination));

/** Keeps a shared link out of search engines, and out of the `Referer` that the next page gets. */
const hide = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'referrer-policy': 'no-referrer' });
