import { z } from 'zod';
import type { MediaPath } from '../domain/media-path.ts';
import { invalidRequest } from '../domain/problem.ts';
import { expiryOf, outputLinkPath, type SignedLink, type UploadLink, writeLink } from '../domain/signed-link.ts';
import { boolean, integer, text } from './described-schemas.ts';
import { pathOf } from './endpoints.ts';
import type { Shape } from './shape.ts';

const REPLACE = 'replace';
const NEW = 'new';

/** Writes the terms of a link as one URL segment: `<id>.<bytes>.new` or `<id>.<bytes>.replace`. */
const writeTerms = ({ linkId, maxBytes, replace }: UploadLink): string =>
  [linkId, maxBytes, replace ? REPLACE : NEW].join('.');

/** Reads terms that `writeTerms` wrote. The signature of the link must have been verified. */
export function readTerms(terms: string, path: string): UploadLink {
  const [linkId = '', maxBytes, mode] = terms.split('.');
  return { linkId, path: path as MediaPath, maxBytes: Number(maxBytes), replace: mode === REPLACE };
}

/** The text of an upload link that the signature covers. `terms`: the result of `writeTerms`. */
export const uploadSubject = (terms: string, path: string): string => JSON.stringify(['upload', terms, path]);

export const uploadLinkBody = z
  .strictObject({
    path: text("Where the file is stored, relative to the client's media root.", 'in/talk.mov').max(4096),
    maxBytes: integer('A larger file is rejected. Default and maximum: the limit of the operator.', 500_000_000)
      .min(1)
      .exactOptional(),
    replace: boolean(
      'Whether the file may replace another. Otherwise a path that exists is a 400, and the upload a 412 if it exists by then.',
    ).default(false),
    seconds: integer('How long an upload can begin. Default and maximum: set by the operator. More is a 400.')
      .min(1)
      .exactOptional(),
  })
  .meta({ id: 'UploadLinkRequest', description: 'What an upload link allows.' });

export const uploadLinkSchema = z
  .object({
    url: text(
      'The URL to upload the file to with PUT, without a token. It is a path unless the operator has set the public URL of ' +
        'the service.',
      '/api/upload-links/Tn1nX2a0cVhQ5wqK.500000000.new/shop~1769860800~…/in/talk.mov',
    ),
    path: z.string().meta({ examples: ['in/talk.mov'] }),
    maxBytes: z.int(),
    replace: z.boolean(),
    expiresAt: z.iso.datetime().meta({ examples: ['2026-01-31T12:15:00.000Z'] }),
  })
  .meta({ id: 'UploadLink', description: 'A link by which anyone who has it can upload one file, once.' });

/** Signs an upload link. `base`: the URL of the service. With '', the URL of the link is only a path. */
export async function signUploadLink(
  sign: (subject: string) => Promise<SignedLink>,
  base: string,
  upload: UploadLink,
): Promise<UploadLinkView> {
  const { path, maxBytes, replace } = upload;
  const terms = writeTerms(upload);
  const link = await sign(uploadSubject(terms, path));
  return {
    url: `${base}${pathOf('uploadByLink', { terms, link: writeLink(link), path })}`,
    path,
    maxBytes,
    replace,
    expiresAt: expiryOf(link).toISOString(),
  };
}

/**
 * Returns the lifetime of a link, in seconds. Throws INVALID_REQUEST if `seconds` is above the limit `longest` of the
 * operator.
 */
export function linkLifetime(seconds: number | undefined, longest: number): number {
  if (seconds === undefined || seconds <= longest) return seconds ?? longest;
  throw invalidRequest([
    {
      field: '/seconds',
      code: 'OUT_OF_RANGE',
      message: `"seconds" must be from 1 to ${longest}; it is ${seconds}.`,
      nearest: { bound: longest, others: 'less' },
    },
  ]);
}

/** What the audit log records about a new upload link. The id cannot be used without the signature. */
export const auditedUploadLink = (
  { linkId, path, maxBytes, replace }: UploadLink,
  { expiresAt }: Pick<UploadLinkView, 'expiresAt'>,
) => ({ target: path, details: { linkId, maxBytes, replace, expiresAt } });

export type UploadLinkRequest = z.infer<typeof uploadLinkBody>;
export type UploadLinkView = Shape<typeof uploadLinkSchema>;

/** The text of links to the outputs of a job that the signature covers. */
export const outputsSubject = (jobId: string): string => JSON.stringify(['outputs', jobId]);

/**
 * The signed URL of an output. The link is in front of the path, so that relative names in a manifest keep the link. `base` '': the result
 * is only a path.
 */
export const linkedOutputUrl = (base: string, jobId: string, path: string, link: SignedLink): string =>
  `${base}${pathOf('downloadLinkedOutput', { jobId, link: writeLink(link), path: outputLinkPath(path) })}`;
