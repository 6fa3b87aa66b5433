import { H264, type MediaCause } from './media-cause.ts';

const VP9 = { 'c:v': 'libvpx-vp9', deadline: 'realtime', 'cpu-used': '8', t: '0.5' } as const;
const AV1 = { 'c:v': 'libaom-av1', usage: 'realtime', 'cpu-used': '8', t: '0.2', an: '' } as const;
const RAW = JSON.stringify({ input: 'floats.raw', parameters: { f: 's16le', ar: '16000', ac: '1' } });

/** Requests that ffmpeg rejects for what the inputs contain, with the values in the fix. */
export const REQUEST_CAUSES: readonly MediaCause[] = [
  {
    title: 'raw sound that ffmpeg takes for a picture',
    request: { input: 'floats.raw', output: 'floats.wav' },
    message: /^The input "floats\.raw" is raw audio without a header, /,
    fix: `Send them with the input: ${RAW}, with the values of this file.`,
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
    message: 'The format ipod (.m4a) cannot hold mjpeg.',
    fix: 'Leave "c:v" out, or send an output that ends in .mkv, which holds nearly every codec. Without a codec, the streams are encoded for the format.',
    followed: { parameters: { map: ['0:a', '1:v'], 'c:v': 'copy', 'disposition:v:0': 'attached_pic' } },
  },
  {
    title: 'a film of an odd size',
    request: { input: 'odd.mkv', output: 'odd.mp4', parameters: { ...H264, pix_fmt: 'yuv420p' } },
    message: 'The encoder does not take the frame size: width not divisible by 2 (161x121).',
    fix: 'In "scale", -2 keeps the aspect ratio and rounds to an even number. Otherwise end the filters with "crop=trunc(iw/2)*2:trunc(ih/2)*2", with 4 or 16 instead of 2 if the encoder asks for that.',
    followed: { parameters: { ...H264, pix_fmt: 'yuv420p', vf: 'crop=160:120' } },
    size: '160x120',
  },
  {
    title: 'a film of an odd size with filters',
    request: { input: 'odd.mkv', output: 'odd.mp4', parameters: { ...H264, pix_fmt: 'yuv420p', vf: 'hflip' } },
    message: 'The encoder does not take the frame size: width not divisible by 2 (161x121).',
    fix: 'In "scale", -2 keeps the aspect ratio and rounds to an even number. Otherwise end the filters with "crop=trunc(iw/2)*2:trunc(ih/2)*2", with 4 or 16 instead of 2 if the encoder asks for that.',
    followed: { parameters: { ...H264, pix_fmt: 'yuv420p', vf: 'hflip,crop=160:120' } },
    size: '160x120',
  },
  {
    title: 'a bit rate above the range of one channel',
    request: { input: 'short.wav', output: 'loud.opus', parameters: { 'c:a': 'libopus', 'b:a': '320k' } },
    message:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): The bit rate 320000 bps is unsupported. Please choose a value between 500 and 256000.',
    fix: 'Leave the options of the encoder out one by one, or choose another encoder.',
    followed: { parameters: { 'c:a': 'libopus', 'b:a': '256k' } },
  },
  {
    title: 'an encoder of the picture for all streams',
    request: { input: 'talk.mp4', output: 'codec.mp4', parameters: { codec: 'h264', preset: 'ultrafast' } },
    message: 'The encoder h264 is for streams of another kind than the option names.',
    fix: 'Name the kind of its streams: "c:v" for video, "c:a" for audio, "c:s" for subtitles.',
    followed: { parameters: { 'c:v': 'h264', preset: 'ultrafast' } },
    seconds: 4,
  },
  {
    title: 'a profile of VP9 for 10 bits without a pixel format',
    request: { input: 'talk.mp4', output: 'deep.webm', parameters: { ...VP9, 'profile:v': '2' } },
    message:
      'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels): Additional information: Codec bit-depth 8 not supported in profile > 1.',
    fix: 'Leave the options of the encoder out one by one, or choose another encoder.',
    followed: { parameters: { ...VP9, 'profile:v': '2', pix_fmt: 'yuv420p10le' } },
    pixelFormat: 'yuv420p10le',
  },
  {
    title: 'a profile of AV1 for 4:4:4 without a pixel format',
    request: { input: 'talk.mp4', output: 'high.mp4', parameters: { ...AV1, 'profile:v': '1' } },
    message: 'ffmpeg crashed on this input or these options.',
    fix: 'Try fewer options or another codec. A damaged input can also be the cause.',
    followed: { parameters: { ...AV1, 'profile:v': '1', pix_fmt: 'yuv444p' } },
    pixelFormat: 'yuv444p',
  },
  {
    title: 'a copy of an HEVC film for its sound',
    request: { input: 'hevc.mp4', output: 'hevc.m4a', parameters: { c: 'copy' } },
    message: 'The format ipod cannot hold a copy of hevc.',
    fix: 'Leave "copy" out, so that the streams are encoded, or send an output that ends with ".mkv".',
    followed: { parameters: { c: 'copy', vn: '' } },
  },
  {
    title: 'an encoder of the sound for all streams',
    request: { input: 'talk.mp4', output: 'c.m4a', parameters: { c: 'aac', 'b:a': '96k' } },
    message: 'The encoder aac is for streams of another kind than the option names.',
    fix: 'Name the kind of its streams: "c:v" for video, "c:a" for audio, "c:s" for subtitles.',
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
    fix: 'Save the file as UTF-8, or name its encoding, as "sub_charenc" with the input, "charenc" in the filter subtitles, or "encoding" of the recipe burn-subtitles: WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia.',
    followed: { inputs: ['talk.mp4', { input: 'words.srt', parameters: { sub_charenc: 'WINDOWS-1254' } }] },
  },
  {
    title: 'subtitles in an encoding that nothing tells',
    request: { inputs: ['talk.mp4', 'words.srt'], output: 'unknown.mp4', parameters: { c: 'copy', 'c:s': 'mov_text' } },
    message: 'The subtitles in "words.srt" are not UTF-8.',
    fix: 'Save the file as UTF-8, or name its encoding, as "sub_charenc" with the input, "charenc" in the filter subtitles, or "encoding" of the recipe burn-subtitles: WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia.',
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
