import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { H264, type RunWarningRows } from './row.ts';

const KEY_FRAMES = { vf: 'select=eq(pict_type\\,I)' };

const EVERY_TENTH = "select='not(mod(n,10))'";
const PARTS = 'between(t,0,1)+between(t,3,4)';

/** Warnings about numbered pictures, and films, of a few frames. */
export const SPARSE_WARNINGS = {
  FRAMES_REPEATED: [
    {
      title: 'pictures of the key frames',
      request: { input: 'keys.mp4', output: 'keys-%03d.png', parameters: KEY_FRAMES },
      meant: { parameters: { ...KEY_FRAMES, fps_mode: 'vfr' } },
    },
    {
      title: 'pictures of the key frames by a complex graph',
      request: {
        input: 'keys.mp4',
        output: 'complex-%03d.png',
        parameters: { filter_complex: '[0:v]select=eq(pict_type\\,I)[v]', map: '[v]' },
      },
      meant: {
        parameters: { filter_complex: '[0:v]select=eq(pict_type\\,I)[v]', map: '[v]', fps_mode: 'vfr' },
      },
    },
    {
      title: 'pictures that stand for a part of a film',
      request: { input: 'keys.mp4', output: 'thumbs-%03d.jpg', parameters: { vf: 'thumbnail=25' } },
      meant: { parameters: { vf: 'thumbnail=25', fps_mode: 'vfr' } },
    },
    {
      title: 'pictures of what the decoder does not skip',
      request: {
        inputs: [{ input: 'keys.mp4', parameters: { skip_frame: 'nokey' } }],
        output: 'skipped-%03d.png',
        parameters: { vf: 'hflip' },
      },
      meant: { parameters: { vf: 'hflip', fps_mode: 'vfr' } },
    },
    {
      title: 'a time lapse that stays as long as its film',
      request: { input: 'silent.mp4', output: 'lapse.mp4', parameters: { ...H264, vf: EVERY_TENTH } },
      meant: { parameters: { ...H264, vf: 'select=expr=not(mod(n\\,10)),setpts=N/FRAME_RATE/TB' } },
    },
    {
      title: 'a time lapse beside the sound of its film',
      request: { input: 'film.mp4', output: 'heard-lapse.mp4', parameters: { ...H264, vf: `hflip,${EVERY_TENTH}` } },
      meant: { parameters: { ...H264, vf: 'hflip,select=expr=not(mod(n\\,10)),setpts=N/FRAME_RATE/TB', an: '' } },
    },
    {
      title: 'a time lapse by a complex graph',
      request: {
        input: 'silent.mp4',
        output: 'complex-lapse.mp4',
        parameters: { ...H264, filter_complex: `[0:v]${EVERY_TENTH}[v]`, map: '[v]' },
      },
      meant: {
        parameters: {
          ...H264,
          filter_complex: '[0:v]select=expr=not(mod(n\\,10)),setpts=N/FRAME_RATE/TB[v]',
          map: '[v]',
        },
      },
    },
    {
      title: 'parts of a film with a gap between them',
      request: { input: 'film.mp4', output: 'parts.mp4', parameters: { ...H264, vf: `select='${PARTS}'` } },
      meant: {
        parameters: {
          ...H264,
          vf: `select='${PARTS}',setpts=N/FRAME_RATE/TB`,
          af: `aselect='${PARTS}',asetpts=N/SR/TB`,
        },
      },
    },
  ],
} satisfies RunWarningRows;

/** Numbered pictures and films without repetitions, or with those that are meant. */
export const QUIET_SPARSE: readonly ConversionRequest[] = [
  { input: 'silent.mp4', output: 'sparse.mkv', parameters: { ...H264, vf: EVERY_TENTH } },
  { input: 'silent.mp4', output: 'asked.mp4', parameters: { ...H264, vf: EVERY_TENTH, r: '25' } },
  { input: 'silent.mp4', output: 'evened.mp4', parameters: { ...H264, vf: `${EVERY_TENTH},fps=5` } },
  { input: 'silent.mp4', output: 'timed-lapse.mp4', parameters: { ...H264, vf: `${EVERY_TENTH},setpts=0.1*PTS` } },
  { input: 'film.mp4', output: 'begun.mp4', parameters: { ...H264, vf: "select='lt(t,2)'", t: '2' } },
  { input: 'silent.mp4', output: 'odd-one.mp4', parameters: { ...H264, vf: "select='mod(n,50)'" } },
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
