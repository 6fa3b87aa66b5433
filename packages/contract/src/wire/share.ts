import { z } from 'zod';
import { SHARE_LIMITS, SHARE_STATES, type Share, shareStateOf } from '../domain/share.ts';
import { choice, count, integer, moment, text } from './described-schemas.ts';
import { pathOf } from './endpoints.ts';
import { idReader, jobId } from './job-id.ts';
import { cursor, flag, nextCursor, pageLimit } from './paging.ts';
import type { Shape } from './shape.ts';

export const shareId = z.uuid().meta({
  description: 'The id of a shared link.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e15'],
});

const note = text('Your own note, such as who gets the link. The person who opens the link does not see it.', 'for Ada')
  .max(SHARE_LIMITS.noteLength)
  .regex(/^\P{Cc}*$/u);

export const newShareBody = z
  .strictObject({
    path: text('The file to share, or with `files` a folder. Send either `path` or `jobId`.', 'movies/out.mp4')
      .max(4096)
      .exactOptional(),
    jobId: jobId.exactOptional().meta({ description: 'The job whose outputs are shared.' }),
    seconds: integer(`How long the link works: ${SHARE_LIMITS.minSeconds} s to 30 days.`, SHARE_LIMITS.defaultSeconds)
      .min(SHARE_LIMITS.minSeconds)
      .max(SHARE_LIMITS.maxSeconds)
      .default(SHARE_LIMITS.defaultSeconds),
    note: note.exactOptional(),
    files: integer('The link is for uploads: it takes so many files into the folder `path`, and shows none.', 100)
      .min(1)
      .max(SHARE_LIMITS.maxFiles)
      .exactOptional(),
    maxBytes: integer(
      'With `files`: a larger file is rejected, and one above the limit of the operator always. Default: this limit.',
      500_000_000,
    )
      .min(1)
      .exactOptional(),
  })
  .meta({ id: 'NewShare', description: 'A file or the outputs of a job to share by a link, or a folder for uploads.' });

const shape = {
  shareId,
  client: text('The client that shares.', 'shop'),
  path: text(
    'The shared file, also if it is the only output of `jobId`. Absent if several outputs of a job are shared.',
    'movies/out.mp4',
  ).optional(),
  jobId: jobId.optional(),
  note: note.optional(),
  files: count(
    'Of a link for uploads into the folder `path`: how many files it takes. Absent: the link is for downloads.',
  ).optional(),
  createdAt: moment('When it was shared.'),
  expiresAt: moment('When the link ends, or has ended. If it was revoked, this is `revokedAt`.'),
  state: choice(SHARE_STATES, '`ACTIVE`: the link works. `REVOKED`, `EXPIRED`: it has ended, and opens nothing.'),
  revokedAt: moment('When the link was revoked.').optional(),
  revokedBy: text('The client that revoked the link: its own, or an administrator.', 'shop').optional(),
  uses: count(
    'How many downloads have begun: each request for a whole file or its first part, and each zip. Playing or showing a file on the page of the link, ' +
      'HEAD and later parts do not count. Counted every few seconds. Of a link for uploads: how many files it has taken or is taking.',
  ),
  lastUsedAt: moment('When the last download began.').optional(),
};

export const shareSchema = z.object(shape).meta({ id: 'Share', description: 'A shared link, without its secret.' });

export const createdShareSchema = z
  .object({
    ...shape,
    url: text(
      'The link. It is shown only once, because the service stores only its hash. It is a path unless the operator has set ' +
        'the public URL of the service.',
      '/s/tcl_4nV0pV2mB5rQeXr1Yc8mJt0N3cUqk7h2bQeXr1Yc8mJ',
    ),
  })
  .meta({ id: 'CreatedShare', description: 'A new shared link.' });

export const uploadTermsSchema = z
  .object({
    files: count('How many files the link takes.'),
    taken: count('How many of them it has taken or is taking.'),
    maxBytes: z.int().optional().meta({ description: 'A larger file is rejected. Absent: the limit of the operator.' }),
    expiresAt: moment('When the link ends.'),
  })
  .meta({ id: 'UploadTerms', description: 'What a link for uploads into a folder takes.' });

export const shareListSchema = z
  .object({ shares: z.array(shareSchema), nextCursor })
  .meta({ id: 'ShareList', description: 'Shared links, newest first.' });

export const shareListQuery = z.strictObject({
  client: text(
    'Only the links of this client. Needs the scope `admin`. Default: of all clients with `admin`, else your own.',
  )
    .max(100)
    .exactOptional(),
  path: text(
    'Only the links to this file of the client, also those to a job whose only output it is. Default: to all files.',
    'movies/out.mp4',
  )
    .max(4096)
    .exactOptional(),
  jobId: jobId.exactOptional().meta({
    description: `Only the links to the outputs of this job, and to single files among the first ${SHARE_LIMITS.jobPaths} outputs.`,
  }),
  ended: flag(
    '`true`: also links that were revoked or have expired, for 30 days. Of a client, the ' +
      `${SHARE_LIMITS.ended.toLocaleString('en')} newest of these are kept.`,
  ),
  limit: pageLimit('Links', 200, 50),
  cursor: cursor(),
});

export const parseShareId = idReader('SHARE_NOT_FOUND', 'Unknown shared link: ids of shared links are UUIDs.');

export type ShareView = Shape<typeof shareSchema>;
export type CreatedShareView = Shape<typeof createdShareSchema>;

/** The URL of a link. `base`: the URL of the service. With '', the result is only a path. */
export const shareUrl = (base: string, secret: string): string => `${base}${pathOf('openShare', { link: secret })}`;

/** What the audit log records about a new share. The id cannot be used as a link. */
export const auditedShare = ({ shareId, path, jobId, expiresAt, maxFiles, sizeBytes }: Share) => ({
  target: jobId ?? path ?? shareId,
  details: { shareId, expiresAt, ...(maxFiles !== undefined && { files: maxFiles, maxBytes: sizeBytes }) },
});

/** What the audit log records about the end of a share. */
export const auditedRevocation = ({ shareId, path, jobId }: Share) => ({
  target: shareId,
  details: { ...(path !== undefined && { path }), ...(jobId !== undefined && { jobId }) },
});

/** What a link for uploads takes, for whoever has the link. */
export const uploadTerms = ({ maxFiles = 0, uses, sizeBytes, expiresAt }: Share): Shape<typeof uploadTermsSchema> => ({
  files: maxFiles,
  taken: uses,
  ...(sizeBytes !== undefined && { maxBytes: sizeBytes }),
  expiresAt,
});

/** A share as clients see it. `now`: in milliseconds since 1970. */
export function shareView(
  { clientId, fingerprint: _, folder: _folder, sizeBytes: _size, maxFiles, ...share }: Share,
  now: number,
): ShareView {
  const state = shareStateOf(share, now);
  const { revokedAt, ...expired } = share;
  return {
    ...(state === 'REVOKED' ? share : expired),
    client: clientId,
    ...(maxFiles !== undefined && { files: maxFiles }),
    state,
    // The stored end of a revoked share is a little earlier. See `ShareStore`.
    expiresAt: revokedAt ?? share.expiresAt,
  };
}
