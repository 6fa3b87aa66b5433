import { Problem } from '../../domain/problem.ts';

type Code = 'UNSUPPORTED' | 'INPUT_INVALID';

const problem = (code: Code, message: string, fix: string): Problem =>
  new Problem(code, message, { errors: [{ field: '/path', code, message, fix }] });

const SOURCE = 'Look at the file from which it was made.';

/** Why nothing can be shown of a manifest. `path`: that of the manifest. */
export const unusable = {
  unreadable: (path: string) =>
    problem('INPUT_INVALID', `"${path}" is not a manifest of HLS or DASH that can be read.`, SOURCE),
  empty: (path: string) => problem('INPUT_INVALID', `"${path}" names no segment.`, SOURCE),
  encrypted: (path: string) =>
    problem('UNSUPPORTED', `The segments of "${path}" are encrypted, so nothing of them can be shown.`, SOURCE),
  remote: (path: string, host: string) =>
    problem(
      'UNSUPPORTED',
      `"${path}" names files at "${host}", and only files of the media root are read.`,
      'Send a playlist whose addresses are relative, or look at the file from which it was made.',
    ),
  missing: (path: string, file: string) =>
    problem(
      'INPUT_INVALID',
      `"${path}" names "${file}", which is missing or is not of the same job.`,
      'Upload all files of the stream, or look at the file from which it was made.',
    ),
  otherKind: (path: string, has: 'picture' | 'sound') =>
    problem(
      'UNSUPPORTED',
      has === 'sound' ? `"${path}" has no video stream.` : `"${path}" has no audio stream.`,
      has === 'sound' ? 'Ask for the view "waveform" or "spectrogram".' : 'Ask for the view "frame" or "sheet".',
    ),
  tooMany: (path: string, most: number) =>
    problem('UNSUPPORTED', `"${path}" names more than the ${most} segments of which a preview is made.`, SOURCE),
  tooLong: (path: string, most: string) =>
    problem('UNSUPPORTED', `"${path}" is a manifest of more than the ${most} that are read of one.`, SOURCE),
  tooManyMarks: (path: string) =>
    problem('UNSUPPORTED', `"${path}" has more tags or attributes than are read of a manifest.`, SOURCE),
  tooLarge: (path: string, size: string, most: string) =>
    problem('UNSUPPORTED', `The segments of "${path}" have ${size}. A preview reads at most ${most} of them.`, SOURCE),
} as const;
