import { defined } from '@telecine/contract/domain/defined.ts';
import { baseName } from '@telecine/contract/domain/media-path.ts';
import { PREVIEW_TYPES, type PreviewFormat, type PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { FRAME_TIMES, MEDIA_DURATION, MEDIA_SIZE } from '@telecine/contract/wire/endpoints.ts';
import type { PreviewQuery } from '@telecine/contract/wire/preview.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTagOf } from '../../files/precondition.ts';
import type { PreviewTarget } from '../../previews/preview-operations.ts';
import { dispositionOf, readPrecondition } from './file-transfer.ts';

/**
 * Replies to GET and HEAD with a preview. If the client already has it, replies 304 without making it. The entity tag
 * is weak, because two services may make different images of the same file.
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
  const { bytes, format, times, durationSeconds, file = {} } = await target.make(signal);
  reply.headers({
    'content-type': PREVIEW_TYPES[format],
    'content-length': bytes.length,
    'content-disposition': dispositionOf(previewName(target.path, format), 'inline'),
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    ...(durationSeconds !== undefined && times.length > 0 && { [FRAME_TIMES]: times.join(', ') }),
    ...(file.durationSeconds !== undefined && { [MEDIA_DURATION]: file.durationSeconds }),
    ...(file.width !== undefined && file.height !== undefined && { [MEDIA_SIZE]: `${file.width}x${file.height}` }),
  });
  return request.method === 'HEAD'
    ? reply.send()
    : reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

const previewName = (path: PreviewTarget['path'], format: PreviewFormat): string =>
  `${baseName(path)}.${format === 'jpeg' ? 'jpg' : format}`;

/** Reads the preview parameters of a query. undefined: the query asks for the file itself. Throws INVALID_REQUEST. */
export function readPreview(
  query: PreviewQuery,
): { readonly spec: PreviewSpec; readonly comparedWith: { readonly path: string } | undefined } | undefined {
  const { view, compare, at, columns, rows, width, format } = query;
  if (view !== undefined)
    return {
      spec: { view, ...defined({ at, columns, rows, width, format }) },
      comparedWith: compare === undefined ? undefined : { path: compare },
    };
  const errors = Object.entries({ at, columns, rows, width, format, compare }).flatMap(([name, value]) =>
    value === undefined ? [] : [needsView(name)],
  );
  if (errors.length > 0) throw invalidRequest(errors);
  return undefined;
}

const needsView = (name: string) => ({
  field: `/${name}`,
  code: 'NO_EFFECT',
  message: `"${name}" belongs to a preview, and "view" is missing: frame, sheet, waveform or spectrogram.`,
});
