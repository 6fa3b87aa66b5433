import { expect, test } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { errorCodesOf, errorsOf, requestWith, validPlan } from '../support/planning.ts';

const optionErrors = (parameters: Parameters, output?: string) => errorsOf(requestWith(parameters, output));

const warningsOf = (parameters: Parameters, output: string): readonly string[] =>
  validPlan(requestWith(parameters, output)).warnings.map(({ message, fix }) =>
    fix === undefined ? message : `${message} ${fix}`,
  );

type Mistake = [
  option: string,
  value: string,
  message: string,
  fix?: string | undefined,
  more?: { readonly with?: Parameters; readonly output?: string },
];

const VP9 = { with: { 'c:v': 'libvpx-vp9', 'b:v': '1M' }, output: 'out.webm' };

/** Mistakes that people make, with the message and the nearest value. */
const MISTAKES: readonly Mistake[] = [
  [
    'crf',
    '99',
    '"crf" of libx264 must be 0 to 51, not "99". On this scale, 0 is the best quality, 51 the worst, and 18 to 28 are usual.',
  ],
  [
    'x264-params',
    'keyint=60:crf=75',
    '"x264-params: crf" must be 0 to 51, not "75". On this scale, 0 is the best quality, 51 the worst, and 18 to 28 are usual.',
  ],
  [
    'x264-params',
    'qp=82',
    '"x264-params: qp" must be 0 to 69, not "82". On this scale, 0 is the best quality, 69 the worst, and 18 to 28 are usual.',
  ],
  [
    'crf',
    '64',
    '"crf" of libvpx-vp9 must be 0 to 63, not "64". On this scale, 0 is the best quality, 63 the worst, and 15 to 35 are usual.',
    undefined,
    VP9,
  ],
  ['qmax', '64', '"qmax" of libvpx-vp9 must be 0 to 63, not "64".', 'Send "63", or less.', VP9],
  ['lag-in-frames', '40', '"lag-in-frames" of libvpx-vp9 must be 0 to 25, not "40".', 'Send "25", or less.', VP9],
  ['overshoot-pct', '1001', '"overshoot-pct" of libvpx-vp9 must be 0 to 100, not "1001".', 'Send "100", or less.', VP9],
  ['level', '1.5', '"level" of libvpx-vp9 does not accept "1.5".', 'Send "1.1".', VP9],
  ['preset', 'vertfast', '"preset" of libx264 does not accept "vertfast".', 'Send "veryfast".'],
  ['preset', 'medium', '"preset" must be a number, not "medium".', undefined, { with: { 'c:v': 'libsvtav1' } }],
  ['tune', 'flim', '"tune" of libx264 does not accept "flim".', 'Send "film".'],
  [
    'threads',
    '17',
    '"threads" of libx265 must be 0 to 16, not "17".',
    'Send "16", or less.',
    { with: { 'c:v': 'libx265' } },
  ],
  ['tune', 'film', '"tune" of libx265 does not accept "film".', undefined, { with: { 'c:v': 'libx265' } }],
  ['profile:v', 'hihg', '"profile:v" of libx264 does not accept "hihg".', 'Send "high".'],
  ['level', '4.3', '"level" of libx264 does not accept "4.3".', 'Send "4.2".'],
  ['pix_fmt', 'yuv402p', '"pix_fmt" must be a pixel format of the installed ffmpeg, not "yuv402p".', 'Send "yuv420p".'],
  ['pix_fmt', '+rgb24', '"pix_fmt": libx264 does not support the pixel format "rgb24".'],
  ['b:v', '128kbps', '"b:v" must be a number, not "128kbps". Units are k, M and G.'],
  ['b:a', '128 kbit/s', '"b:a" must be a number, not "128 kbit/s". Units are k, M and G.'],
  ['bufsize', '5000000M', '"bufsize" must be at most 2147483647, not "5000000M".', 'Send "2147483647", or less.'],
  ['g', '9000000000', '"g" must be at most 2147483647, not "9000000000".', 'Send "2147483647", or less.'],
  ['g', '-9000000000', '"g" must be at least -2147483648, not "-9000000000".', 'Send "-2147483648", or more.'],
  ['maxrate', '5G', '"maxrate" must be 0 to 2147483647, not "5G".', 'Send "2147483647", or less.'],
  ['b:v', 'fast', '"b:v" must be a number, not "fast".'],
  ['s', '720p', '"s" must be a size in pixels, width first, not "720p".', 'Send "hd720".'],
  ['s', '1280 x 720', '"s" must be a size in pixels, width first, not "1280 x 720".'],
  ['s', '1280×720', '"s" must be a size in pixels, width first, not "1280×720".'],
  ['r', '29,97', '"r" must be a number of frames per second, not "29,97".'],
  ['r', '30fps', '"r" must be a number of frames per second, not "30fps".'],
  ['aspect', '16x9', '"aspect" must be a ratio, not "16x9".'],
  ['ac', 'stereo', '"ac" must be a whole number, not "stereo".'],
  ['ac', '6', '"ac": libmp3lame does not support "6" channels.', 'Send "2".', { output: 'b.mp3' }],
  ['ar', '44100Hz', '"ar" must be a whole number, not "44100Hz".'],
  ['ar', '44000', '"ar": aac does not support "44000" samples per second.', 'Send "44100".'],
  ['ar', '44100', '"ar": libopus does not support "44100" samples per second.', 'Send "48000".', { output: 'b.opus' }],
  ['sample_fmt', 's16', '"sample_fmt": aac does not support the sample format "s16".', 'Send "fltp".'],
  ['ch_layout', 'sterio', '"ch_layout" must be a channel layout, not "sterio".', 'Send "stereo".'],
  ['profile:a', 'lc', '"profile:a" of aac does not accept "lc".'],
  ['application', 'music', '"application" does not accept "music".', undefined, { output: 'b.opus' }],
  ['movflags', 'fastart', '"movflags" has no flag "fastart".', 'Send "faststart".'],
  ['movflags', '+fastart+frag_keyframe', '"movflags" has no flag "fastart".', 'Send "faststart".'],
  ['movflags', 'faststart,frag_keyframe', '"movflags" has no flag "faststart,frag_keyframe".'],
  ['flags', '+global_heder', '"flags" has no flag "global_heder".', 'Send "global_header".'],
  ['sws_flags', 'lanczoz', '"sws_flags" has no flag "lanczoz".', 'Send "lanczos".'],
  ['color_primaries', 'bt2021', '"color_primaries" does not accept "bt2021".', 'Send "bt2020".'],
  ['strict', 'experimantal', '"strict" does not accept "experimantal".', 'Send "experimental".'],
  ['g', '2s', '"g" must be a number, not "2s".'],
  ['bf', '-5', '"bf" must be at least -1, not "-5".', 'Send "-1", or more.'],
  [
    'crf',
    '64',
    '"crf" must be 0 to 63, not "64". On this scale, 0 is the best quality, 63 the worst, and 20 to 45 are usual.',
    undefined,
    { with: { 'c:v': 'libsvtav1' } },
  ],
  ['cpu-used', '99', '"cpu-used" must be -8 to 8, not "99".', 'Send "8", or less.', { output: 'b.webm' }],
  ['t', '1m30s', '"t" must be a time, not "1m30s".'],
  ['t', '1,5', '"t" must be a time, not "1,5".'],
  ['ss', '.5', '"ss" must be a time, not ".5".'],
  ['ss', '90:00', '"ss" must be a time, not "90:00".'],
  ['hls_time', 'six', '"hls_time" must be a time, not "six".', undefined, { output: 'b.m3u8' }],
  [
    'hls_flags',
    'independent_segment',
    '"hls_flags" has no flag "independent_segment".',
    'Send "independent_segments".',
    { output: 'b.m3u8' },
  ],
  ['frames:v', 'ten', '"frames:v" must be a whole number, not "ten".'],
  ['q:v', 'high', '"q:v" must be a number, not "high".'],
  ['disposition', 'defualt', '"disposition" has no flag "defualt".', 'Send "default".'],
  ['metadata', 'title', '"metadata" must be a pair such as "title=My video", not "title".'],
  ['fps_mode', 'constant', '"fps_mode" does not accept "constant".', 'Send "cfr".'],
  ['tag:v', 'hvc10', '"tag:v" must be four characters such as "hvc1", or a number, not "hvc10".'],
  ['force_key_frames', 'gte(t,n_forced*2)', '"force_key_frames" must be a list of times; "gte(t" is not a time.'],
  ['map', '0:x', '"x" is not a stream specifier.'],
  ['x264-params', 'keyinf=30', '"x264-params" has no parameter "keyinf".', 'Send "keyint".'],
  ['x264-params', 'ref', '"x264-params" must be a list of "key=value" joined by ":"; a "=" or a value is missing.'],
  [
    'x264-params',
    'ref=3:stats=/etc/x',
    '"stats" in "x264-params" is not allowed: with the option "pass", the service keeps the log of both passes.',
  ],
  [
    'x265-params',
    'scaling-list=mine',
    '"x265-params: scaling-list" must be default, not "mine".',
    undefined,
    { with: { 'c:v': 'libx265' } },
  ],
];

