import type { ConversionRequest } from '../../../src/domain/conversion.ts';
import type { RunWarningRows } from './row.ts';

const ASK = 'Send "fps_mode": "vfr" as well.';
const KEY_FRAMES = { vf: 'select=eq(pict_type\\,I)' };

/** Warnings about numbered pictures of a few frames. */
export const SPARSE_WARNINGS = {
  FRAMES_REPEATED: [
    {
      title: 'pictures of the key frames',
      request: { input: 'keys.mp4', output: 'keys-%03d.png', parameters: KEY_FRAMES },
      field: '/parameters/vf',
      message: /^9[0-9] of 9[0-9] pictures repeat the one before: the filter select lets few frames pass/,
      fix: ASK,
      meant: { parameters: { ...KEY_FRAMES, fps_mode: 'vfr' } },
    },
    {
      title: 'pictures of the key frames by a complex graph',
      request: {
        input: 'keys.mp4',
        output: 'complex-%03d.png',
        parameters: { filter_complex: '[0:v]select=eq(pict_type\\,I)[v]', map: '[v]' },
      },
      field: '/parameters/filter_complex',
      message: /the filter select lets few frames pass/,
      fix: ASK,
      meant: {
        parameters: { filter_complex: '[0:v]select=eq(pict_type\\,I)[v]', map: '[v]', fps_mode: 'vfr' },
      },
    },
    {
      title: 'pictures that stand for a part of a film',
      request: { input: 'keys.mp4', output: 'thumbs-%03d.jpg', parameters: { vf: 'thumbnail=25' } },
      field: '/parameters/vf',
      message: /the filter thumbnail lets few frames pass/,
      fix: ASK,
      meant: { parameters: { vf: 'thumbnail=25', fps_mode: 'vfr' } },
    },
    {
      title: 'pictures of what the decoder does not skip',
      request: {
        inputs: [{ input: 'keys.mp4', parameters: { skip_frame: 'nokey' } }],
        output: 'skipped-%03d.png',
        parameters: { vf: 'hflip' },
      },
      message: /: the decoder skips frames, and ffmpeg fills the gaps/,
      fix: ASK,
      meant: { parameters: { vf: 'hflip', fps_mode: 'vfr' } },
    },
  ],
} satisfies RunWarningRows;

/** Numbered pictures without repetitions. */
export const QUIET_SPARSE: readonly ConversionRequest[] = [
  { input: 'keys.mp4', output: 'second-%03d.png', parameters: { vf: 'fps=1' } },
  { input: 'keys.mp4', output: 'step-%03d.png', parameters: { vf: 'framestep=10' } },
  { input: 'keys.mp4', output: 'sheet-%03d.png', parameters: { vf: 'tile=5x5' } },
  {
    input: 'keys.mp4',
    output: 'times-%03d.png',
    parameters: { vf: 'select=eq(pict_type\\,I),setpts=N/FRAME_RATE/TB' },
  },
  { input: 'keys.mp4', output: 'passed-%03d.png', parameters: { ...KEY_FRAMES, vsync: 'vfr' } },
];
