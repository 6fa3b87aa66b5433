import { ReadableStream } from 'node:stream/web';
import { invalidRequest, Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import { isUuid } from '@telecine/contract/wire/job-id.ts';
import { TUS_BODY, TUS_EXTENSIONS, TUS_VERSION } from '@telecine/contract/wire/tus.ts';
import { DataStore, ERRORS, type Lock, type Locker, Metadata, Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuid } from 'uuid';
import type { UploadRecord } from '../../files/ports.ts';
import type { Precondition } from '../../files/precondition.ts';
import { type UploadLock, uploadLocked } from '../../files/upload-locks.ts';
import type { UploadContext, Uploader, UploadOperations } from '../../files/uploads.ts';

interface TusRequest {
  readonly uploads: UploadOperations;
  readonly uploader: Uploader;
  readonly metadata: string;
  readonly precondition: Precondition;
  /** Whether a new upload keeps the file that it replaces. */
  readonly keepsReplaced?: boolean;
  readonly onAppeared: NonNullable<UploadContext['onAppeared']>;
  /** Read only if it is needed. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly publicUrl?: string;
}

/**
 * How long a request keeps the lock of its upload after another request begins to wait for it. Usually, the connection
 * of the first request is dead.
 */
const LOCK_DRAIN_MS = 500;

/** Answers a tus request. Throws problems. */
export async function answerTus(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, publicUrl = '', ...tus }: TusRequest,
): Promise<FastifyReply> {
  const { method } = request;
  checkVersion(request, reply);
  if (method === 'PATCH' && contentTypeOf(request) !== TUS_BODY)
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The body must have the content type ${TUS_BODY}.`);
  let bodyError: { readonly error: unknown } | undefined;
  const bytes = (async function* () {
    try {
      yield* body;
    } catch (error) {
      bodyError = { error };
      throw error;
    }
  })();
  let failure: { readonly error: unknown } | undefined;
  const { path } = ENDPOINTS.createUpload;
  const server = new Server({
    ...tusSession(tus),
    path,
    maxSize: tus.uploads.maxBytes,
    lockDrainTimeout: LOCK_DRAIN_MS,
    namingFunction: () => uuid(),
    generateUrl: (_request, { id }) => `${publicUrl}${path}/${id}`,
    onIncomingRequest: async (_request, id) => {
      if (!isUuid(id)) throw new Problem('UPLOAD_NOT_FOUND', 'There is no such upload: the ids of uploads are UUIDs.');
      // Check the owner before the library locks the upload, so that a client cannot disturb uploads of other clients.
      if (method !== 'POST') await tus.uploads.find(tus.uploader, id);
    },
    onResponseError: (_request, error) => {
      failure = { error };
      return undefined;
    },
  });
  const response = await server.handleWeb(webRequest(request, bytes));
  if (failure !== undefined) throw bodyError === undefined ? tusProblem(failure.error) : bodyError.error;
  if (response.status >= 400) throw tusProblem({ status_code: response.status, body: await response.text() });
  // Skip the library's CORS header fields: all routes get the same ones from `allowOrigins`.
  for (const [name, value] of response.headers)
    if (!name.startsWith('access-control-') && name !== 'content-length') reply.header(name, value);
  return reply.code(response.status).send();
}

/** Rejects a request with another version of tus. The reply names the supported version. */
function checkVersion({ headers }: FastifyRequest, reply: FastifyReply): void {
  const version = headers['tus-resumable'];
  if (version === TUS_VERSION) return;
  reply.header('tus-version', TUS_VERSION);
  throw new Problem(
    'UNSUPPORTED_TUS_VERSION',
    `Tus-Resumable ${version === undefined ? 'is missing' : 'has another version'}. Send "Tus-Resumable: ${TUS_VERSION}", or upload with PUT /api/files/{path}.`,
  );
}

/** Returns the content type, which `headersDistinct` still has after `acceptRawBodies` deleted it from `headers`. */
const contentTypeOf = ({ raw }: FastifyRequest): string | undefined => raw.headersDistinct['content-type']?.[0];

function webRequest({ method, url, raw }: FastifyRequest, bytes: AsyncIterable<Uint8Array>): Request {
  const headers = new Headers();
  for (const [name, [value = ''] = []] of Object.entries(raw.headersDistinct)) headers.set(name, value);
  const hasBody = method === 'PATCH' || method === 'POST';
  const body = hasBody ? ({ body: ReadableStream.from(bytes), duplex: 'half' } as const) : {};
  const [path = ''] = url.split('?');
  return new Request(new URL(path, 'http://service'), { method, headers, ...body } as RequestInit);
}

/** The problem for each status of the tus library, and what to do. */
const PROBLEMS: Readonly<Record<number, readonly [code: ProblemCode, next: string]>> = {
  400: ['BAD_REQUEST', 'See tus 1.0 for the form of the request.'],
  403: ['BAD_REQUEST', 'Send the offset of the upload, which HEAD returns.'],
  404: ['UPLOAD_NOT_FOUND', 'Create an upload with POST /api/uploads.'],
  409: ['UPLOAD_CONFLICT', 'Read the offset of the upload with HEAD and continue there.'],
  413: ['BODY_TOO_LARGE', 'Send at most the rest of the file.'],
  501: ['NOT_IMPLEMENTED', 'Send the file in one upload, with Upload-Length.'],
};

/** Converts an error of the tus library to a problem. Returns other errors unchanged. */
function tusProblem(error: unknown): unknown {
  if (error instanceof Problem || typeof error !== 'object' || error === null || !('status_code' in error))
    return error;
  const { status_code: status, body = '' } = error as { readonly status_code: number; readonly body?: string };
  if (body === ERRORS.ABORTED.body) return uploadLocked();
  const [code, next] = PROBLEMS[status] ?? [];
  return code === undefined ? error : new Problem(code, `${body.trim() || 'This is not a request of tus'}. ${next}`);
}

/** Connects the tus library to the upload operations, for one request. The library wants a locker and a store. */
function tusSession({
  uploads,
  uploader,
  metadata,
  precondition,
  keepsReplaced,
  onAppeared,
}: Omit<TusRequest, 'body'>): {
  readonly locker: Locker;
  readonly datastore: DataStore;
} {
  let lock: UploadLock | undefined;
  let writing: Promise<number> | undefined;

  const locker: Locker = {
    newLock: (id): Lock => ({
      lock: async (_signal, requestRelease) => {
        lock = await uploads.lock(id, () => void requestRelease());
      },
      unlock: async () => {
        // The library may have given up a write that is still saving bytes. Wait for its end before releasing the lock.
        await writing?.catch(() => undefined);
        const current = lock;
        lock = undefined;
        await current?.release();
      },
    }),
  };

  const context = (): UploadContext => {
    if (lock === undefined) throw new Error('The request has not locked the upload.');
    return { ...uploader, lock, onAppeared };
  };

  class Store extends DataStore {
    override extensions = [...TUS_EXTENSIONS];

    override async create(upload: Upload): Promise<Upload> {
      await uploads.create(context(), {
        uploadId: upload.id,
        path: pathIn(upload.metadata),
        sizeBytes: upload.size ?? 0,
        metadata,
        precondition,
        ...(keepsReplaced !== undefined && { keepsReplaced }),
      });
      return upload;
    }

    override async getUpload(id: string): Promise<Upload> {
      return toUpload(await (lock === undefined ? uploads.find(uploader, id) : uploads.settle(context(), id)));
    }

    override write(bytes: AsyncIterable<Uint8Array>, id: string): Promise<number> {
      writing = uploads.append(context(), id, bytes);
      return writing;
    }

    override remove(id: string): Promise<void> {
      return uploads.remove(context(), id);
    }

    override getExpiration(): number {
      return uploads.expirySeconds * 1000;
    }
  }
  return { locker, datastore: new Store() };
}

/**
 * Converts an upload for the tus library, which computes the expiry from the creation date. Pass the current time as
 * this date, because here each use of an upload renews its lifetime.
 */
const toUpload = ({ uploadId, sizeBytes, offsetBytes, metadata }: UploadRecord): Upload =>
  new Upload({
    id: uploadId,
    size: sizeBytes,
    offset: offsetBytes,
    creation_date: new Date().toISOString(),
    ...(metadata !== '' && { metadata: Metadata.parse(metadata) }),
  });

/** Reads the path of the file. Throws INVALID_REQUEST if the metadata contain none. */
function pathIn(metadata: Upload['metadata']): string {
  const path = metadata?.['path'] ?? metadata?.['filename'];
  // U+FFFD: the decoder found bytes that are not UTF-8.
  if (typeof path === 'string' && !path.includes('\ufffd')) return path;
  const [code, message] =
    typeof path === 'string'
      ? ['BAD_ENCODING', 'The path in Upload-Metadata is not UTF-8 in Base64.']
      : ['MISSING', 'Upload-Metadata has no "path" for the file, in Base64.'];
  throw invalidRequest([{ field: '/metadata/path', code, message }]);
}