test.each<Mistake>(MISTAKES)(
  'says what is wrong with %s "%s", and what is nearest',
  (option, value, message, fix, more) => {
    const errors = optionErrors({ ...more?.with, [option]: value }, more?.output ?? 'b.mp4');
    expect(errors.map((error) => [error.field, error.message, error.fix])).toEqual([
      [`/parameters/${option}`, message, fix],
    ]);
  },
);

test('lists at most 20 names, the closest ones first', () => {
  const [error] = optionErrors({ pix_fmt: 'yuv420q' }, 'b.mp4');
  expect(error?.allowed).toHaveLength(20);
  expect(error?.allowed?.[0]).toBe('yuv420p');
});

test('lists the range first and the constants of the option after it', () => {
  expect(optionErrors({ me_range: 'x', 'c:v': 'libx264', 'coder:v': 'huffman' }, 'b.mp4')[1]?.allowed).toEqual([
    '-1 to 1',
    'default',
    'cavlc',
    'cabac',
    'vlc',
    'ac',
  ]);
});

test.each<[string, Parameters, string?]>([
  ['numbers as ffmpeg reads them', { 'b:v': '1.5M', maxrate: '2000k', bufsize: '4e6', g: '0x30', 'b:a': '128K' }],
  ['spaces in a number, which ffmpeg skips', { 'b:v': '1 M' }],
  ['products, ratios and constants', { bufsize: '2*1024*1024', g: '250/1', qmin: 'default', lmax: '32*QP2LAMBDA' }],
  ['any sign between width and height, as ffmpeg takes', { s: '1280*720' }],
  ['a size and a rate by name', { s: 'hd720', r: 'ntsc' }],
  ['a rate of samples with a unit', { ar: '44.1k' }],
  ['a preset by number, in capitals', { preset: '5' }],
  ['a preset in capitals, which libx264 takes', { preset: 'VeryFast' }],
  ['tunes joined', { tune: 'film,zerolatency' }],
  ['levels by both spellings', { 'level:v': '41' }],
  ['a profile that only its encoder knows', { 'c:v': 'mpeg4', 'profile:v': 'mpeg4_asp' }, 'b.avi'],
  ['a level that only its encoder knows', { 'c:v': 'mpeg2video', 'profile:v': 'main', 'level:v': 'high' }, 'b.ts'],
  ['flags with signs', { flags: '+cgop-ilme', movflags: 'faststart+frag_keyframe', disposition: 'default+forced' }],
  ['flags as a number', { movflags: '128', disposition: '0' }],
  ['private words', { 'me_method:v': 'umh', 'direct-pred': 'auto', 'aq-mode': 'variance', strict: '-2' }],
  ['colours of a stream', { color_primaries: 'bt2020', color_trc: 'smpte2084', colorspace: 'bt2020nc' }],
  ['x264’s own parameters', { 'x264-params': 'keyint=60:min-keyint=60:scenecut=0:no-cabac=1:deblock=-1,-1' }],
  ['the same by their other option', { x264opts: 'keyint=60:no-scenecut:ref=4' }],
  ['x265’s own parameters', { 'c:v': 'libx265', 'x265-params': 'crf=22:no-sao=1:hdr10=1:max-cll=1000,400' }],
  ['maps of every form', { map: ['0', '-0:s', '0:v:0', '0:m:language:eng', '0:a?', '0:#0x100'] }],
  ['key frames', { force_key_frames: '0,00:00:05.5,chapters-0.1' }],
  ['a layout by its channels', { ch_layout: 'FL+FR' }],
  ['a pixel format without its byte order', { pix_fmt: 'yuv420p10' }],
])('accepts what experts write: %s', (_what, parameters, output = 'b.mp4') => {
  expect(optionErrors(parameters, output)).toEqual([]);
});

