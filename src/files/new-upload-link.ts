import { randomBytes } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import { sendValue } from '../domain/edit.ts';
import type { MediaPath } from '../domain/media-path.ts';
import { invalidRequest, Problem } from '../domain/problem.ts';
import type { UploadLink } from '../domain/signed-link.ts';
import { parseFilePath } from './file-path.ts';
import type { FileStore } from './ports.ts';

interface NewLinkDeps {
  readonly store: Pick<FileStore, 'open'>;
  /** The limit for one upload. */
  readonly maxBytes: number;
}

/** The terms of a new link; see `FileOperations.newUploadLink`. */
export async function newUploadLink(
  { store, maxBytes: serviceMaxBytes }: NewLinkDeps,
  caller: Caller,
  text: string,
  { maxBytes = serviceMaxBytes, replace = false }: { readonly maxBytes?: number; readonly replace?: boolean },
): Promise<UploadLink> {
  if (maxBytes > serviceMaxBytes)
    throw invalidRequest([
      {
        field: '/maxBytes',
        code: 'OUT_OF_RANGE',
        message: `"maxBytes" must be from 1 to ${serviceMaxBytes}, the limit set by the operator; it is ${maxBytes}.`,
        fix: { ...sendValue(serviceMaxBytes), or: 'less, or leave it out', isNearest: true },
      },
    ]);
  const path = parseFilePath(text, caller.root);
  if (!replace && (await exists(store, caller, path)))
    throw invalidRequest([
      {
        field: '/path',
        code: 'FILE_EXISTS',
        message: `"${path}" exists, and a link without "replace" cannot replace it.`,
        fix: 'Send another path. To replace the file, send "replace": true.',
      },
    ]);
  return { linkId: randomBytes(12).toString('base64url'), path, maxBytes, replace };
}

/** Whether a file is at the path. The upload checks it again, so a fault of the storage does not fail the link. */
async function exists(store: NewLinkDeps['store'], { root }: Caller, path: MediaPath): Promise<boolean> {
  try {
    await (await store.open(root, path)).close();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
