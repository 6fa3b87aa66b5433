import type { ConversionRequest } from '../../../src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const MESSAGE =
  /^The output has 1\d(\.\d+)? s, but "empty\.ogv" has 4 s: the times of its sound \(0:1, vorbis\) are damaged\.$/;
const FIX = 'Send "an": "" to leave the sound out, or the file again, undamaged.';

/** Warnings about outputs that are far longer than their input. */
export const LENGTH_WARNINGS = {
  LONG_OUTPUT: [
    {
      title: 'a copy of a film with empty packets of sound',
      request: { input: 'empty.ogv', output: 'long.mkv', parameters: { c: 'copy' } },
      field: '/input',
      message: MESSAGE,
      fix: FIX,
      meant: { parameters: { c: 'copy', an: '' } },
    },
    {
      title: 'an encoded picture beside empty packets of sound',
      request: { input: 'empty.ogv', output: 'long-encoded.mkv', parameters: { ...H264, 'c:a': 'copy' } },
      field: '/input',
      message: MESSAGE,
      fix: FIX,
      meant: { parameters: { ...H264, an: '' } },
    },
  ],
} satisfies RunWarningRows;

/** Outputs that are as long as they should be. */
export const QUIET_LENGTHS: readonly ConversionRequest[] = [
  { input: 'whole.ogv', output: 'whole.mkv', parameters: { c: 'copy' } },
  { input: 'film.mp4', output: 'twice.mp4', parameters: { ...H264, stream_loop: '2' } },
  { input: 'uneven.mkv', output: 'pauses.mkv', parameters: { c: 'copy' } },
];
