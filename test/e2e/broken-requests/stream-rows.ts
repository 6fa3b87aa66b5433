import type { BrokenRequest } from './broken-request.ts';

/** Inputs, and the streams and the part of them that the request selects. */
export const STREAM_ROWS: readonly BrokenRequest[] = [
  {
    request: { input: 'small.mp4', output: 'x.mp4', parameters: { vn: '' } },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format mp4: "small.mp4" has only video, and the request has "vn".',
    right: { parameters: {} },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp3', parameters: { an: '' } },
    code: 'INPUT_INVALID',
    cause:
      'Nothing is left for the format mp3, which holds audio: "movie.mp4" has only video and audio, and the request has "an".',
    right: { parameters: {} },
  },
  {
    request: { input: 'small.mp4', output: 'x.wav', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format wav, which holds audio: "small.mp4" has only video.',
    right: { output: 'x.mp4' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.srt', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format srt, which holds subtitles: "movie.mp4" has only video and audio.',
    right: { output: 'x.mp4' },
  },
  {
    request: { input: 'subs.srt', output: 'x.mp4', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The format mp4 can use no stream of the inputs.',
    right: { output: 'x.vtt' },
  },
  {
    request: { input: 'movie.mp4', output: 'x.srt', parameters: { 'c:s': 'mov_text' } },
    code: 'INPUT_INVALID',
    cause: 'Nothing is left for the format srt, which holds subtitles: "movie.mp4" has only video and audio.',
    right: { output: 'x.mp4', parameters: {} },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'x.m3u8',
      parameters: {
        hls_time: '2',
        hls_segment_type: 'fmp4',
        c: 'copy',
        hls_segment_filename: 's%d.m4s',
        var_stream_map: 'v:0,a:3',
      },
    },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: Unable to map stream at a:3.',
    right: {
      parameters: {
        hls_time: '2',
        hls_segment_type: 'fmp4',
        c: 'copy',
        hls_segment_filename: 's%d.m4s',
        var_stream_map: 'v:0,a:0',
        map: ['0:v', '0:a'],
      },
    },
  },
  {
    request: {
      input: 'movie.mp4',
      output: 'h%v.m3u8',
      parameters: { var_stream_map: 'v:0 v:1,a:0', map: ['0:v', '0:a'] },
    },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: Unable to map stream at v:1.',
    right: { parameters: { var_stream_map: 'v:0,a:0 v:1,a:1', map: ['0:v', '0:a', '0:v', '0:a'] } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mpd', parameters: { adaptation_sets: 'id=0,streams=v id=1,streams=9' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: Selected stream "9" not found.',
    right: { parameters: { adaptation_sets: 'id=0,streams=v id=1,streams=a' } },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { 'c:v': 'hevc' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'A decoder cannot read a stream of the input: the stream is damaged, or has another codec than the decoder.',
    right: { inputs: ['movie.mp4'] },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { f: 'mp3' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'The audio of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    right: { inputs: ['movie.mp4'] },
  },
  {
    request: { inputs: [{ input: 'raw.bin', parameters: { f: 'rawvideo' } }], output: 'x.mp4' },
    code: 'INPUT_INVALID',
    cause: 'The frame size of an input is unknown',
    right: {
      inputs: [{ input: 'raw.bin', parameters: { f: 'rawvideo', video_size: '64x48', pixel_format: 'yuv420p' } }],
    },
  },
  {
    request: { inputs: [{ input: 'raw.bin', parameters: { f: 's16le', ar: '0' } }], output: 'x.wav' },
    code: 'INPUT_INVALID',
    cause: 'The audio of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    right: { inputs: [{ input: 'raw.bin', parameters: { f: 's16le', ar: '44100', ac: '2' } }] },
  },
  {
    request: {
      inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }],
      output: 'x.mp4',
      parameters: { t: '0' },
    },
    code: 'FFMPEG_FAILED',
    cause: 'Nothing was written: the requested part contains no frames.',
    right: { parameters: { t: '0.3' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { map_metadata: '0:s:9' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: Stream specifier 9 does not match',
    right: { parameters: { map_metadata: '0:s:v:0' } },
  },
  {
    removedIn: 7,
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { map_channel: '0.0.0' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: mapchan: stream #0.0 is not an audio stream.',
    right: { parameters: { map_channel: '0.1.0' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { force_key_frames: 'expr:foo' } },
    code: 'FFMPEG_FAILED',
    cause: "An expression cannot be read: Undefined constant or missing '(' in 'foo'.",
    right: { parameters: { force_key_frames: 'expr:gte(t,n_forced*2)' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { to: '1', ss: '2' } },
    code: 'FFMPEG_FAILED',
    cause: 'ffmpeg rejected a value of the request: -to value smaller than -ss; aborting.',
    right: { parameters: { ss: '1', to: '2' } },
  },
  {
    request: { input: 'movie.mp4', output: 'x.mp4', parameters: { ss: '100' } },
    code: 'FFMPEG_FAILED',
    cause: '"ss" starts at 100 s, but "movie.mp4" ends at ',
    right: { parameters: { ss: '1' } },
  },
  {
    request: { input: 'small.mp4', output: 'x.mp4', parameters: { map: ['0:v', '0:a'] } },
    code: 'INPUT_INVALID',
    cause: 'The map "0:a" selects nothing',
    right: { parameters: { map: ['0:v', '0:a?'] } },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { loop: '1' } }], output: 'x.mp4', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'The format of the input or output has no option "loop".',
    right: { inputs: [{ input: 'movie.mp4', parameters: { stream_loop: '-1' } }] },
  },
  {
    request: { inputs: [{ input: 'movie.mp4', parameters: { ar: '44100' } }], output: 'x.mp4', parameters: {} },
    code: 'UNSUPPORTED',
    cause: 'The format of the input or output has no option "sample_rate".',
    right: { inputs: ['movie.mp4'], parameters: { ar: '44100' } },
  },
  {
    request: { inputs: [{ input: 'odd.png', parameters: { 'c:v': 'h264' } }], output: 'x.webp', parameters: {} },
    code: 'INPUT_INVALID',
    cause: 'The input "odd.png" contains a stream that cannot be decoded.',
    right: { inputs: ['odd.png'] },
  },
];
