import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPrecondition } from './entity-tags.ts';

const shared = new WeakSet<Buffer>();

/** Whether all replies with these bytes share one copy. */
export const isShared = (bytes: Buffer): boolean => shared.has(bytes);

interface Variant {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** A document of which the process has one copy, whoever reads it. */
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

/** `br`, unless its quality is 0. */
const BROTLI = /^br(?:;q=(?!0(?:\.0*)?$).*)?$/i;

/** Whether an `Accept-Encoding` header allows `br`. */
const acceptsBrotli = (header: string): boolean =>
  header.split(',').some((coding) => BROTLI.test(coding.replaceAll(/\s/g, '')));

/** Replies with a document, or with 304 if the client has it. The caller sets the content type and `Cache-Control`. */
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
