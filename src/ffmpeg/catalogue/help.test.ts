import { expect, test } from 'vitest';
import { parseComponentOptions, parseEncoders, parseFormatList, parseFullHelp } from './help.ts';

/** Lines as ffmpeg 5.1 and 7.1 print them. */
const FULL = `Hyper fast Audio and Video encoder
usage: ffmpeg [options] [[infile options] -i infile]... {[outfile options] outfile}...

Getting help:
    -h      -- print basic options

Per-file main options:
-c codec            codec name
-frames[:<stream_spec>] <number>  set the number of frames to output

AVCodecContext AVOptions:
  -b                 <int64>      E..VA...... set bitrate (in bits/s) (from 0 to I64_MAX) (default 200000)
  -flags             <flags>      ED.VAS..... (default 0)
     unaligned                    .D.V....... allow decoders to produce unaligned output

libx264 AVOptions:
  -preset            <string>     E..V....... Set the encoding preset (default "medium")
libx264rgb AVOptions:
  -preset            <string>     E..V....... Set the encoding preset (default "medium")
URLContext AVOptions:
  -protocol_whitelist <string>     .D......... List of protocols that are allowed to be used
GIF muxer AVOptions:
  -loop              <int>        E.......... Number of times to loop the output (default 0)
image2 demuxer AVOptions:
  -loop              <boolean>    .D......... force loop over input file sequence (default false)
libx999 AVOptions:
  -sizes             [<int>     ] E..V....... a list
SWScaler AVOptions:
  -sws_flags         <flags>      E..V....... scaler flags (default bicubic)
SWResampler AVOptions:
  -async             <float>      ....A...... (default 0)
scale AVOptions:
   w                 <string>     ..FV.....T. Output video width
`;

test('the complete help: names, types, directions, kinds of media', () => {
  const { cli, avOptions } = parseFullHelp(FULL);
  expect(cli).toEqual(['c', 'frames']);
  const none = { encoding: false, decoding: false, media: '' };
  expect(Object.fromEntries(avOptions)).toEqual({
    b: [{ owner: 'codec', type: 'int64', encoding: true, decoding: false, media: 'VA' }],
    flags: [{ owner: 'codec', type: 'flags', encoding: true, decoding: true, media: 'VAS' }],
    preset: [{ owner: 'private', type: 'string', encoding: true, decoding: false, media: 'V' }],
    protocol_whitelist: [{ ...none, owner: 'protocol', type: 'string', decoding: true }],
    loop: [
      { ...none, owner: 'private', type: 'int', encoding: true },
      { ...none, owner: 'private', type: 'boolean', decoding: true },
    ],
    sizes: [{ owner: 'private', type: 'int', encoding: true, decoding: false, media: 'V' }],
    sws_flags: [{ ...none, owner: 'scaler', type: 'flags', encoding: true }],
    async: [{ ...none, owner: 'resampler', type: 'float', encoding: true }],
  });
});

test('lists of formats, with the column for devices of 7.0 and without', () => {
  expect(
    parseFormatList('File formats:\n D. = Demuxing\n --\n  E 3gp             3GP\n  E sdl,sdl2        SDL2\n'),
  ).toEqual(['3gp', 'sdl', 'sdl2']);
  expect(
    parseFormatList('Muxers:\n ..d = Is a device\n ---\n  E  3gp   3GP\n DEd alsa  ALSA\n  E  mp4   MP4\n'),
  ).toEqual(['3gp', 'alsa', 'mp4']);
});

test('encoders and the codecs they write', () => {
  const text =
    'Encoders:\n V..... = Video\n ------\n V....D libx264              libx264 H.264 (codec h264)\n A....D aac                  AAC (Advanced Audio Coding)\n S..... mov_text             3GPP Timed Text subtitle\n';
  expect(Object.fromEntries(parseEncoders(text))).toEqual({
    libx264: { kind: 'video', codec: 'h264' },
    aac: { kind: 'audio', codec: 'aac' },
    mov_text: { kind: 'subtitle', codec: 'mov_text' },
  });
});

test('the options of one muxer', () => {
  const text =
    'Muxer gif [GIF]:\n    Common extensions: gif.\nGIF muxer AVOptions:\n  -loop              <int>        E.......... loops\n';
  expect(parseComponentOptions(text)).toEqual(['loop']);
});
