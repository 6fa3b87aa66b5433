import type { ConversionRequest } from '../../../packages/contract/src/domain/conversion.ts';
import { graph, H264, PLAYABLE } from './media-cause.ts';

/** Requests that look like one of the above and do what they ask for. */
export const RIGHT_REQUESTS: readonly ConversionRequest[] = [
  { input: 'talk.mp4', output: 'fades.mp4', parameters: { ...H264, vf: 'fade=t=in:d=1,fade=t=out:st=3:d=1' } },
  {
    inputs: ['talk.mp4', 'silent.mp4'],
    output: 'right-xfade.mp4',
    parameters: { ...graph('[0:v][1:v]xfade=duration=1:offset=2[v]', '[v]'), ...PLAYABLE, an: '' },
  },
  {
    inputs: [{ input: 'silent.mp4', parameters: { stream_loop: '3' } }],
    output: 'looped.mp4',
    parameters: { ...H264, t: '10', vf: 'fade=t=out:st=9:d=1' },
  },
  {
    input: 'talk.mp4',
    output: 'slow.mp4',
    parameters: { ...H264, an: '', vf: 'setpts=2*PTS,fps=25,fade=t=out:st=7:d=1' },
  },
  { input: 'side.mkv', output: 'centre-of-six.wav', parameters: { af: 'pan=mono|c0=FC' } },
  { input: 'silent.mp4', output: 'copied.mp4', parameters: { 'c:v': 'copy', 'c:a': 'copy' } },
  {
    inputs: [{ input: 'photos/p%02d.png', parameters: { framerate: '5' } }],
    output: 'whole.mp4',
    parameters: { ...H264, pix_fmt: 'yuv420p' },
  },
  {
    inputs: ['silent.mp4', 'photo.jpg'],
    output: 'slide.mp4',
    parameters: graph("[1:v]scale=40:-1[l];[0:v][l]overlay=x='min(1000-400*t,w)':y=10[v]", '[v]'),
  },
];