test.each<[string, Parameters, string, string[]]>([
  [
    'the parameters of another encoder',
    { 'c:v': 'libx265', 'x264-params': 'ref=3' },
    'b.mp4',
    ['"x264-params" has no effect: libx265 does not have this option.'],
  ],
  [
    'an encoder’s option for a copy',
    { 'c:v': 'copy', crf: '20' },
    'b.mp4',
    ['"crf" has no effect: the video is copied, not encoded.'],
  ],
  [
    'an option for streams that are left out',
    { vn: '', crf: '20' },
    'b.mp4',
    ['"crf" has no effect: the output has no video.'],
  ],
  [
    'an option of another container',
    { movflags: '+faststart' },
    'b.mkv',
    ['"movflags" has no effect: the container matroska does not have this option.'],
  ],
  [
    'a pixel format that ffmpeg replaces',
    { pix_fmt: 'rgb24' },
    'b.mp4',
    ['libx264 does not support the pixel format "rgb24"; ffmpeg uses the closest supported one.'],
  ],
  [
    'a bit rate below one kilobit',
    { 'b:v': '800' },
    'b.mp4',
    ['"b:v" is only 800 bits per second. With "k", a number counts thousands, with "M" millions.'],
  ],
  ['nothing if all is fine', { crf: '20', movflags: '+faststart', 'b:a': '96k' }, 'b.mp4', []],
])('warns about %s', (_what, parameters, output, warnings) => {
  expect(warningsOf(parameters, output)).toEqual(warnings);
});

