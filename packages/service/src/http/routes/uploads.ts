import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { expiryOf, readLink } from '@telecine/contract/domain/signed-link.ts';
import { readTerms } from '@telecine/contract/wire/links.ts';
import type { UPLOAD_LINK_OPERATIONS, UPLOAD_OPERATIONS } from '@telecine/contract/wire/operations/files.ts';
import { TUS_EXTENSIONS, TUS_VERSION } from '@telecine/contract/wire/tus.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uploadLinkHandler } from '../../files/link-handlers.ts';
import type { FolderLink } from '../../files/resumable-uploads.ts';
import { recordAction } from '../audit/audit-request.ts';
import { callerOf } from '../auth/authenticate.ts';
import { downloadCheck } from '../auth/download-check.ts';
import type { HttpDeps } from '../deps.ts';
import { fileBody, readKeepReplaced, readPrecondition, sendStored, setReplaced } from '../transfer/file-transfer.ts';
import { type PacedUploads, uploadBody } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';
import { plainRoutes } from './plain-routes.ts';

export function uploadHandlers(
  { uploads, shares, audit, publicUrl }: HttpDeps,
  pacedUploads: PacedUploads,
): Handlers<typeof UPLOAD_OPERATIONS> {
  const checkOf = downloadCheck(shares);
  /** The link by which a request uploads. */
  const linkOf = (request: FastifyRequest): FolderLink | undefined => {
    if (request.share === null) return undefined;
    const { shareId, path: folder = '', sizeBytes: maxBytes = uploads.maxBytes } = request.share;
    return { shareId, folder, maxBytes };
  };
  /** The terms of a new upload. A link replaces no files. */
  const termsOf = ({ share, headers }: FastifyRequest) =>
    share === null
      ? { precondition: readPrecondition(headers), keepsReplaced: readKeepReplaced(headers) }
      : { precondition: { ifNoneMatch: '*' } as const };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Import this at the first request, because most services never get resumable uploads.
    const { answerTus } = await import('../tus/answer-tus.ts');
    const done = new AbortController();
    try {
      const metadata = request.headers['upload-metadata'];
      const body = uploadBody(request, reply, pacedUploads, { lost: RESUME, signal: done.signal });
      return await answerTus(request, reply, {
        uploads,
        uploader: { caller: callerOf(request), link: linkOf(request) },
        metadata: typeof metadata === 'string' ? metadata : '',
        ...(request.method === 'POST' ? termsOf(request) : { precondition: {} }),
        // Record the upload when the file appears. Most requests of these operations only add bytes.
        onAppeared: (target, replaced) => {
          setReplaced(reply, replaced);
          const details = request.share === null ? {} : { details: { shareId: request.share.shareId } };
          return recordAction(audit, request, {
            action: 'file.write',
            outcome: 'done',
            via: 'rest',
            target,
            ...details,
          });
        },
        body: request.share === null ? body : whileWorking(checkOf(request), body),
        ...(publicUrl !== undefined && { publicUrl }),
      });
    } catch (error) {
      throw request.share === null ? error : forVisitor(error);
    } finally {
      done.abort();
    }
  };
  return {
    getUploadSupport: async (_request, reply) =>
      reply
        .code(204)
        .headers({
          'tus-version': TUS_VERSION,
          'tus-extension': TUS_EXTENSIONS.join(','),
          'tus-max-size': String(uploads.maxBytes),
        })
        .send(),
    createUpload: answer,
    getUploadOffset: answer,
    appendToUpload: answer,
    deleteUpload: answer,
  };
}

/** How often an upload by a link checks, while bytes arrive, whether the link has ended. */
const LINK_CHECK_MS = 1000;

/** Passes on the bytes of an upload for as long as its link works. `check`: throws once the link has ended. */
async function* whileWorking(check: () => Promise<void>, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let checkedAt = performance.now();
  for await (const chunk of bytes) {
    if (performance.now() - checkedAt >= LINK_CHECK_MS) {
      await check();
      checkedAt = performance.now();
    }
    yield chunk;
  }
  await check();
}

const NAME_TAKEN = 'The name is taken. Upload the file under another name.';
const NO_ROOM = 'There is no room for this file. Ask who gave you the link.';
const NOT_NOW = 'The file cannot be stored now. Try again later.';

/** What an error says to somebody with a link, where its own text tells about the files or the quota of the client. */
const FOR_VISITORS: Partial<Readonly<Record<ProblemCode, string>>> = {
  PRECONDITION_FAILED: NAME_TAKEN,
  NOT_A_FILE: NAME_TAKEN,
  STORAGE_EXCEEDED: NO_ROOM,
  QUOTA_EXCEEDED: NO_ROOM,
  NO_SPACE: NO_ROOM,
  TOO_MANY_UPLOADS: NOT_NOW,
  FILE_NOT_FOUND: NOT_NOW,
  STORAGE_FAULT: NOT_NOW,
};

function forVisitor(error: unknown): unknown {
  const text = error instanceof Problem ? FOR_VISITORS[error.code] : undefined;
  return error instanceof Problem && text !== undefined ? new Problem(error.code, text, { cause: error }) : error;
}

const RESUME = 'The bytes that arrived are stored. Read the offset of the upload and resume.';

export const uploadLinkHandlers = (
  { files, links, linkSeconds, publicUrl = '' }: HttpDeps,
  pacedUploads: PacedUploads,
): Handlers<typeof UPLOAD_LINK_OPERATIONS> => {
  /**
   * The links with a running upload. Each may have only one, so that a link cannot use up the concurrent uploads of its
   * client.
   */
  const running = new Set<string>();
  return {
    ...plainRoutes(uploadLinkHandler({ files, links, linkSeconds }), publicUrl),

    uploadByLink: async (request, reply) => {
      const { terms, link, '*': path } = request.params;
      const upload = readTerms(terms, path);
      const { linkId } = upload;
      request.auditFacts = { details: { linkId } };
      if (running.has(linkId)) throw isRunning();
      running.add(linkId);
      try {
        const { file, before } = await files.uploadByLink(callerOf(request), upload, {
          precondition: readPrecondition(request.headers),
          ...fileBody(request, reply, pacedUploads),
          expiresAt: expiryOf(readLink(link)),
        });
        request.auditFacts = { target: file.path, details: { linkId, replaced: before !== undefined } };
        return sendStored(reply, file, before === undefined);
      } finally {
        running.delete(linkId);
      }
    },
  };
};

const isRunning = (): Problem =>
  new Problem('TOO_MANY_UPLOADS', 'Another upload by this link is running, and each link stores one file.', {
    retryAfterSeconds: 1,
  });
