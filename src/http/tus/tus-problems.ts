import { ERRORS } from '@tus/server';
import { Problem, type ProblemCode } from '../../domain/problem.ts';

/** The problems of errors that the library throws, by their text. */
const PROBLEMS: Readonly<Record<string, readonly [code: ProblemCode, detail: string]>> = {
  [ERRORS.FILE_NOT_FOUND.body]: ['UPLOAD_NOT_FOUND', 'There is no such upload. Create one with POST /api/uploads.'],
  [ERRORS.INVALID_OFFSET.body]: [
    'UPLOAD_CONFLICT',
    'Upload-Offset is not the offset of the upload. Ask for that with HEAD and continue there.',
  ],
  [ERRORS.MISSING_OFFSET.body]: [
    'BAD_REQUEST',
    'Upload-Offset is missing. Send the offset of the upload, which HEAD returns.',
  ],
  [ERRORS.ERR_SIZE_EXCEEDED.body]: [
    'BODY_TOO_LARGE',
    'The body goes past Upload-Length, the size of the file. Send at most the rest of the file.',
  ],
  [ERRORS.ERR_MAX_SIZE_EXCEEDED.body]: [
    'BODY_TOO_LARGE',
    'The body goes past Upload-Length, the size of the file. Send at most the rest of the file.',
  ],
  [ERRORS.INVALID_LENGTH.body]: [
    'BAD_REQUEST',
    'Upload-Length is missing, or sent twice. Send the size of the file in bytes when you create the upload.',
  ],
  [ERRORS.INVALID_METADATA.body]: ['BAD_REQUEST', 'Upload-Metadata must be pairs such as "path bW92aWVzL2luLm1vdg==".'],
  [ERRORS.UNSUPPORTED_CONCATENATION_EXTENSION.body]: [
    'NOT_IMPLEMENTED',
    'Concatenation (Upload-Concat) is not supported. Send the file in one upload, without parallel parts.',
  ],
  [ERRORS.UNSUPPORTED_CREATION_DEFER_LENGTH_EXTENSION.body]: [
    'NOT_IMPLEMENTED',
    'Uploads of unknown size (Upload-Defer-Length) are not supported. Send Upload-Length.',
  ],
  [ERRORS.ABORTED.body]: ['UPLOAD_LOCKED', 'Another request continues this upload.'],
};

/** Converts what the library or the operations have thrown to a problem. Other errors are unchanged. */
export function tusProblem(error: unknown): unknown {
  if (error instanceof Problem || typeof error !== 'object' || error === null || !('body' in error)) return error;
  const [code, detail] = PROBLEMS[String(error.body)] ?? [];
  return code === undefined ? error : new Problem(code, detail ?? '');
}

/** The problem of a reply with which the library rejects a header field. `text`: its body. */
export const rejectedHeader = (text: string): Problem =>
  new Problem('BAD_REQUEST', `${text.trim() || 'The request is not one of tus'}. See tus 1.0 for its form.`);
