import { expect, test } from 'vitest';
import { parseComponent } from './help-component.ts';

test('reads the formats and rates that an encoder supports', () => {
  const text = `Encoder ac3 [ATSC A/52A (AC-3)]:
    General capabilities: dr1 
    Threading capabilities: none
    Supported framerates: 24000/1001 25/1
    Supported pixel formats: yuv420p nv12
    Supported sample rates: 48000 44100
    Supported sample formats: fltp
    Supported channel layouts: mono 3.0(back) 2 channels (FC+LFE) 5.1
AC-3 Encoder AVOptions:
  -mixing_level      <int>        E...A...... Mixing Level (from -1 to 111) (default -1)
`;
  expect(parseComponent({ kind: 'encoder', name: 'ac3' }, text)).toMatchObject({
    kind: 'encoder',
    name: 'ac3',
    description: 'ATSC A/52A (AC-3)',
    frameRates: ['24000/1001', '25/1'],
    pixelFormats: ['yuv420p', 'nv12'],
    sampleRates: [48000, 44100],
    sampleFormats: ['fltp'],
    channelLayouts: ['mono', '3.0(back)', 'FC+LFE', '5.1'],
    options: [{ name: 'mixing_level', min: -1, max: 111 }],
  });
});

test('reads extensions and default codecs of a muxer', () => {
  const text = `Muxer mp4 [MP4 (MPEG-4 Part 14)]:
    Common extensions: mp4,m4v.
    Mime type: video/mp4.
    Default video codec: h264.
    Default audio codec: aac.
    Default subtitle codec: none.
`;
  expect(parseComponent({ kind: 'muxer', name: 'mp4' }, text)).toEqual({
    kind: 'muxer',
    name: 'mp4',
    description: 'MP4 (MPEG-4 Part 14)',
    extensions: ['mp4', 'm4v'],
    mimeType: 'video/mp4',
    defaultCodecs: { video: 'h264', audio: 'aac' },
    options: [],
  });
});

test('reads the pads of a filter', () => {
  const overlay = `Filter overlay
  Overlay a video source on top of the input.
    slice threading supported
    Inputs:
       #0: main (video)
       #1: overlay (video)
    Outputs:
       #0: default (video)
overlay AVOptions:
   x                 <string>     ..FV....... set the x expression (default "0")
framesync AVOptions:
   x                 <string>     ..FV....... printed twice (default "1")
   eof_action        <int>        ..FV....... (from 0 to 2) (default repeat)

This filter has support for timeline through the 'enable' option.
`;
  const parsed = parseComponent({ kind: 'filter', name: 'overlay' }, overlay);
  expect(parsed).toMatchObject({
    description: 'Overlay a video source on top of the input.',
    inputs: [
      { name: 'main', media: 'video' },
      { name: 'overlay', media: 'video' },
    ],
    outputs: [{ name: 'default', media: 'video' }],
    timeline: true,
  });
  expect(parsed.options.map(({ name, fallback }) => [name, fallback])).toEqual([
    ['x', '0'],
    ['eof_action', 'repeat'],
  ]);
});

test('reads dynamic pads and a source without inputs', () => {
  const movie = `Filter movie
  Read from a movie source.
    Inputs:
        none (source filter)
    Outputs:
        dynamic (depending on the options)
`;
  expect(parseComponent({ kind: 'filter', name: 'movie' }, movie)).toMatchObject({
    inputs: [],
    outputs: 'dynamic',
    timeline: false,
  });
});

test('reads the pads that a filter has whatever its options say', () => {
  const scale = `Filter scale
  Scale the input video size and/or convert the image format.
    Inputs:
       #0: default (video)
        dynamic (depending on the options)
    Outputs:
       #0: default (video)
`;
  expect(parseComponent({ kind: 'filter', name: 'scale' }, scale)).toMatchObject({
    inputs: [{ name: 'default', media: 'video' }],
    outputs: [{ name: 'default', media: 'video' }],
  });
});

test('reads the codecs of a bitstream filter', () => {
  const text = 'Bit stream filter h264_metadata\n    Supported codecs: h264 hevc\n';
  expect(parseComponent({ kind: 'bsf', name: 'h264_metadata' }, text).codecs).toEqual(['h264', 'hevc']);
});

test('reads only the first of several decoders with one name', () => {
  const text = `Decoder one [First]:
A AVOptions:
  -a                 <int>        .D.V....... (from 0 to 1) (default 0)
Decoder two [Second]:
B AVOptions:
  -b                 <int>        .D.V....... (from 0 to 1) (default 0)
`;
  expect(parseComponent({ kind: 'decoder', name: 'one' }, text).options.map(({ name }) => name)).toEqual(['a']);
});

test('a component without help has no options', () => {
  const help = "Unknown filter 'nothing'.\n";
  expect(parseComponent({ kind: 'filter', name: 'nothing' }, help)).toEqual({
    kind: 'filter',
    name: 'nothing',
    description: '',
    options: [],
  });
});
