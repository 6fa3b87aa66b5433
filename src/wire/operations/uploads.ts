import { z } from 'zod';
import { TUS_VERSION } from '../tus.ts';
import { type Audit, type Operations, PUBLIC, token } from './operation.ts';

const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });

const version = { 'Tus-Resumable': text('The version of tus.', TUS_VERSION) };
const uploadOffset = { 'Upload-Offset': text('The number of bytes that the service has stored.', '52428800') };
const expires = {
  'Upload-Expires': text('When the upload is deleted unless it is used.', 'Sun, 01 Feb 2026 12:00:00 GMT').optional(),
};
const metadata = (description: string) => text(description, 'path bW92aWVzL2luLm1vdg==');

const params = z.object({
  uploadId: z.string().meta({
    description: 'The id of the upload, the last part of its URL.',
    examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'],
  }),
});
/** A file is recorded once, when it appears, and not each request that brings bytes. */
const AUDIT: Audit = { action: 'file.write', target: 'handler', isDoneByHandler: true };
const requestVersion = z.object(version);
const body = {
  type: '*/*',
  description: 'The next bytes of the file, of the type `application/offset+octet-stream`.',
} as const;

/** The problems of requests that can carry bytes of a file, and so can publish it. */
const OF_BYTES = [
  'REQUEST_TIMEOUT',
  'NOT_A_FILE',
  'PRECONDITION_FAILED',
  'UNSUPPORTED_TUS_VERSION',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UPLOAD_LOCKED',
  'STORAGE_FAULT',
  'NOT_IMPLEMENTED',
  'NO_SPACE',
] as const;

/** Resumable uploads by tus 1.0. */
export const UPLOAD_OPERATIONS = {
  getUploadSupport: {
    tag: 'Files',
    summary: 'Get what resumable uploads support',
    description: 'Returns the version and the extensions of tus, and the size of the largest file.',
    access: PUBLIC,
    body: { type: 'ignored' },
    replies: {
      204: {
        description: 'What is supported.',
        headers: {
          ...version,
          'Tus-Version': text('The versions of tus.', TUS_VERSION),
          'Tus-Extension': text('The extensions of tus.', 'creation,creation-with-upload,termination,expiration'),
          'Tus-Max-Size': text('The largest file in bytes.', '53687091200'),
        },
      },
    },
  },
  createUpload: {
    tag: 'Files',
    summary: 'Create a resumable upload',
    description:
      'Begins an upload that survives interruptions, by tus 1.0 (https://tus.io). The file appears, or replaces an ' +
      'existing one, once all of it is on disk. With the content type `application/offset+octet-stream`, the body is ' +
      'the beginning of the file.',
    access: token('files:write'),
    audit: AUDIT,
    headers: z.object({
      ...version,
      'Upload-Length': text('The size of the file in bytes.', '104857600'),
      'Upload-Metadata': metadata(
        'Pairs of a name and a value in Base64, at most 6144 characters. `path`, or else `filename`, is the path of the ' +
          'file in the media root of the client.',
      ),
      'If-Match': text('Reply with 412 unless the existing file has this ETag.', '"mYt1…"').optional(),
      'If-None-Match': text('`*`: reply with 412 if the file exists.', '*').optional(),
    }),
    body: { type: 'ignored' },
    limit: 'uploads',
    replies: {
      201: {
        description: 'The upload is created.',
        headers: {
          ...version,
          Location: text('The URL of the upload.', '/api/uploads/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'),
          'Upload-Offset': uploadOffset['Upload-Offset'].optional(),
          ...expires,
        },
      },
    },
    problems: [...OF_BYTES, 'QUOTA_EXCEEDED'],
  },
  getUploadOffset: {
    tag: 'Files',
    summary: 'Get the offset of a resumable upload',
    description:
      'Returns the number of bytes that the service has stored. Continue there with PATCH. A finished upload is known for ten ' +
      'minutes.',
    access: token('files:write'),
    audit: AUDIT,
    params,
    headers: requestVersion,
    body: { type: 'ignored' },
    replies: {
      200: {
        description: 'The state of the upload.',
        headers: {
          ...version,
          ...uploadOffset,
          'Upload-Length': text('The size of the file in bytes.', '104857600'),
          'Upload-Metadata': metadata('As the client sent it.'),
        },
      },
    },
    problems: [
      'UPLOAD_NOT_FOUND',
      'NOT_A_FILE',
      'PRECONDITION_FAILED',
      'UNSUPPORTED_TUS_VERSION',
      'UPLOAD_LOCKED',
      'STORAGE_FAULT',
      'NO_SPACE',
    ],
  },
  appendToUpload: {
    tag: 'Files',
    summary: 'Append bytes to a resumable upload',
    description:
      'Appends the body at `Upload-Offset`, which must be the offset of the upload. Bytes that arrived before an ' +
      'interruption are kept.',
    access: token('files:write'),
    audit: AUDIT,
    params,
    headers: z.object({ ...version, ...uploadOffset }),
    body,
    limit: 'uploads',
    replies: {
      204: { description: 'The bytes are stored.', headers: { ...version, ...uploadOffset, ...expires } },
    },
    problems: [...OF_BYTES, 'UPLOAD_NOT_FOUND', 'UPLOAD_CONFLICT'],
  },
  deleteUpload: {
    tag: 'Files',
    summary: 'Delete a resumable upload',
    description: 'Removes the bytes of the upload. A file that has appeared stays.',
    access: token('files:write'),
    audit: AUDIT,
    params,
    headers: requestVersion,
    body: { type: 'ignored' },
    replies: { 204: { description: 'The upload is deleted.', headers: version } },
    problems: ['UPLOAD_NOT_FOUND', 'UNSUPPORTED_TUS_VERSION', 'UPLOAD_LOCKED', 'STORAGE_FAULT'],
  },
} satisfies Operations;
