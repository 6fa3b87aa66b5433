import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import type { FileEntry } from '../../files/ports.ts';
import { readNameCursor, writeNameCursor } from '../../wire/cursor.ts';
import { pathOf } from '../../wire/endpoints.ts';
import type { FileEntryView } from '../../wire/files.ts';
import type { FILE_OPERATIONS } from '../../wire/operations/files.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { readPrecondition } from '../transfer/entity-tags.ts';
import { etagOf, sendFile } from '../transfer/send-file.ts';
import { drainBody, type PacedUploads, uploadBody } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';

/** Lets the routes of `scope` read bodies of any type as streams. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.addHook('onRequest', async (request) => {
    // The header is not used: the file name determines the type. Fastify would reject a malformed one.
    delete request.raw.headers['content-type'];
  });
  scope.addHook('onResponse', async (request) => drainBody(request));
}

export const fileHandlers = ({ files }: HttpDeps, pacedUploads: PacedUploads): Handlers<typeof FILE_OPERATIONS> => ({
  listFiles: async (request) => {
    const { cursor, ...query } = request.query;
    const page = await files.list(callerOf(request), {
      ...query,
      ...(cursor !== undefined && { after: readNameCursor(cursor) }),
    });
    return {
      files: page.entries.map(entryView),
      nextCursor: page.nextAfter === undefined ? undefined : writeNameCursor(page.nextAfter),
    };
  },

  downloadFile: async (request, reply) =>
    sendFile(request, reply, await files.open(callerOf(request), request.params['*'])),

  uploadFile: async (request, reply) => {
    const sizeBytes = lengthOf(request);
    rejectWrappedBody(request);
    const { file, created } = await files.upload(callerOf(request), request.params['*'], {
      precondition: readPrecondition(request.headers),
      bytes: uploadBody(request, reply, pacedUploads),
      ...(sizeBytes !== undefined && { sizeBytes }),
    });
    request.auditFacts = { target: file.path, details: { replaced: !created } };
    return reply
      .code(created ? 201 : 204)
      .headers({ location: pathOf('downloadFile', { path: file.path }), etag: etagOf(file) })
      .send();
  },

  deleteFile: async (request, reply) => {
    await files.remove(callerOf(request), request.params['*'], readPrecondition(request.headers));
    return reply.code(204).send();
  },
});

/** The length of the body. Returns undefined if the body is chunked, so that its length is unknown. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** Rejects a body that is not exactly the file: a form, a compressed body, or a part of a file (RFC 9110, 14.5). */
function rejectWrappedBody({ headers, raw }: FastifyRequest): void {
  // `headersDistinct` still has the content type that `acceptRawBodies` deleted.
  if (raw.headersDistinct['content-type']?.some((type) => /^multipart\/form-data\b/i.test(type)))
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Forms (multipart/form-data) are not supported. Send the file itself as the body: "curl -T FILE", not "-F".',
    );
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      `Compressed bodies (Content-Encoding: ${encoding}) are not supported. Send the file as it is, without Content-Encoding.`,
    );
  if (headers['content-range'] !== undefined)
    throw new Problem('BAD_REQUEST', 'Partial uploads are not supported. Send the whole file, without Content-Range.');
}

function entryView(entry: FileEntry): FileEntryView {
  if (entry.kind === 'folder') return { type: 'folder', path: entry.path };
  const { path, sizeBytes, modifiedAt } = entry;
  return { type: 'file', path, sizeBytes, modifiedAt: modifiedAt.toISOString(), etag: etagOf(entry) };
}
