import { expect, test } from 'vitest';
import { parseComponent, parseOptions } from './help-component.ts';

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

const one = (line: string) => parseOptions([line])[0];

test('reads name, type, direction, media, range and default', () => {
  expect(one('  -crf               <float>      E..V....... Quality (from -1 to FLT_MAX) (default -1)')).toEqual({
    name: 'crf',
    type: 'float',
    list: false,
    encoding: true,
    decoding: false,
    media: 'V',
    runtime: false,
    deprecated: false,
    readOnly: false,
    help: 'Quality',
    min: -1,
    max: 3.4028234663852886e38,
    fallback: '-1',
    constants: [],
  });
});

test('reads a long name that touches the next column', () => {
  const line = '  -zero_new_constraint_set_flags <boolean>    ...V....B.. Set to zero (default false)';
  expect(one(line)).toMatchObject({ name: 'zero_new_constraint_set_flags', type: 'boolean', fallback: 'false' });
});

test('reads a filter option without a dash, which may change at run time', () => {
  expect(one('   w                 <string>     ..FV.....T. Output video width')).toMatchObject({
    name: 'w',
    encoding: false,
    decoding: false,
    runtime: true,
    help: 'Output video width',
  });
});

test.each([
  ['  -view_ids          [<int>     ].D.V....... Array of view IDs', 'int'],
  ['   sample_fmts       [<sample_fmt>]..F.A...... A list of sample formats.', 'sample_fmt'],
  ['  -ids               [<unsigned>].D.V..XR... Array', 'uint'],
])('reads a list: %s', (line, type) => {
  expect(one(line)).toMatchObject({ list: true, type });
});

test('reads whether an option is deprecated or read-only', () => {
  expect(one('  -async             <float>      ....A.....P deprecated')).toMatchObject({
    deprecated: true,
    readOnly: false,
  });
  expect(one('  -ids               <int>        .D.V..XR... exported')).toMatchObject({
    deprecated: false,
    readOnly: true,
  });
});

test('reads constants below their option, with and without a value', () => {
  const lines = [
    '  -aq-mode           <int>        E..V....... AQ method (from -1 to INT_MAX) (default -1)',
    '     none            0            E..V.......',
    '     autovariance-biased 3            E..V....... with bias to dark scenes',
    '     minus           -1           E..V.......',
    '     deep bass       6            ..F.A......',
    '  -flags             <flags>      ED.VAS..... (default bicubic+bitexact)',
    '     mv4                          E..V....... use four motion vectors',
  ];
  expect(parseOptions(lines).map(({ name, constants }) => [name, constants])).toEqual([
    [
      'aq-mode',
      [
        { name: 'none', value: 0, help: '' },
        { name: 'autovariance-biased', value: 3, help: 'with bias to dark scenes' },
        { name: 'minus', value: -1, help: '' },
        { name: 'deep bass', value: 6, help: '' },
      ],
    ],
    ['flags', [{ name: 'mv4', help: 'use four motion vectors' }]],
  ]);
});

test.each<[string, number | undefined, number | undefined]>([
  ['(from INT_MIN to INT_MAX)', -2147483648, 2147483647],
  ['(from 0 to UINT32_MAX)', 0, 4294967295],
  ['(from I64_MIN to I64_MAX)', -(2 ** 63), 2 ** 63],
  ['(from -FLT_MAX to DBL_MAX)', -3.4028234663852886e38, Number.MAX_VALUE],
  ['(from 0.01 to inf)', 0.01, undefined],
  ['(from 1 to 65535)', 1, 65535],
  ['(from 0 to 123456)', 0, 123456],
])('reads the range %s', (range, min, max) => {
  const option = one(`  -x                 <double>     E..V....... ${range} (default 1)`);
  expect([option?.min, option?.max]).toEqual([min, max]);
});

test('widens a bound by the rounding to six digits', () => {
  const option = one('  -x                 <double>     E..V....... (from -1.67772e+07 to 0.333333) (default 1)');
  expect(option?.min).toBeLessThanOrEqual(-16_777_216);
  expect(option?.min).toBeGreaterThan(-16_777_300);
  expect(option?.max).toBeGreaterThanOrEqual(1 / 3);
  expect(option?.max).toBeLessThan(0.333334);
});

test('reads a default without quotes and help text with brackets', () => {
  expect(one('  -preset            <string>     E..V....... Set it (cf. x264) (default "medium")')).toMatchObject({
    help: 'Set it (cf. x264)',
    fallback: 'medium',
  });
  expect(one('   flags             <string>     ..FV....... Flags to pass (default "")')?.fallback).toBe('');
  expect(one('     notindicated    0            E...A...... Not Indicated (default)')).toBeUndefined();
});

test('an unknown type counts as text', () => {
  expect(one('  -x                 <tensor>     E..V....... new')?.type).toBe('string');
});
