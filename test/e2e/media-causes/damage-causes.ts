import { H264, type MediaCause } from './media-cause.ts';

/** Films whose sound is damaged. */
export const DAMAGE_CAUSES: readonly MediaCause[] = [
  {
    title: 'a film whose sound is noise',
    request: { input: 'noise.mkv', output: 'noise.mp4', parameters: H264 },
    message: 'The audio of "noise.mkv" (0:1, aac) cannot be decoded: it is damaged.',
    fix: 'Send "an": "" to leave the audio out, or the file again, undamaged.',
    followed: { parameters: { ...H264, an: '' } },
    seconds: 4,
  },
  {
    title: 'the sound alone of a film whose sound is noise',
    request: { input: 'noise.mkv', output: 'noise.m4a', parameters: { vn: '' } },
    message: 'The audio of "noise.mkv" (0:1, aac) cannot be decoded: it is damaged.',
    fix: 'Send the file again, complete and undamaged.',
    followed: { input: 'talk.mp4' },
    seconds: 4,
  },
];
