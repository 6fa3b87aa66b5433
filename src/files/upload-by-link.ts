import type { Caller } from '../domain/client.ts';
import { Problem, type ProblemCode } from '../domain/problem.ts';
import type { UploadLink } from '../domain/signed-link.ts';
import type { FileOperations } from './operations.ts';
import type { UsedLinks } from './ports/used-links.ts';

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
  let hasMark = false;
  async function* untilUsed(): AsyncGenerator<Uint8Array> {
    let received = 0;
    for await (const chunk of bytes) {
      received += chunk.length;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
    hasMark = await used.use(linkId, expiresAt);
    if (!hasMark) throw linkUsed();
  }
  try {
    return await upload(caller, path, {
      precondition: replace ? precondition : { ...precondition, ifNoneMatch: '*' },
      bytes: untilUsed(),
      ...(sizeBytes !== undefined && { sizeBytes }),
    });
  } catch (error) {
    // If that fails too, the first error is the one to tell, and the link stays used.
    if (hasMark && error instanceof Problem && NOTHING_STORED.has(error.code))
      await used.release(linkId).catch(() => undefined);
    throw error;
  }
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit of this link.`);

const linkUsed = (): Problem =>
  new Problem(
    'LINK_USED',
    'This link was used: a file was uploaded by it, or is being stored. Each link works once. Ask for a new one.',
  );
