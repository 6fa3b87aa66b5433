import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import type { FileEntry } from '../../files/ports.ts';
import { fileUrl } from '../../wire/addresses.ts';
import {
  type FileEntryView,
  type FileListQuery,
  type FileListView,
  fileListQuery,
  readNameCursor,
  writeNameCursor,
} from '../../wire/files.ts';
import { noQuery } from '../../wire/queries.ts';
import { authenticate, callerOf } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';
import { readPrecondition } from '../entity-tags.ts';
import { etagOf, sendFile } from '../send-file.ts';
import { linger, type OwnPace, uploadBody } from '../upload-body.ts';
import { limitUploads } from '../upload-limit.ts';

interface FileRoute {
  Params: { '*': string };
}

const FILE = '/api/files/*';

/** Files of a client's media root. Bodies are streams of any type, so these routes keep their own parser. */
export function addFiles(app: FastifyInstance, deps: Pick<HttpDeps, 'files' | 'tokens'>, ownPace: OwnPace): void {
  const { files, tokens } = deps;
  const reads = authenticate(tokens, 'files:read');
  const writes = authenticate(tokens, 'files:write');
  const schema = { querystring: noQuery };

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.addHook('onRequest', (request, _reply, done) => {
      // Of no matter here: the name tells the type. One that is malformed would be refused.
      delete request.raw.headers['content-type'];
      done();
    });
    scope.addHook('onResponse', (request, _reply, done) => {
      linger(request);
      done();
    });

    scope.get<{ Querystring: FileListQuery }>(
      '/api/files',
      { onRequest: reads, schema: { querystring: fileListQuery } },
      async (request): Promise<FileListView> => {
        const { cursor, ...query } = request.query;
        const after = cursor === undefined ? {} : { after: readNameCursor(cursor) };
        const page = await files.list(callerOf(request), { ...query, ...after });
        return {
          files: page.entries.map(entryView),
          nextCursor: page.nextAfter === undefined ? undefined : writeNameCursor(page.nextAfter),
        };
      },
    );

    scope.route<FileRoute>({
      // HEAD by name: Fastify's own would read the whole file to throw it away.
      method: ['GET', 'HEAD'],
      url: FILE,
      schema,
      onRequest: reads,
      handler: async (request, reply) =>
        sendFile(request, reply, await files.open(callerOf(request), request.params['*'])),
    });

    scope.put<FileRoute>(FILE, { schema, onRequest: [writes, limitUploads()] }, async (request, reply) => {
      const sizeBytes = lengthOf(request);
      refuseWrapped(request);
      const { file, created } = await files.upload(callerOf(request), request.params['*'], {
        precondition: readPrecondition(request.headers),
        bytes: uploadBody(request, reply, ownPace),
        ...(sizeBytes !== undefined && { sizeBytes }),
      });
      return reply
        .code(created ? 201 : 204)
        .headers({ location: fileUrl(file.path), etag: etagOf(file) })
        .send();
    });

    scope.delete<FileRoute>(FILE, { schema, onRequest: writes }, async (request, reply) => {
      await files.remove(callerOf(request), request.params['*'], readPrecondition(request.headers));
      return reply.code(204).send();
    });
  });
}

/** undefined: it is sent in chunks. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}

/** A body is the file itself: not compressed, no form around it, and not a part of one (RFC 9110, 14.5). */
function refuseWrapped({ headers, raw }: FastifyRequest): void {
  // As it was sent: of the headers it was taken away.
  if (raw.headersDistinct['content-type']?.some((type) => /^multipart\/form-data\b/i.test(type)))
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body is a form, which is not taken here. Send the file as it is: "curl -T FILE", not "-F".',
    );
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body is compressed, which is not taken here. Send the file as it is, without Content-Encoding.',
    );
  if (headers['content-range'] !== undefined)
    throw new Problem('BAD_REQUEST', 'A part of a file is not taken here. Send all of it, without Content-Range.');
}

function entryView(entry: FileEntry): FileEntryView {
  if (entry.kind === 'folder') return { type: 'folder', path: entry.path };
  const { path, sizeBytes, modifiedAt } = entry;
  return { type: 'file', path, sizeBytes, modifiedAt: modifiedAt.toISOString(), etag: etagOf(entry) };
}
