import type { BrokenRequest } from './broken-request.ts';

/** Options of audio filters. */
export const AUDIO_FILTER_ROWS: readonly BrokenRequest[] = [
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'asetpts=foo' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Undefined constant or missing '(' in 'foo'.",
    right: { parameters: { af: 'asetpts=PTS' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'channelmap=map=FL-FR|FC' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter channelmap rejected its options.',
    right: { parameters: { af: 'channelmap=map=FL-FL|FR-FR:channel_layout=stereo' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'channelsplit' } },
    code: 'FFMPEG_FAILED',
    cause: 'A graph in "vf" or "af" has 1 input and 1 output',
    right: {
      parameters: {
        filter_complex: '[0:a]channelsplit=channel_layout=5.1:channels=FL[a]',
        ac: '1',
        map: ['0:v', '[a]'],
      },
    },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { af: 'afade=t=in:d=-5' } },
    code: 'FFMPEG_FAILED',
    cause: "ffmpeg rejected a value of the request: Value -5.000000 for parameter 'd' out of range [0 - ",
    right: { parameters: { af: 'afade=t=in:d=5' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'pan=stereo|c0=FL|c2=FR' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pan rejected its options: Invalid out channel name "c2=FR".',
    right: { parameters: { vn: '', af: 'pan=stereo|c0=FL|c1=FR' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'pan=1c|c0=2' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter pan rejected its options: Expected in channel name, got "".',
    right: { parameters: { vn: '', af: 'pan=1c|c0=0.5*c0+0.5*c1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'aecho=0.8:0.9:1000|1800:0.3' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter aecho rejected its options: Number of delays 2 differs from number of decays 1.',
    right: { parameters: { vn: '', af: 'aecho=0.8:0.9:1000|1800:0.3|0.25' } },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.m4a',
      parameters: { vn: '', af: 'compand=attacks=0.3|0.8:points=-80/-80|0/0' },
    },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter compand cannot use its input with these options: Number of attacks 2 differs from number of decays 1.',
    right: { parameters: { vn: '', af: 'compand=attacks=0.3|0.8:decays=1|1:points=-80/-80|0/0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'compand=points=-20/-60|-70/-80' } },
    code: 'FFMPEG_FAILED',
    cause:
      'The filter compand cannot use its input with these options: Transfer function input values must be increasing.',
    right: { parameters: { vn: '', af: 'compand=points=-80/-80|-20/-15|0/0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'adelay=foo' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter adelay cannot use its input with these options: Invalid syntax for delay.',
    right: { parameters: { vn: '', af: 'adelay=1000:all=1' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'volume=volume=t:eval=once' } },
    code: 'FFMPEG_FAILED',
    cause: 'The filter volume cannot use its input with these options: Invalid value NaN for volume.',
    right: { parameters: { vn: '', af: 'volume=volume=t/10:eval=frame' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'channelmap=FL|FR|TC' } },
    code: 'FFMPEG_FAILED',
    cause:
      "The filter channelmap cannot use its input with these options: input channel 'TC' not available from input layout '5.1'.",
    right: { parameters: { vn: '', af: 'channelmap=map=FL-FL|FR-FR:channel_layout=stereo' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.m4a', parameters: { vn: '', af: 'biquad=a0=0' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg failed: Input contains (near) NaN/+-Inf.',
    right: { parameters: { vn: '', af: 'volume=1' } },
  },
];
