import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

/** A part of a film with a key frame each second, which starts between two of them. */
const FROM_BETWEEN = [{ input: 'gops.mp4', parameters: { ss: '1.8' } }];
const ENCODED = { ...H264, 'c:a': 'aac', t: '1' } as const;

/** Warnings about copies that start elsewhere than the request asks. */
export const COPY_WARNINGS = {
  LONG_OUTPUT: [
    {
      title: 'a copy from between two key frames, in a container that shows all of it',
      request: { inputs: FROM_BETWEEN, output: 'early.mkv', parameters: { c: 'copy', t: '1' } },
      field: '/parameters/c',
      message:
        /^The output has 1\.[89]\d* s, not 1 s: a copy starts at the key frame before "ss", and this one 0\.[89]\d* s early, at \d[.\d]* s of the input\.$/,
      fix: 'Send "c:v": "libx264" and "c:a": "aac", and leave "c" out: then the output starts exactly at "ss".',
      meant: { parameters: ENCODED },
    },
    {
      title: 'a copy of the sound beside an encoded picture',
      request: { inputs: FROM_BETWEEN, output: 'early-sound.ts', parameters: { ...H264, 'c:a': 'copy', t: '1' } },
      field: '/parameters/c:a',
      message: /a copy starts at the key frame before "ss"/,
      fix: 'Send "c:a": "aac": then the output starts exactly at "ss".',
      meant: { parameters: ENCODED },
    },
  ],
  UNEQUAL_LENGTHS: [
    {
      title: 'a copy whose picture starts at the next key frame',
      request: { input: 'gops.mp4', output: 'late-picture.mp4', parameters: { c: 'copy', ss: '1.2', t: '2' } },
      field: '/parameters/c',
      message: /^The video starts 0\.[78]\d* s after the audio: a copy starts at a key frame/,
      fix: 'Send "c:v": "libx264" as well.',
      meant: { parameters: { c: 'copy', ss: '1.2', t: '2', 'c:v': 'libx264' } },
    },
  ],
} satisfies RunWarningRows;

/** Copies that start where they should. */
export const QUIET_COPIES: readonly ConversionRequest[] = [
  { inputs: FROM_BETWEEN, output: 'hidden.mp4', parameters: { c: 'copy', t: '1' } },
  {
    inputs: [{ input: 'gops.mp4', parameters: { ss: '2' } }],
    output: 'from-key.mkv',
    parameters: { c: 'copy', t: '1' },
  },
  { input: 'gops.mp4', output: 'at-key.mp4', parameters: { c: 'copy', ss: '2', t: '1' } },
  { inputs: [{ input: 'mono.mp3', parameters: { ss: '1.7' } }], output: 'part.mka', parameters: { c: 'copy' } },
];
