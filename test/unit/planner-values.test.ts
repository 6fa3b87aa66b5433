import { expect, test } from 'vitest';
import type { Parameters } from '../../src/domain/conversion.ts';
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

/** What people send by mistake, what they are told, and what to send instead. */
const MISTAKES: readonly Mistake[] = [
  ['crf', '99', '"crf" of libx264 is 0 to 51, and "99" is outside.', 'Send "51".'],
  ['preset', 'vertfast', 'libx264 knows no "preset" named "vertfast".', 'Send "veryfast".'],
  ['preset', 'medium', '"preset" is a number, and "medium" is none.', undefined, { with: { 'c:v': 'libsvtav1' } }],
  ['tune', 'flim', 'libx264 knows no "tune" named "flim".', 'Send "film".'],
  [
    'threads',
    '17',
    '"threads" of libx265 is 0 to 16, and "17" is outside.',
    'Send "16".',
    { with: { 'c:v': 'libx265' } },
  ],
  ['tune', 'film', 'libx265 knows no "tune" named "film".', undefined, { with: { 'c:v': 'libx265' } }],
  ['profile:v', 'hihg', 'libx264 knows no "profile:v" named "hihg".', 'Send "high".'],
  ['level', '4.3', 'libx264 knows no "level" named "4.3".', 'Send "4.2".'],
  [
    'pix_fmt',
    'yuv402p',
    '"pix_fmt" is a pixel format, and the installed ffmpeg knows none named "yuv402p".',
    'Send "yuv420p".',
  ],
  ['pix_fmt', '+rgb24', '"pix_fmt": libx264 does not support the pixel format "rgb24".'],
  ['b:v', '128kbps', '"b:v" is a number, and "128kbps" is none.', 'Send "128k".'],
  ['b:a', '128 kbit/s', '"b:a" is a number, and "128 kbit/s" is none.', 'Send "128k".'],
  ['b:v', 'fast', '"b:v" is a number, and "fast" is none.'],
  ['s', '720p', '"s" is a size in pixels, width first, and "720p" is none.', 'Send "hd720".'],
  ['s', '1280 x 720', '"s" is a size in pixels, width first, and "1280 x 720" is none.', 'Send "1280x720".'],
  ['s', '1280×720', '"s" is a size in pixels, width first, and "1280×720" is none.', 'Send "1280x720".'],
  ['r', '29,97', '"r" is a number of frames a second, and "29,97" is none.', 'Send "29.97".'],
  ['r', '30fps', '"r" is a number of frames a second, and "30fps" is none.', 'Send "30".'],
  ['aspect', '16x9', '"aspect" is a ratio, and "16x9" is none.', 'Send "16:9".'],
  ['ac', 'stereo', '"ac" is a whole number, and "stereo" is none.', 'Send "2".'],
  ['ac', '6', '"ac": libmp3lame does not support "6" channels.', 'Send "2".', { output: 'b.mp3' }],
  ['ar', '44100Hz', '"ar" is a whole number, and "44100Hz" is none.', 'Send "44100".'],
  ['ar', '44000', '"ar": aac does not support "44000" samples per second.', 'Send "44100".'],
  ['ar', '44100', '"ar": libopus does not support "44100" samples per second.', 'Send "48000".', { output: 'b.opus' }],
  ['sample_fmt', 's16', '"sample_fmt": aac does not support the sample format "s16".'],
  ['ch_layout', 'sterio', '"ch_layout" is a channel layout, and "sterio" is none.', 'Send "stereo".'],
  ['profile:a', 'lc', 'aac knows no "profile:a" named "lc".'],
  ['application', 'music', '"application" knows no "music".', undefined, { output: 'b.opus' }],
  ['movflags', 'fastart', '"movflags" has no flag "fastart".', 'Send "faststart".'],
  ['movflags', '+fastart+frag_keyframe', '"movflags" has no flag "fastart".', 'Send "+faststart+frag_keyframe".'],
  [
    'movflags',
    'faststart,frag_keyframe',
    '"movflags" has no flag "faststart,frag_keyframe".',
    'Send "faststart+frag_keyframe".',
  ],
  ['flags', '+global_heder', '"flags" has no flag "global_heder".', 'Send "+global_header".'],
  ['sws_flags', 'lanczoz', '"sws_flags" has no flag "lanczoz".', 'Send "lanczos".'],
  ['color_primaries', 'bt2021', '"color_primaries" knows no "bt2021".', 'Send "bt2020".'],
  ['strict', 'experimantal', '"strict" knows no "experimantal".', 'Send "experimental".'],
  ['g', '2s', '"g" is a number, and "2s" is none.'],
  ['bf', '-5', '"bf" is at least -1, and "-5" is outside.', 'Send "-1".'],
  ['crf', '64', '"crf" is 0 to 63, and "64" is outside.', 'Send "63".', { with: { 'c:v': 'libsvtav1' } }],
  ['cpu-used', '99', '"cpu-used" is -8 to 8, and "99" is outside.', 'Send "8".', { output: 'b.webm' }],
  ['t', '1m30s', '"1m30s" is no time.', 'Send "90".'],
  ['t', '1,5', '"1,5" is no time.', 'Send "1.5".'],
  ['ss', '.5', '".5" is no time.', 'Send "0.5".'],
  ['ss', '90:00', '"90:00" is no time.', 'Send "5400".'],
  ['hls_time', 'six', '"six" is no time.', undefined, { output: 'b.m3u8' }],
  [
    'hls_flags',
    'independent_segment',
    '"hls_flags" has no flag "independent_segment".',
    'Send "independent_segments".',
    { output: 'b.m3u8' },
  ],
  ['frames:v', 'ten', '"frames:v" is a whole number, and "ten" is none.'],
  ['q:v', 'high', '"q:v" is a number, and "high" is none.'],
  ['disposition', 'defualt', '"disposition" has no flag "defualt".', 'Send "default".'],
  ['metadata', 'title', '"metadata" takes a pair such as "title=My film", and "title" is none.'],
  ['fps_mode', 'constant', '"fps_mode" knows no "constant".'],
  ['tag:v', 'hvc10', '"tag:v" takes four characters such as "hvc1", or a number, and "hvc10" is none.'],
  [
    'force_key_frames',
    'gte(t,n_forced*2)',
    '"force_key_frames" takes times, and "gte(t" is none.',
    'Send "expr:gte(t,n_forced*2)".',
  ],
  ['map', '0:x', '"x" is not a stream specifier.'],
  ['x264-params', 'keyinf=30', '"x264-params" has no key "keyinf".', 'Send "keyint".'],
  ['x264-params', 'ref=40', '"x264-params: ref" is 0 to 16, and "40" is outside.', 'Send "16".'],
  ['x264-params', 'ref', '"x264-params" is a list of "key=value" joined by ":", and a "=" or a value is missing.'],
  [
    'x264-params',
    'ref=3:stats=/etc/x',
    '"stats" in "x264-params" is not a caller\'s to set: it names files, or what the service does itself.',
    'Send "pass": "2"; the service runs both passes and keeps the log to itself.',
  ],
  [
    'x265-params',
    'sao=maybe',
    '"x265-params: sao" is on or off, and "maybe" is neither.',
    undefined,
    { with: { 'c:v': 'libx265' } },
  ],
];

