import { H264, type MediaCause } from './media-cause.ts';

/** Files whose data end before their header says. */
export const CUT_OFF_CAUSES: readonly MediaCause[] = [
  {
    title: 'a part that a cut-off film no longer has',
    request: { input: 'cut.mp4', output: 'end.mp4', parameters: { ...H264, ss: '3' } },
    message: /"cut\.mp4" is cut off: its data ends at [12]\.\d+ s, although its header says 4 s\.$/,
    fix: /^Send the complete file\./,
    followed: { input: 'talk.mp4' },
  },
  {
    title: 'a seek behind the end of a cut-off film',
    request: { inputs: [{ input: 'cut.mp4', parameters: { ss: '3' } }], output: 'end.mp4', parameters: H264 },
    message: /"cut\.mp4" is cut off: its data ends at [12]\.\d+ s, although its header says 4 s\.$/,
    fix: /^Send the complete file\./,
    followed: { inputs: ['talk.mp4'] },
    seconds: 4,
  },
];