test('checks a value against the encoder of the streams that the specifier names', () => {
  const codecs = { 'c:v': 'libx264', 'c:v:1': 'libx265' };
  expect(optionErrors({ ...codecs, 'tune:v:0': 'film' }, 'b.mkv')).toEqual([]);
  expect(optionErrors({ ...codecs, 'tune:v:1': 'film' }, 'b.mkv')).toMatchObject([
    { message: expect.stringMatching(/of libx265/) },
  ]);
  // A value for all streams of the kind must be valid for both encoders.
  expect(optionErrors({ ...codecs, 'tune:v': 'film' }, 'b.mkv')).toMatchObject([
    { message: expect.stringMatching(/of libx265/) },
  ]);
  // As on the command line, the last codec for a stream wins.
  expect(optionErrors({ 'c:v:1': 'libx265', 'c:v': 'libx264', 'tune:v:1': 'film' }, 'b.mkv')).toEqual([]);
});

test('checks values against the default encoder of the container if no encoder is sent', () => {
  expect(optionErrors({ 'level:v': 'x' }, 'b.mp4')).toMatchObject([{ message: expect.stringMatching(/of libx264/) }]);
  expect(optionErrors({ deadline: 'fast' }, 'b.webm')).toMatchObject([{ allowed: expect.arrayContaining(['good']) }]);
});

test('checks the options of an input', () => {
  const inputErrors = (parameters: Parameters) =>
    errorCodesOf({ inputs: [{ input: 'a.png', parameters }], output: 'b.mp4' });
  expect(inputErrors({ framerate: '30000/1001', loop: '1', ss: '1' })).toEqual([]);
  expect(inputErrors({ framerate: '29,97' })).toEqual(['/inputs/0/parameters/framerate BAD_VALUE']);
  expect(inputErrors({ analyzeduration: 'long', fflags: '+genpts' })).toEqual([
    '/inputs/0/parameters/analyzeduration BAD_VALUE',
  ]);
});
