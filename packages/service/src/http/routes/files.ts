import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Problem } from '@telecine/contract/domain/problem.ts';
import { type BinEntryView, MAX_DELETIONS } from '@telecine/contract/wire/bin.ts';
import type { FileEntryView } from '@telecine/contract/wire/files.ts';
import { httpHint } from '@telecine/contract/wire/hint-text.ts';
import type { FILE_OPERATIONS } from '@telecine/contract/wire/operations/files.ts';
import { readNameCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BinEntry, FileEntry } from '../../files/ports.ts';
import type { ReadStep } from '../../jobs/job-reads.ts';
import { callerOf } from '../auth/authenticate.ts';
import type { HttpDeps } from '../deps.ts';
import { hangUpSignal } from '../server/hang-up.ts';
import { etagOf, readPrecondition, sendFile } from '../transfer/file-transfer.ts';
import { readPreview, sendPreview } from '../transfer/send-preview.ts';
import type { SendZip } from '../transfer/send-zip.ts';
import { drainBody } from '../transfer/upload-body.ts';
import type { Handlers } from './handler.ts';

/** Lets the routes of `scope` read bodies of any type as streams. */
export function acceptRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.addHook('onRequest', async (request) => {
    // Delete the content type: the file name decides the type, and Fastify would reject a malformed field.
    delete request.raw.headers['content-type'];
  });
  scope.addHook('onResponse', async (request) => drainBody(request));
}

export const fileHandlers = (
  { files, previews }: HttpDeps,
  step: ReadStep,
  sendZip: SendZip,
): Handlers<Omit<typeof FILE_OPERATIONS, 'uploadFile'>> => ({
  listFiles: async (request, reply) => {
    const { cursor, q, ...page } = request.query;
    const caller = callerOf(request);
    const signal = hangUpSignal(reply);
    const query = { ...page, ...(cursor !== undefined && { after: readNameCursor(cursor) }) };
    // List each page in a step of its own, because each page reads the whole folder.
    const { entries, nextAfter } = await (q === undefined
      ? step(caller.clientId, signal, () => files.list(caller, query))
      : files.search(caller, { ...query, q }, signal));
    return {
      files: entries.map(entryView),
      nextCursor: nextAfter === undefined ? undefined : writeCursor(nextAfter),
    };
  },

  downloadFile: async (request, reply) => {
    const caller = callerOf(request);
    const path = request.params['*'];
    const preview = readPreview(request.query);
    if (preview === undefined) return sendFile(request, reply, await files.open(caller, path));
    const { spec, comparedWith } = preview;
    const signal = hangUpSignal(reply);
    const target = await previews.find(caller, { path }, spec, { signal, comparedWith });
    return sendPreview(request, reply, target, signal);
  },

  downloadFiles: async (request, reply) => {
    const caller = callerOf(request);
    const signal = hangUpSignal(reply);
    return sendZip(request, reply, { read: () => files.chosen(caller, request.query.path, signal) });
  },

  deleteFile: async (request, reply) => {
    await files.remove(changerOf(request, reply), request.params['*'], readPrecondition(request.headers));
    return reply.code(204).send();
  },

  moveFile: async (request, reply) => {
    const { from, to, replace } = request.body;
    request.auditFacts = { target: from, details: { to, replace } };
    return entryView(await files.move(changerOf(request, reply), request.body));
  },

  createFolder: async (request, reply) => {
    const { path } = request.body;
    request.auditFacts = { target: path };
    const folder = await files.createFolder(changerOf(request, reply), path);
    reply.code(201);
    return entryView(folder);
  },

  deleteFiles: async (request, reply) => {
    const { paths, keep } = request.body;
    request.auditFacts = { target: paths[0] ?? '', details: { keep, paths: paths.length } };
    const { deleted, failed } = await files.removeAll(changerOf(request, reply), { paths, keep });
    request.auditFacts = {
      target: paths[0] ?? '',
      details: { keep, paths: paths.length, deleted: deleted.map(({ path }) => path).slice(0, MAX_AUDITED) },
    };
    const keepSeconds = await files.keepSecondsOf(callerOf(request));
    return {
      deleted: deleted.map(({ path, entry }) => ({ path, ...(entry && { entry: binView(entry, keepSeconds) }) })),
      failed: failed.map(({ path, problem }) => ({ path, code: problem.code, detail: problemText(problem) })),
    };
  },

  listBin: async (request) => {
    const { entries, ...bin } = await files.listBin(callerOf(request), MAX_DELETIONS);
    return { ...bin, entries: entries.map((entry) => binView(entry, bin.keepSeconds)) };
  },

  emptyBin: async (request, reply) => {
    await files.emptyBin(callerOf(request));
    return reply.code(204).send();
  },

  restoreFile: async (request, reply) => {
    const { entryId } = request.params;
    const entry = await files.restore(changerOf(request, reply), entryId, request.body.to);
    request.auditFacts = { target: entry.path, details: { entryId } };
    return entryView(entry);
  },

  deleteBinEntry: async (request, reply) => {
    const { entryId } = request.params;
    request.auditFacts = { target: await files.deleteEntry(callerOf(request), entryId), details: { entryId } };
    return reply.code(204).send();
  },
});

/** The caller of a change that is dropped if the client disconnects before it begins. Not for uploads, whose bytes are stored by then. */
const changerOf = (request: FastifyRequest, reply: FastifyReply): Caller => ({
  ...callerOf(request),
  hangUp: hangUpSignal(reply),
});

/** The message of a problem about one path, and how to fix it. */
const problemText = ({ message, fix, errors: [error] }: Problem): string =>
  [message, ...[fix ?? error?.fix].flatMap((hint) => (hint === undefined ? [] : httpHint(hint)))].join(' ');

/** The maximum number of paths in one audit record. */
const MAX_AUDITED = 100;

const binView = ({ entryId, path, bytes, deletedAt }: BinEntry, keepSeconds: number | undefined): BinEntryView => ({
  ...{ entryId, path, sizeBytes: bytes, deletedAt: deletedAt.toISOString() },
  ...(keepSeconds !== undefined && {
    expiresAt: new Date(deletedAt.getTime() + keepSeconds * 1000).toISOString(),
  }),
});

function entryView(entry: FileEntry): FileEntryView {
  if (entry.kind === 'folder') return { type: 'folder', path: entry.path };
  const { path, sizeBytes, modifiedAt } = entry;
  return { type: 'file', path, sizeBytes, modifiedAt: modifiedAt.toISOString(), etag: etagOf(entry) };
}
