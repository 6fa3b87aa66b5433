import { H264, type MediaCause } from './media-cause.ts';

const VP9 = { 'c:v': 'libvpx-vp9', deadline: 'realtime', 'cpu-used': '8', t: '0.5' } as const;
const AV1 = { 'c:v': 'libaom-av1', usage: 'realtime', 'cpu-used': '8', t: '0.2', an: '' } as const;
const RAW = (f: string) => JSON.stringify({ input: 'floats.raw', parameters: { f, ar: '16000', ac: '1' } });

/** Requests that ffmpeg rejects for what the inputs contain, with the values in the fix. */
export const REQUEST_CAUSES: readonly MediaCause[] = [
  {
    title: 'raw sound that ffmpeg takes for a picture',
    request: { input: 'floats.raw', output: 'floats.wav' },
    message: /^The input "floats\.raw" is raw audio without a header, /,
    fix: `Send them with the input: ${RAW('f32le')}, with the values of this file.`,
    followed: {
      input: undefined,
      inputs: [{ input: 'floats.raw', parameters: { f: 'f32le', ar: '16000', ac: '1' } }],
    },
    seconds: 2,
  },
  {
    title: 'a picture as the cover of an M4A',
    request: {
      inputs: ['short.wav', 'photo.jpg'],
      output: 'cover.m4a',
      parameters: { map: ['0:a', '1:v'], 'c:v': 'copy' },
    },
    message:
      'The format ipod holds an image only as a cover, and the map "1:v" makes the image of "photo.jpg" a video.',
    fix: 'Send "disposition:v:0": "attached_pic" as well.',
    followed: { parameters: { map: ['0:a', '1:v'], 'c:v': 'copy', 'disposition:v:0': 'attached_pic' } },
  },
  {
    title: 'a film of an odd size',
    request: { input: 'odd.mkv', output: 'odd.mp4', parameters: { ...H264, pix_fmt: 'yuv420p' } },
    message: 'The encoder needs an even width and height, and the video has 161x121.',
    fix: 'Send "vf": "crop=160:120" as well.',
    followed: { parameters: { ...H264, pix_fmt: 'yuv420p', vf: 'crop=160:120' } },
    size: '160x120',
  },
  {
    title: 'a film of an odd size with filters',
    request: { input: 'odd.mkv', output: 'odd.mp4', parameters: { ...H264, pix_fmt: 'yuv420p', vf: 'hflip' } },
    message: /161x121\.$/,
    fix: 'Send "vf": "hflip,crop=160:120".',
    followed: { parameters: { ...H264, pix_fmt: 'yuv420p', vf: 'hflip,crop=160:120' } },
    size: '160x120',
  },
  {
    title: 'a bit rate above the range of one channel',
    request: { input: 'short.wav', output: 'loud.opus', parameters: { 'c:a': 'libopus', 'b:a': '320k' } },
    message: /^The encoder takes 500 to 256000 bits per second/,
    fix: 'Send "b:a": "256k".',
    followed: { parameters: { 'c:a': 'libopus', 'b:a': '256k' } },
  },
  {
    title: 'an encoder of the picture for all streams',
    request: { input: 'talk.mp4', output: 'codec.mp4', parameters: { codec: 'h264', preset: 'ultrafast' } },
    message: '"codec" is for all streams of the output, and h264 is an encoder only for video.',
    fix: 'Send "c:v": "h264", and leave "codec" out.',
    followed: { parameters: { 'c:v': 'h264', preset: 'ultrafast' } },
    seconds: 4,
  },
  {
    title: 'a profile of VP9 for 10 bits without a pixel format',
    request: { input: 'talk.mp4', output: 'deep.webm', parameters: { ...VP9, 'profile:v': '2' } },
    message: '"profile:v": "2" of libvpx-vp9 is not for yuv420p, the pixel format of the video.',
    fix: 'Send "pix_fmt": "yuv420p10le" as well, or leave "profile:v" out.',
    followed: { parameters: { ...VP9, 'profile:v': '2', pix_fmt: 'yuv420p10le' } },
    pixelFormat: 'yuv420p10le',
  },
  {
    title: 'a profile of AV1 for 4:4:4 without a pixel format',
    request: { input: 'talk.mp4', output: 'high.mp4', parameters: { ...AV1, 'profile:v': '1' } },
    message: '"profile:v": "1" of libaom-av1 is not for yuv420p, the pixel format of the video.',
    fix: 'Send "pix_fmt": "yuv444p" as well, or leave "profile:v" out.',
    followed: { parameters: { ...AV1, 'profile:v': '1', pix_fmt: 'yuv444p' } },
    pixelFormat: 'yuv444p',
  },
  {
    title: 'a copy of an HEVC film for its sound',
    request: { input: 'hevc.mp4', output: 'hevc.m4a', parameters: { c: 'copy' } },
    message: /^The format ipod \(\.m4a\) cannot hold hevc\.$/,
    fix: /^Send "vn": "" as well, or send "output": ".*hevc\.mp4"\.$/,
    followed: { parameters: { c: 'copy', vn: '' } },
  },
  {
    title: 'an encoder of the sound for all streams',
    request: { input: 'talk.mp4', output: 'c.m4a', parameters: { c: 'aac', 'b:a': '96k' } },
    message: '"c" is for all streams of the output, and aac is an encoder only for audio.',
    fix: 'Send "c:a": "aac", and leave "c" out.',
    followed: { parameters: { 'c:a': 'aac', 'b:a': '96k' } },
    seconds: 4,
  },
  {
    title: 'Turkish subtitles that are not UTF-8',
    request: {
      inputs: ['talk.mp4', 'words.srt'],
      output: 'turkish.mp4',
      parameters: { c: 'copy', 'c:s': 'mov_text', 'metadata:s:s:0': 'language=tur' },
    },
    message: 'The subtitles in "words.srt" are not UTF-8.',
    fix: /"sub_charenc":"WINDOWS-1254"\}\}\], or save the file as UTF-8\.$/,
    followed: { inputs: ['talk.mp4', { input: 'words.srt', parameters: { sub_charenc: 'WINDOWS-1254' } }] },
  },
  {
    title: 'subtitles in an encoding that nothing tells',
    request: { inputs: ['talk.mp4', 'words.srt'], output: 'unknown.mp4', parameters: { c: 'copy', 'c:s': 'mov_text' } },
    message: 'The subtitles in "words.srt" are not UTF-8.',
    fix: /find out its encoding: WINDOWS-1252 for western Europe.*"sub_charenc":"NAME"/,
    followed: { inputs: ['talk.mp4', { input: 'words.srt', parameters: { sub_charenc: 'WINDOWS-1254' } }] },
  },
  {
    title: 'chapters in the form of other tools',
    request: {
      inputs: ['talk.mp4', 'chapters.txt'],
      output: 'chapters.mp4',
      parameters: { map: '0', map_metadata: '1', c: 'copy' },
    },
    message: /is a list of chapters \(CHAPTER01=…\), which ffmpeg does not read\.$/,
    fix: /^Chapters are ffmetadata: the line ";FFMETADATA1"/,
    followed: { inputs: ['talk.mp4', 'chapters.ffmeta'] },
  },
];
