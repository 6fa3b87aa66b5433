import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UPLOAD_OPERATIONS } from '../../wire/operations/uploads.ts';
import { TUS_EXTENSIONS, TUS_VERSION } from '../../wire/tus.ts';
import { recordAction } from '../audit/audit-request.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { readPrecondition } from '../transfer/entity-tags.ts';
import { type PacedUploads, uploadBody } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';

export function uploadHandlers(
  { uploads, audit, publicUrl }: HttpDeps,
  pacedUploads: PacedUploads,
): Handlers<typeof UPLOAD_OPERATIONS> {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Loaded at the first request, because most services need no resumable uploads.
    const { answerTus } = await import('../tus/answer-tus.ts');
    const done = new AbortController();
    try {
      const metadata = request.headers['upload-metadata'];
      return await answerTus(request, reply, {
        uploads,
        caller: callerOf(request),
        metadata: typeof metadata === 'string' ? metadata : '',
        precondition: request.method === 'POST' ? readPrecondition(request.headers) : {},
        // Not by the declaration of the operation, because most requests only add bytes.
        onAppeared: (target) =>
          recordAction(audit, request, { action: 'file.write', outcome: 'done', via: 'rest', target }),
        body: uploadBody(request, reply, pacedUploads, { lost: RESUME, signal: done.signal }),
        ...(publicUrl !== undefined && { publicUrl }),
      });
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

const RESUME = 'What arrived is stored. Ask for the offset of the upload and resume.';
