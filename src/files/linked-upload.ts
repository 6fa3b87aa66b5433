import { randomBytes } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import { invalidRequest, Problem, type ProblemCode } from '../domain/problem.ts';
import type { UploadLink } from '../domain/upload-link.ts';
import { parseFilePath } from './file-path.ts';
import type { FileOperations } from './operations.ts';
import type { UsedLinks } from './ports/used-links.ts';

/** The terms of a new link; see `FileOperations.newUploadLink`. */
export function newUploadLink(
  serviceMaxBytes: number,
  caller: Caller,
  text: string,
  { maxBytes = serviceMaxBytes, replace = false }: { readonly maxBytes?: number; readonly replace?: boolean },
): UploadLink {
  if (maxBytes > serviceMaxBytes)
    throw invalidRequest([
      {
        field: '/maxBytes',
        code: 'OUT_OF_RANGE',
        message: `"maxBytes" must be from 1 to ${serviceMaxBytes}, the limit set by the operator; it is ${maxBytes}.`,
        fix: `Send at most ${serviceMaxBytes}, or leave it out.`,
      },
    ]);
  return { linkId: randomBytes(12).toString('base64url'), path: parseFilePath(text, caller.root), maxBytes, replace };
}

/** The errors of an upload whose last byte has arrived that leave no doubt: after a fault of the storage, the file may be there. */
const NOTHING_STORED: ReadonlySet<ProblemCode> = new Set([
  'PRECONDITION_FAILED',
  'NOT_A_FILE',
  'QUOTA_EXCEEDED',
  'NO_SPACE',
]);

/** Stores the file of an upload link; see `FileOperations.uploadByLink`. */
export async function uploadByLink(
  { upload, used }: { readonly upload: FileOperations['upload']; readonly used: UsedLinks },
  caller: Caller,
  { linkId, path, maxBytes, replace }: UploadLink,
  { sizeBytes, precondition, bytes, expiresAt }: Parameters<FileOperations['uploadByLink']>[2],
): ReturnType<FileOperations['upload']> {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge(maxBytes);
  // Before the bytes are read. Of uploads at the same time, `untilUsed` lets one through.
  if (await used.isUsed(linkId)) throw linkUsed();
  let isOurs = false;
  async function* untilUsed(): AsyncGenerator<Uint8Array> {
    let received = 0;
    for await (const chunk of bytes) {
      received += chunk.length;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
    isOurs = await used.use(linkId, expiresAt);
    if (!isOurs) throw linkUsed();
  }
  try {
    return await upload(caller, path, {
      precondition: replace ? precondition : { ...precondition, ifNoneMatch: '*' },
      bytes: untilUsed(),
      ...(sizeBytes !== undefined && { sizeBytes }),
    });
  } catch (error) {
    // If that fails too, the first error is the one to tell, and the link stays used.
    if (isOurs && error instanceof Problem && NOTHING_STORED.has(error.code))
      await used.release(linkId).catch(() => undefined);
    throw error;
  }
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit of this link.`);

const linkUsed = (): Problem =>
  new Problem('LINK_USED', 'A file was uploaded by this link already, and each link works once. Ask for a new one.');
