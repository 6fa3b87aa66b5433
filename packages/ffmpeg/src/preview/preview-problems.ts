import type { Failure } from '@telecine/contract/domain/failure.ts';
import { hint } from '@telecine/contract/domain/hint.ts';
import type { PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';

/** The field of a request that names a file of a preview. If there are two, the first file is in `compare` and the second in `path`. */
export const previewField = (index: number, count: number): PreviewField =>
  index === 0 && count > 1 ? '/compare' : '/path';

export type PreviewField = '/path' | '/compare';

/** The problem for a preview whose probe or run of ffmpeg failed. */
export function previewProblem(
  { code, message, fix }: Failure,
  { field, path, cause }: { readonly field: PreviewField; readonly path: string; readonly cause?: unknown },
): Problem {
  switch (code) {
    case 'INPUT_NOT_FOUND':
    case 'INPUT_INVALID':
    case 'INPUT_UNAVAILABLE':
    case 'UNSUPPORTED':
    case 'TIMEOUT':
      return unusable(field, code, message, fix);
    case 'LIMIT_EXCEEDED':
      return unusable(field, 'INPUT_INVALID', message, LIMIT_FIX);
    case 'NO_SPACE':
      return new Problem(code, message, {
        ...(fix !== undefined && { errors: [{ field, code, message, fix }] }),
        ...(cause !== undefined && { cause }),
      });
    case 'FFMPEG_FAILED':
      // Do not show ffmpeg's message: it is about filters and files of the service, which the client cannot change.
      return notDrawn(path, field);
    default:
      return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 5, cause });
  }
}

/** The problem for a preview for which ffmpeg failed: at the seek, in a decoder, or in a filter. */
export const notDrawn = (path: string, field: PreviewField, what = 'No image could be made'): Problem =>
  unusable(
    field,
    'INPUT_INVALID',
    `${what} of "${path}": ffmpeg cannot decode it.`,
    hint`To see whether it is damaged, ${{ do: 'measure-errors', input: path }}.`,
  );

/** The problem for a file that has no data after its header. */
export const emptyFile = (path: string, field: PreviewField): Problem =>
  unusable(
    field,
    'INPUT_INVALID',
    `"${path}" ends after its header: it has no video and no audio.`,
    'Send the complete file: this one is only a part. If it is still being copied or recorded, send the request again when that has ended.',
  );

const LIMIT_FIX = 'Send a smaller file, or ask the operator for a higher limit.';

const unusable = (
  field: PreviewField,
  code: 'INPUT_NOT_FOUND' | 'INPUT_INVALID' | 'INPUT_UNAVAILABLE' | 'UNSUPPORTED' | 'TIMEOUT',
  message: string,
  fix?: Failure['fix'],
) => new Problem(code, message, { errors: [{ field, code, message, ...(fix !== undefined && { fix }) }] });

export const noVideo = (path: string, field: PreviewField, hasAudio: boolean): Problem =>
  unusable(
    field,
    'UNSUPPORTED',
    `"${path}" has no video stream${hasAudio ? '. The views "waveform" and "spectrogram" show its audio.' : ' and no audio stream.'}`,
  );

export const noAudio = (path: string): Problem =>
  unusable('/path', 'UNSUPPORTED', `"${path}" has no audio stream. The views "frame" and "sheet" show its video.`);

export const oneFrame = (path: string, field: PreviewField): Problem =>
  unusable(field, 'UNSUPPORTED', `"${path}" has only one frame, which the view "frame" shows without "at".`);

export const noWebp = (): Problem =>
  unusable('/path', 'UNSUPPORTED', 'The installed ffmpeg has no WebP encoder. It writes "jpeg" and "png".');

export const noFrame = (path: string, field: PreviewField, { at }: PreviewSpec): Problem =>
  notDrawn(path, field, at === undefined ? 'No frame could be shown' : `No frame at ${at} s could be shown`);

export const afterEnd = (path: string, at: number, seconds: number): Problem =>
  invalidRequest([
    {
      field: '/at',
      code: 'AFTER_END',
      message: `"at" (${at} s) is after the end of "${path}", which lasts ${seconds} s.`,
      allowed: [`0 to ${seconds}`],
    },
  ]);
