import { H264, type MediaCause } from './media-cause.ts';

/** Inputs that are not what their names say, or not complete. */
export const FILE_CAUSES: readonly MediaCause[] = [
  {
    title: 'an error page',
    request: { input: 'download.mp4', output: 'page.mp4', parameters: H264 },
    message: 'The input "download.mp4" is not a media file: it is an HTML page.',
    fix: /Download the file again/,
    followed: { input: 'talk.mp4' },
  },
  {
    title: 'an archive',
    request: { input: 'archive.mp4', output: 'archive-out.mp4', parameters: H264 },
    message: /is not a media file: it is a ZIP archive/,
    fix: /^Extract it/,
    followed: { input: 'talk.mp4' },
  },
  {
    title: 'raw sound',
    request: { input: 'voice.pcm', output: 'voice.mp3' },
    message:
      'The input "voice.pcm" is raw audio without a header, so its format, sample rate and channels are unknown.',
    fix: 'Send them with the input: {"input":"voice.pcm","parameters":{"f":"s16le","ar":"16000","ac":"1"}}, with the values of this file.',
    followed: { input: undefined, inputs: [{ input: 'voice.pcm', parameters: { f: 's16le', ar: '16000', ac: '1' } }] },
    seconds: 1,
  },
  {
    title: 'raw sound whose format is sent for the output',
    request: { input: 'voice.pcm', output: 'voice.wav', parameters: { f: 's16le', ar: '8000', ac: '1' } },
    message: /^The input "voice\.pcm" is raw audio without a header/,
    fix: 'Send them with the input: {"input":"voice.pcm","parameters":{"f":"s16le","ar":"16000","ac":"1"}}, with the values of this file.',
    followed: {
      input: undefined,
      inputs: [{ input: 'voice.pcm', parameters: { f: 's16le', ar: '8000', ac: '1' } }],
      parameters: {},
    },
    seconds: 2,
  },
  {
    title: 'a film without times for its frames in a transport stream',
    request: { input: 'clip.avi', output: 'clip.ts', parameters: { c: 'copy', 'bsf:v': 'h264_mp4toannexb' } },
    message:
      "ffmpeg rejected a value of the request: Codec 'mpeg4' (12) is not supported by the bitstream filter 'h264_mp4toannexb'. Supported codecs are: h264 (27).",
    fix: 'Correct this value in the request, or leave out the option that has it.',
    followed: {
      input: undefined,
      inputs: [{ input: 'clip.avi', parameters: { fflags: '+genpts' } }],
      parameters: { c: 'copy' },
    },
    seconds: 2,
  },
  {
    title: 'a sequence with a gap',
    request: {
      inputs: [{ input: 'photos/q%02d.png', parameters: { framerate: '5' } }],
      output: 'gap.mp4',
      parameters: { ...H264, pix_fmt: 'yuv420p' },
    },
    warning: 'SEQUENCE_GAP',
    message:
      'The sequence "photos/q%02d.png" ended after 4 images, because "q05.png" is missing: 5 later images were not read.',
    fix: 'Send the missing image, or all existing ones by a wildcard: "inputs": [{"input":"photos/q[0-9]*.png","parameters":{"pattern_type":"glob"}}], with the other parameters of the input.',
    followed: { inputs: [{ input: 'photos/q[0-9]*.png', parameters: { pattern_type: 'glob', framerate: '5' } }] },
    seconds: 1.8,
  },
];
