import { z } from 'zod';
import { uploadLinkBody, uploadLinkSchema } from '../upload-link.ts';
import { etag, fileLocationHeader } from './headers.ts';
import { jsonReply, type Operations, token } from './operation.ts';

const LINK = 'shop~1769860800~1769861700~the-key~the-signature';
const TERMS = 'Tn1nX2a0cVhQ5wqK.500000000.new';

const params = z.object({
  terms: z.string().meta({ description: 'What the link allows.', examples: [TERMS] }),
  link: z.string().meta({ description: 'The signed link, which replaces a token.', examples: [LINK] }),
  path: z.string().meta({ description: 'The path for which the link was made.', examples: ['in/talk.mov'] }),
});

export const UPLOAD_LINK_OPERATIONS = {
  createUploadLink: {
    tag: 'Files',
    summary: 'Create a link to upload a file',
    description:
      'Anyone who has the link can upload one file to this one path, without a token: a browser, a user, a shell ' +
      '(`curl -T FILE URL`). The link works once, until it expires, the client is revoked or its secret is rotated. The ' +
      'file counts as one that the client has uploaded.',
    access: token('files:write'),
    audit: { action: 'link.create', target: 'handler' },
    body: {
      type: 'application/json',
      schema: uploadLinkBody,
      example: { path: 'in/talk.mov', maxBytes: 500_000_000 },
    },
    replies: {
      201: jsonReply('The link.', uploadLinkSchema, {
        url: `/api/upload-links/${TERMS}/${LINK}/in/talk.mov`,
        path: 'in/talk.mov',
        maxBytes: 500_000_000,
        replace: false,
        expiresAt: '2026-01-31T12:15:00.000Z',
      }),
    },
  },
  uploadByLink: {
    tag: 'Files',
    summary: 'Upload a file by a link',
    description:
      'The body is the content of the file. It appears once all of it is on disk; a failed upload does not use the link, unless the file may have been stored. ' +
      'Use the URL exactly as received.',
    access: { by: 'link', to: 'upload' },
    audit: { action: 'file.write', target: 'path' },
    params,
    body: { type: '*/*', description: 'The bytes of the file.' },
    limit: 'uploads',
    replies: {
      201: { description: 'The file was created.', headers: { ...fileLocationHeader, ...etag } },
      204: { description: 'The file replaced another.', headers: { ...fileLocationHeader, ...etag } },
    },
    problems: [
      'LINK_USED',
      'QUOTA_EXCEEDED',
      'REQUEST_TIMEOUT',
      'NOT_A_FILE',
      'PRECONDITION_FAILED',
      'BODY_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'STORAGE_FAULT',
      'NO_SPACE',
    ],
  },
} satisfies Operations;
