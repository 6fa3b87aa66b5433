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
      meant: { parameters: ENCODED },
    },
    {
      title: 'a copy of the sound beside an encoded picture',
      request: { inputs: FROM_BETWEEN, output: 'early-sound.ts', parameters: { ...H264, 'c:a': 'copy', t: '1' } },
      meant: { parameters: ENCODED },
    },
  ],
  UNEQUAL_LENGTHS: [
    {
      title: 'a copy whose picture starts at the next key frame',
      request: { input: 'gops.mp4', output: 'late-picture.mp4', parameters: { c: 'copy', ss: '1.2', t: '2' } },
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
