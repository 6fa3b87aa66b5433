import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import type { FileFacts } from '../../files/ports.ts';
import { pathOf } from '../../wire/endpoints.ts';
import { etagOf } from './send-file.ts';
import { type PacedUploads, uploadBody } from './upload-body.ts';

/** The body of a request as the content of one file. Throws UNSUPPORTED_MEDIA_TYPE and BAD_REQUEST if it is not just that. */
export function fileBody(request: FastifyRequest, reply: FastifyReply, pacedUploads: PacedUploads) {
  rejectWrappedBody(request);
  const sizeBytes = lengthOf(request);
  return { bytes: uploadBody(request, reply, pacedUploads), ...(sizeBytes !== undefined && { sizeBytes }) };
}

/** The reply to the upload of a whole file. */
export const sendStored = (reply: FastifyReply, file: FileFacts, created: boolean): FastifyReply =>
  reply
    .code(created ? 201 : 204)
    .headers({ location: pathOf('downloadFile', { path: file.path }), etag: etagOf(file) })
    .send();

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
