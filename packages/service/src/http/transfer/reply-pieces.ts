import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { batchState } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { type BatchView, batchStateView, batchView } from '@telecine/contract/wire/batch.ts';
import { jobView } from '@telecine/contract/wire/job-view.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BatchToRead } from '../../jobs/batches.ts';
import type { LongReadOptions } from '../../jobs/job-reads.ts';
import { readPrecondition } from './file-transfer.ts';

/** Bodies and replies up to this size are not counted. The limit on connections also limits their memory. */
export const UNCOUNTED_BYTES = 16 * 1024;

/** The memory that a streamed body or reply takes: two chunks of 64 KiB, and garbage. */
export const STREAM_BYTES = 256 * 1024;

/** The sizes of replies that are sent as streams although all their bytes are in memory. */
const madeBytes = new WeakMap<Readable, number>();

/**
 * Sends a reply that consists of several buffers, and then frees the memory of the buffers. The caller sets the content
 * type.
 */
export function sendBuffers(reply: FastifyReply, buffers: readonly Buffer[]): FastifyReply {
  const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  if (length <= PIECE_BYTES) return reply.send(Buffer.concat(buffers));
  const stream = inPieces(...buffers);
  madeBytes.set(stream, length);
  // Free only at 'finish': after an early close, libuv may still use the buffers.
  reply.raw.once('finish', () => buffers.forEach(freeMemory));
  return reply.header('content-length', length).send(stream);
}

/**
 * Counts the bytes of long replies, and sends them in pieces, which shows whether the client still reads. If too many
 * bytes are in memory, sends UNAVAILABLE instead, unless the request may have changed something.
 */
export function sendLongRepliesInPieces(app: FastifyInstance): void {
  const pieces = (reply: FastifyReply, bytes: Buffer): Buffer | Readable => {
    if (bytes.length <= PIECE_BYTES || reply.request.method === 'HEAD') return bytes;
    reply.header('content-length', bytes.length);
    return inPieces(bytes);
  };
  const prepare = (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
    const { requestHolds: holds } = request.server;
    if (typeof payload === 'string') {
      if (payload.length <= UNCOUNTED_BYTES) return payload;
      const bytes = Buffer.from(payload);
      holds.holdReply(request, bytes.length);
      return pieces(reply, bytes);
    }
    if (Buffer.isBuffer(payload)) {
      if (payload.length > UNCOUNTED_BYTES && !shared.has(payload)) holds.holdReply(request, payload.length);
      return pieces(reply, payload);
    }
    if (payload instanceof Readable) holds.holdReply(request, madeBytes.get(payload) ?? STREAM_BYTES);
    return payload;
  };
  app.addHook('onSend', (request, reply, payload, done) => {
    try {
      done(null, prepare(request, reply, payload));
    } catch (error) {
      if (payload instanceof Readable) payload.destroy();
      done(error as Error);
    }
  });
}

/** The size of a piece. A client must read one piece within the stall time. */
export const PIECE_BYTES = 64 * 1024;

/**
 * Returns a stream of the bytes in `buffers`, without copying them. Sends each piece in a turn of its own: otherwise,
 * hundreds of replies could begin together, because a socket accepts megabytes in one turn of the event loop.
 */
export function inPieces(...buffers: readonly Buffer[]): Readable {
  const pieces = piecesOf(buffers);
  let isFirst = true;
  const pushNext = (stream: Readable): void => {
    stream.push(pieces.next().value ?? null);
  };
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      if (isFirst) pushNext(this);
      else setImmediate(pushNext, this);
      isFirst = false;
    },
  });
}

function* piecesOf(buffers: readonly Buffer[]): Generator<Buffer, undefined> {
  for (const buffer of buffers)
    for (let offset = 0; offset < buffer.length; offset += PIECE_BYTES)
      yield buffer.subarray(offset, offset + PIECE_BYTES);
}

/**
 * Frees the memory of an unused buffer, unless other buffers share it. V8 itself frees buffers late, because it counts
 * them as small objects: a thousand of them can take a hundred megabytes.
 */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * Collects a long text in buffers of about 64 KiB. A single string would stay in memory until the next full garbage
 * collection.
 */
export function textBuffers() {
  const buffers: Buffer[] = [];
  let parts: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (length > 0) buffers.push(Buffer.from(parts.join('')));
    parts = [];
    length = 0;
  };
  return {
    add: (text: string): void => {
      parts.push(text);
      length += text.length;
      if (length >= PIECE_BYTES) flush();
    },
    end: (): readonly Buffer[] => {
      flush();
      return buffers;
    },
  };
}

/** A batch of at most this stored size is sent in one piece. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * Replies with a batch. If it is large, reads and sends its jobs one by one, and calls `count` with the bytes of each.
 */
export async function sendBatch(
  reply: FastifyReply,
  found: BatchToRead,
  caller: Caller,
  { count, ...options }: LongReadOptions & { readonly count: (bytes: number) => void },
): Promise<BatchView | FastifyReply> {
  if (found.bytes <= WHOLE_BYTES) return batchView({ ...found.batch, jobs: await found.allJobs(options) }, caller);
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(texts(found, caller, count), { highWaterMark: 1 }));
}

async function* texts({ batch, states, jobs }: BatchToRead, caller: Caller, count: (bytes: number) => void) {
  const { links, ...shown } = batchStateView(batchState(batch, states));
  yield `${JSON.stringify(shown).slice(0, -1)},"jobs":[`;
  let separator = '';
  for await (const job of jobs()) {
    const text = separator + JSON.stringify(jobView(job, caller));
    count(text.length);
    yield text;
    separator = ',';
  }
  yield `],"links":${JSON.stringify(links)}}`;
}

/** Buffers that several replies send, whose memory must not be freed. */
const shared = new WeakSet<Buffer>();

interface Variant {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** A document that the process keeps in memory only once. */
export interface SharedDocument {
  readonly plain: Variant;
  /** Compressed by Brotli. */
  readonly compressed: Variant | undefined;
}

export function sharedDocument(content: string | Buffer, compressed?: Buffer): SharedDocument {
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  shared.add(plain);
  if (compressed !== undefined) shared.add(compressed);
  return { plain: { bytes: plain, tag }, compressed: compressed && { bytes: compressed, tag: `${tag}-br` } };
}

/** Matches `br`, unless its quality is 0. */
const BROTLI = /^br(?:;q=(?!0(?:\.0*)?$).*)?$/i;

/** Returns whether an `Accept-Encoding` header allows Brotli (`br`). */
const acceptsBrotli = (header: string): boolean =>
  header.split(',').some((coding) => BROTLI.test(coding.replaceAll(/\s/g, '')));

/**
 * Replies with a document, or with 304 if the client already has it. The caller sets the content type and
 * `Cache-Control`.
 */
export function sendShared(request: FastifyRequest, reply: FastifyReply, document: SharedDocument): FastifyReply {
  const { plain, compressed } = document;
  const { 'accept-encoding': accepted } = request.headers;
  const isCompressed = typeof accepted === 'string' && acceptsBrotli(accepted);
  const { bytes, tag } = (isCompressed && compressed) || plain;
  reply.header('etag', `"${tag}"`);
  if (compressed !== undefined) reply.header('vary', 'Accept-Encoding');
  const { ifNoneMatch } = readPrecondition(request.headers);
  if (ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.some((one) => one.tag === tag)))
    return reply.code(304).send();
  if (bytes !== plain.bytes) reply.header('content-encoding', 'br');
  return reply.send(bytes);
}
