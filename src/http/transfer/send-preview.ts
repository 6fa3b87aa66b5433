import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseName } from '../../domain/media-path.ts';
import { PREVIEW_TYPES, type PreviewFormat } from '../../domain/preview.ts';
import { entityTagOf } from '../../files/precondition.ts';
import type { PreviewTarget } from '../../previews/preview-operations.ts';
import { readPrecondition } from './entity-tags.ts';

/**
 * Replies to GET and HEAD with a preview, or with 304 before it is made. Its entity tag is weak: two services may make different
 * pictures of the same file.
 */
export async function sendPreview(
  request: FastifyRequest,
  reply: FastifyReply,
  target: PreviewTarget,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const tag = entityTagOf(target);
  const { ifNoneMatch } = readPrecondition(request.headers);
  reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*' && ifNoneMatch.some((one) => one.tag === tag))
    return reply.code(304).send();
  const { bytes, format } = await target.make(signal);
  reply.headers({
    'content-type': PREVIEW_TYPES[format],
    'content-length': bytes.length,
    'content-disposition': contentDisposition(previewName(target.path, format), { type: 'inline' }),
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
  return request.method === 'HEAD'
    ? reply.send()
    : reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

const previewName = (path: PreviewTarget['path'], format: PreviewFormat): string =>
  `${baseName(path)}.${format === 'jpeg' ? 'jpg' : format}`;
