import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { FILE_OPERATIONS, UPLOAD_OPERATIONS } from '@telecine/contract/wire/operations/files.ts';
import type { SHARE_OPERATIONS } from '@telecine/contract/wire/operations/shares.ts';
import { TUS_EXTENSIONS, TUS_VERSION } from '@telecine/contract/wire/tus.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Published } from '../../files/ports.ts';
import type { Uploader } from '../../files/uploads.ts';
import { recordAction } from '../audit/audit-request.ts';
import { callerOf } from '../auth/authenticate.ts';
import { downloadCheck } from '../auth/download-check.ts';
import type { HttpDeps } from '../deps.ts';
import {
  fileBody,
  readKeepReplaced,
  readPrecondition,
  rejectWrappedBody,
  sendStored,
  setReplaced,
} from '../transfer/file-transfer.ts';
import { type PacedUploads, uploadBody } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';

type WholeUploads = Pick<typeof FILE_OPERATIONS, 'uploadFile'> & Pick<typeof SHARE_OPERATIONS, 'uploadByLink'>;

export function uploadHandlers(
  { uploads, shares, audit, publicUrl }: HttpDeps,
  pacedUploads: PacedUploads,
): Handlers<typeof UPLOAD_OPERATIONS & WholeUploads> {
  const checkOf = downloadCheck(shares);
  const uploaderOf = (request: FastifyRequest): Uploader => {
    const caller = callerOf(request);
    if (request.share === null) return { caller };
    const { shareId, path: folder = '', sizeBytes: maxBytes = uploads.maxBytes } = request.share;
    return { caller, link: { shareId, folder, maxBytes } };
  };
  /** The terms of a new upload. A link replaces no files. */
  const termsOf = ({ share, headers }: FastifyRequest) =>
    share === null
      ? { precondition: readPrecondition(headers), keepsReplaced: readKeepReplaced(headers) }
      : { precondition: { ifNoneMatch: '*' } as const };
  /** Runs an upload with the bytes of the request, until the link of the request ends. */
  const byLinkToo = async <T>(
    request: FastifyRequest,
    bytes: AsyncIterable<Uint8Array>,
    run: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> => {
    if (request.share === null) return run(bytes);
    return run(whileWorking(checkOf(request), bytes)).catch((error: unknown) => {
      throw forVisitor(error);
    });
  };
  const put = (request: FastifyRequest, reply: FastifyReply, path: string): Promise<Published> => {
    const { bytes, ...size } = fileBody(request, reply, pacedUploads);
    const file = { path, ...termsOf(request), ...size };
    return byLinkToo(request, bytes, (checked) => uploads.put(uploaderOf(request), { ...file, bytes: checked }));
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    rejectWrappedBody(request);
    // Import this at the first request, because most services never get resumable uploads.
    const { answerTus } = await import('../tus/answer-tus.ts');
    const done = new AbortController();
    const metadata = request.headers['upload-metadata'];
    const bytes = uploadBody(request, reply, pacedUploads, { lost: RESUME, signal: done.signal });
    return byLinkToo(request, bytes, (body) =>
      answerTus(request, reply, {
        uploads,
        uploader: uploaderOf(request),
        metadata: typeof metadata === 'string' ? metadata : '',
        ...(request.method === 'POST' ? termsOf(request) : { precondition: {} }),
        // Record the upload when the file appears. Most requests of these operations only add bytes.
        onAppeared: (target, replaced) => {
          setReplaced(reply, replaced);
          return recordAction(audit, request, { ...WRITTEN, target, ...detailsOf(request) });
        },
        body,
        ...(publicUrl !== undefined && { publicUrl }),
      }),
    ).finally(() => done.abort());
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
    uploadFile: async (request, reply) => {
      const { file, before, replaced } = await put(request, reply, request.params['*']);
      request.auditFacts = { target: file.path, details: { replaced: before !== undefined } };
      return sendStored(reply, file, before === undefined, replaced);
    },
    uploadByLink: async (request, reply) => {
      const { file } = await put(request, reply, request.params['*']);
      await recordAction(audit, request, { ...WRITTEN, target: file.path, ...detailsOf(request) });
      return reply.code(201).send();
    },
    createUpload: answer,
    getUploadOffset: answer,
    appendToUpload: answer,
    deleteUpload: answer,
  };
}

const WRITTEN = { action: 'file.write', outcome: 'done', via: 'rest' } as const;

const detailsOf = ({ share }: FastifyRequest) => (share === null ? {} : { details: { shareId: share.shareId } });

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