test.each<Mistake>(MISTAKES)('a mistake is told with what to send: %s "%s"', (option, value, message, fix, more) => {
  const errors = optionErrors({ ...more?.with, [option]: value }, more?.output ?? 'b.mp4');
  expect(errors.map((error) => [error.field, error.message, error.fix])).toEqual([
    [`/parameters/${option}`, message, fix],
  ]);
});

test('at most 20 names are listed, those nearest in spelling first', () => {
  const [error] = optionErrors({ pix_fmt: 'yuv420q' }, 'b.mp4');
  expect(error?.allowed).toHaveLength(20);
  expect(error?.allowed?.[0]).toBe('yuv420p');
});

test('a range is told in words, the words that an option knows after it', () => {
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
  ['blanks in a number, which ffmpeg skips', { 'b:v': '1 M' }],
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
])('what experts write passes: %s', (_what, parameters, output = 'b.mp4') => {
  expect(optionErrors(parameters, output)).toEqual([]);
});

test.each<[string, Parameters, string, string[]]>([
  [
    'the parameters of another encoder',
    { 'c:v': 'libx265', 'x264-params': 'ref=3' },
    'b.mp4',
    ['"x264-params" has no effect: libx265 does not have this option. It is for libx264. Send "x265-params" instead.'],
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
    ['"movflags" has no effect: the container matroska does not have this option. It is for mp4, mov and ipod.'],
  ],
  [
    'a pixel format that ffmpeg changes',
    { pix_fmt: 'rgb24' },
    'b.mp4',
    ['libx264 does not support the pixel format "rgb24"; ffmpeg uses the closest supported one.'],
  ],
  ['a rate in bits', { 'b:v': '800' }, 'b.mp4', ['"b:v" is only 800 bits per second. For kilobits, send "800k".']],
  ['nothing to say', { crf: '20', movflags: '+faststart', 'b:a': '96k' }, 'b.mp4', []],
])('a warning, as ffmpeg would go on: %s', (_what, parameters, output, warnings) => {
  expect(warningsOf(parameters, output)).toEqual(warnings);
});

test('the encoder of each stream is told by its specifier', () => {
  const codecs = { 'c:v': 'libx264', 'c:v:1': 'libx265' };
  expect(optionErrors({ ...codecs, 'tune:v:0': 'film' }, 'b.mkv')).toEqual([]);
  expect(optionErrors({ ...codecs, 'tune:v:1': 'film' }, 'b.mkv')).toMatchObject([
    { message: expect.stringMatching(/^libx265/) },
  ]);
  // For all streams of the kind, both have to take it.
  expect(optionErrors({ ...codecs, 'tune:v': 'film' }, 'b.mkv')).toMatchObject([
    { message: expect.stringMatching(/^libx265/) },
  ]);
  // The last that covers the stream wins, as on the command line.
  expect(optionErrors({ 'c:v:1': 'libx265', 'c:v': 'libx264', 'tune:v:1': 'film' }, 'b.mkv')).toEqual([]);
});

test('without an encoder sent, the container’s own one is meant', () => {
  expect(optionErrors({ 'level:v': 'x' }, 'b.mp4')).toMatchObject([{ message: expect.stringMatching(/^libx264/) }]);
  expect(optionErrors({ deadline: 'fast' }, 'b.webm')).toMatchObject([{ allowed: expect.arrayContaining(['good']) }]);
});

test('an input’s options are checked, too', () => {
  const inputErrors = (parameters: Parameters) =>
    errorCodesOf({ inputs: [{ input: 'a.png', parameters }], output: 'b.mp4' });
  expect(inputErrors({ framerate: '30000/1001', loop: '1', ss: '1' })).toEqual([]);
  expect(inputErrors({ framerate: '29,97' })).toEqual(['/inputs/0/parameters/framerate BAD_VALUE']);
  expect(inputErrors({ analyzeduration: 'long', fflags: '+genpts' })).toEqual([
    '/inputs/0/parameters/analyzeduration BAD_VALUE',
  ]);
});
