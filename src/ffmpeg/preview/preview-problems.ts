import type { Failure } from '../../domain/failure.ts';
import type { PreviewSpec } from '../../domain/preview.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';

/** The field of one of the files of a preview. Of two, the first is the one that `compare` names. */
export const previewField = (index: number, count: number): PreviewField =>
  index === 0 && count > 1 ? '/compare' : '/path';

/** The field that names a file. */
export type PreviewField = '/path' | '/compare';

/** The problem of a preview whose file or whose run is the cause. */
export function previewProblem(
  { code, message, fix }: Failure,
  { field, cause }: { readonly field: PreviewField; readonly cause?: unknown },
): Problem {
  switch (code) {
    case 'INPUT_NOT_FOUND':
    case 'INPUT_INVALID':
    case 'INPUT_UNAVAILABLE':
    case 'UNSUPPORTED':
    case 'TIMEOUT':
      return unusable(field, code, message, fix);
    case 'LIMIT_EXCEEDED':
    case 'FFMPEG_FAILED':
      return unusable(field, 'INPUT_INVALID', message, code === 'LIMIT_EXCEEDED' ? LIMIT_FIX : undefined);
    default:
      return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 5, cause });
  }
}

const LIMIT_FIX = 'Ask for a preview of a smaller file, or ask the operator for a higher limit.';

const unusable = (
  field: PreviewField,
  code: 'INPUT_NOT_FOUND' | 'INPUT_INVALID' | 'INPUT_UNAVAILABLE' | 'UNSUPPORTED' | 'TIMEOUT',
  message: string,
  fix: Failure['fix'],
) => new Problem(code, message, { errors: [{ field, code, message, ...(fix !== undefined && { fix }) }] });

export const noVideo = (path: string, field: PreviewField, hasSound: boolean): Problem =>
  unusable(
    field,
    'UNSUPPORTED',
    `"${path}" has no video stream.`,
    hasSound ? 'Ask for the view "waveform" or "spectrogram".' : 'Ask for a file with pictures or sound.',
  );

export const noSound = (path: string): Problem =>
  unusable('/path', 'UNSUPPORTED', `"${path}" has no audio stream.`, 'Ask for the view "frame" or "sheet".');

export const onePicture = (path: string, field: PreviewField): Problem =>
  unusable(field, 'UNSUPPORTED', `"${path}" has one picture only.`, 'Ask for the view "frame", without "at".');

export const noWebp = (): Problem =>
  unusable('/path', 'UNSUPPORTED', 'The installed ffmpeg has no WebP encoder.', 'Ask for the format "jpeg" or "png".');

export const noFrame = (path: string, { at }: PreviewSpec): Problem =>
  unusable(
    '/path',
    'INPUT_INVALID',
    at === undefined ? `No frame of "${path}" could be decoded.` : `No frame of "${path}" at ${at} s could be decoded.`,
    'Check that the file plays and is complete.',
  );

export const afterEnd = (path: string, at: number, seconds: number): Problem =>
  invalidRequest([
    {
      field: '/at',
      code: 'AFTER_END',
      message: `"at" (${at} s) is after the end of "${path}", which lasts ${seconds} s.`,
      allowed: [`0 to ${seconds}`],
      fix: `Send a time up to ${seconds}.`,
    },
  ]);
