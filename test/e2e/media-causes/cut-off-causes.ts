import { H264, type MediaCause } from './media-cause.ts';

/** Files whose data end before their header says. */
export const CUT_OFF_CAUSES: readonly MediaCause[] = [
  {
    title: 'a part that a cut-off film no longer has',
    request: { input: 'cut.mp4', output: 'end.mp4', parameters: { ...H264, ss: '3' } },
    warning: 'DECODE_ERRORS',
    message: /^ffmpeg reported \d+ errors while it read "cut\.mp4": it may be damaged/,
    fix: 'Measure "errors" of the file: that says what is damaged. Send an undamaged one. If there is none, ignore this warning.',
    followed: { input: 'talk.mp4' },
  },
  {
    title: 'a seek behind the end of a cut-off film',
    request: { inputs: [{ input: 'cut.mp4', parameters: { ss: '3' } }], output: 'end.mp4', parameters: H264 },
    warning: 'DECODE_ERRORS',
    message: /^ffmpeg reported \d+ errors while it read "cut\.mp4": it may be damaged/,
    fix: 'Measure "errors" of the file: that says what is damaged. Send an undamaged one. If there is none, ignore this warning.',
    followed: { inputs: ['talk.mp4'] },
    seconds: 4,
  },
];
