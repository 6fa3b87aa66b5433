import { randomBytes } from 'node:crypto';
import type { Caller } from '../domain/client.ts';
import { invalidRequest } from '../domain/problem.ts';
import type { UploadLink } from '../domain/upload-link.ts';
import { parseFilePath } from './file-path.ts';

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
