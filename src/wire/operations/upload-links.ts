import { z } from 'zod';
import { uploadLinkBody, uploadLinkSchema } from '../upload-link.ts';
import { WHOLE_UPLOAD } from './files.ts';
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
      'The body is the content of the file. The file appears once all of it is on disk. A failed upload does not use the ' +
      'link, unless the file may have been stored. Use the URL exactly as received.',
    access: { by: 'link', to: 'upload' },
    params,
    ...WHOLE_UPLOAD,
    problems: ['LINK_USED', ...WHOLE_UPLOAD.problems],
  },
} satisfies Operations;
