import { H264, type MediaCause } from './media-cause.ts';

/** Films whose sound is damaged. */
export const DAMAGE_CAUSES: readonly MediaCause[] = [
  {
    title: 'a film whose sound is noise',
    request: { input: 'noise.mkv', output: 'noise.mp4', parameters: H264 },
    message:
      'Most of a stream of the inputs cannot be decoded: it is damaged, or in a form that this ffmpeg cannot decode.',
    fix: 'Send the file again, complete and undamaged, or leave the stream out: "an": "" for audio, "vn": "" for video.',
    followed: { parameters: { ...H264, an: '' } },
    seconds: 4,
  },
  {
    title: 'the sound alone of a film whose sound is noise',
    request: { input: 'noise.mkv', output: 'noise.m4a', parameters: { vn: '' } },
    message:
      'Most of a stream of the inputs cannot be decoded: it is damaged, or in a form that this ffmpeg cannot decode.',
    fix: 'Send the file again, complete and undamaged, or leave the stream out: "an": "" for audio, "vn": "" for video.',
    followed: { input: 'talk.mp4' },
    seconds: 4,
  },
];
