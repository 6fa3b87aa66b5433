import { z } from 'zod';
import { text } from '../described-schemas.ts';
import { flag } from '../paging.ts';
import {
  createdShareSchema,
  newShareBody,
  shareId,
  shareListQuery,
  shareListSchema,
  uploadTermsSchema,
} from '../share.ts';
import { DOWNLOAD, readConditions, WHOLE_UPLOAD, ZIP } from './files.ts';
import { jsonBody, jsonReply, type Operation, type Operations, token } from './operation.ts';

const READ = { tag: 'Files', access: token('files:read') } as const;

/** Sharing needs `files:write` too, because a link gives files away for weeks. */
const WRITE = { tag: 'Files', access: token('files:read', 'files:write') } as const;

const SHARE = {
  shareId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15',
  client: 'shop',
  path: 'movies/out.mp4',
  note: 'for Ada',
  createdAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2026-02-07T12:00:00.000Z',
  state: 'ACTIVE' as const,
  uses: 0,
};

const link = text('The secret of the link, which replaces a token.', 'tcl_4nV0pV2mB5rQeXr1Yc8mJt0N3cUqk7h2bQeXr1Yc8mJ');

const params = z.object({ link });

/** What all operations on a shared link have in common. */
const OPENED = {
  tag: 'Files',
  access: { by: 'link', to: 'share' },
  // Tools add parameters to the links that people paste into them (`utm_source`), and the page of a newer version may, during an upgrade.
  query: 'ignored',
  problems: ['LINK_REVOKED', 'OUTPUT_GONE', 'FILE_NOT_FOUND', 'TOO_MANY_FILES', 'STORAGE_FAULT'],
} as const satisfies Partial<Operation>;

const CONDITIONS = ['PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE'] as const;

export const SHARE_OPERATIONS = {
  createShare: {
    ...WRITE,
    summary: 'Share a file, or the outputs of a job, by a link',
    description:
      'Anyone with the link can look at the files and download them, without an account, until the link ends. It opens only ' +
      'this file, or these outputs: a file that replaces one of them is not shared. The link ends early if it is revoked, if ' +
      'the files or the job are deleted, or if the client is revoked or can no longer read files. A new secret of the client ' +
      'does not end it. With `files`, the link takes uploads into the folder `path`: browsers get a page for them, shells send a file with ' +
      '`curl -T FILE URL/files/`, and other programs upload by tus, with the last part of the URL as the token.',
    audit: { action: 'share.create', target: 'handler' },
    body: jsonBody(newShareBody, { path: SHARE.path, seconds: 604_800, note: SHARE.note }),
    replies: {
      201: jsonReply('The link.', createdShareSchema, {
        ...SHARE,
        url: '/s/tcl_4nV0pV2mB5rQeXr1Yc8mJt0N3cUqk7h2bQeXr1Yc8mJ',
      }),
    },
    problems: ['FILE_NOT_FOUND', 'NOT_A_FILE', 'JOB_NOT_FOUND', 'JOB_NOT_FINISHED', 'TOO_MANY_SHARES', 'STORAGE_FAULT'],
  },
  listShares: {
    ...READ,
    summary: 'List shared links',
    verb: 'shares list',
    description:
      'Lists the links that still work, newest first: what each shares, until when, and how often it was used. With `ended`, also ' +
      'lists those that have ended. With the scope `admin`, lists the links of all clients.',
    query: shareListQuery,
    replies: { 200: jsonReply('One page.', shareListSchema, { shares: [SHARE] }) },
  },
  revokeShare: {
    ...WRITE,
    summary: 'Revoke a shared link',
    verb: 'shares revoke',
    description:
      'From now on, the link opens nothing and replies 410 `LINK_REVOKED`. This cannot be undone. The link is still listed with `ended`, with its downloads and who ' +
      'revoked it. To revoke it again changes nothing, and a link that has expired stays `EXPIRED`. With the scope `admin`, a link of any client can be revoked.',
    audit: { action: 'share.revoke', target: 'shareId', isDoneByHandler: true },
    params: z.object({ shareId }),
    replies: { 204: { description: 'The link is revoked.' } },
    problems: ['SHARE_NOT_FOUND'],
  },
  openShare: {
    ...OPENED,
    summary: 'Open a shared link',
    description:
      'Returns a page with the files for browsers, that is, if `Accept` has `text/html`. Otherwise returns the file itself, or ' +
      'several files as one zip. A link for uploads opens a page to upload files, or JSON with what it takes. For browsers, an error is a page, too. Query parameters are ignored. A link that has ended replies 410, ' +
      'whatever has ended it: its time or, after some weeks, its record is over (`LINK_EXPIRED`), it was revoked (`LINK_REVOKED`), or its ' +
      'files were deleted or replaced (`OUTPUT_GONE`). It never works again, so ask for a new link. 403 `INVALID_LINK` says that the text is ' +
      'not a whole link, or that its client may no longer read files.',
    params,
    headers: readConditions,
    // The page and the zip have no entity tag.
    replies: {
      ...DOWNLOAD,
      200: {
        description: 'The page, the file, the zip, or what a link for uploads takes.',
        content: { ...DOWNLOAD[200].content, 'application/json': { schema: uploadTermsSchema } },
      },
    },
    limit: 'zips',
    problems: [...OPENED.problems, ...CONDITIONS],
  },
  downloadSharedFiles: {
    ...OPENED,
    summary: 'Download the files of a shared link as one zip',
    description: 'Returns all files that are shared by the link, not compressed.',
    params,
    replies: ZIP,
    limit: 'zips',
  },
  downloadSharedFile: {
    ...OPENED,
    summary: 'Download a file by a shared link',
    description: 'Returns the whole file or one range. Other query parameters than `page` are ignored.',
    params: z.object({ link, path: text('The name of the file, as the page of the link shows it.', 'out.mp4') }),
    readQuery: z.object({
      page: flag(
        '`true`: the page of the link shows the file. It does not count as a download, unless `Sec-Fetch-Dest` says that it is saved.',
      ),
    }),
    headers: readConditions,
    replies: DOWNLOAD,
    problems: [...OPENED.problems, ...CONDITIONS],
  },
  uploadByLink: {
    ...WHOLE_UPLOAD,
    tag: 'Files',
    access: { by: 'link', to: 'upload' },
    summary: 'Upload a file by a shared link',
    description:
      'The body is the content of the file, which appears in the folder of the link once all of it is on disk. It replaces no other file.',
    audit: { action: 'file.write', target: 'handler', isDoneByHandler: true },
    params: z.object({ link, path: text('The name of the file, relative to the folder of the link.', 'talk.mov') }),
    replies: { 201: { description: 'The file was created.' } },
    problems: ['LINK_USED', 'LINK_REVOKED', 'TOO_MANY_UPLOADS', ...WHOLE_UPLOAD.problems],
  },
} satisfies Operations;
