import { expect, test } from 'vitest';
import type { ConversionRequest, InputSpec, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { Hint } from '../../packages/contract/src/domain/hint.ts';
import { errorCodesOf, errorsOf, planRequest, requestWith } from '../support/planning.ts';

/** The errors of a request with these options. */
const optionErrors = (parameters: Parameters): readonly string[] => errorCodesOf(requestWith(parameters));

/** The errors of a request with this one input. */
const inputErrors = (spec: InputSpec): readonly string[] => errorCodesOf({ inputs: [spec], output: 'b.mp4' });

/** What the client is told to send instead. */
const fixOf = (parameters: Parameters): Hint | undefined => errorsOf(requestWith(parameters))[0]?.fix;

const P = '/parameters';

test('an option of ffmpeg itself that a filter replaces leads to the filter', () => {
  expect(errorsOf(requestWith({ async: '1' }))).toMatchObject([
    { code: 'OPTION_NOT_ALLOWED', message: expect.stringContaining('"aresample=async=1" in "af"') },
  ]);
});

test.each<[string, Parameters, string[]]>([
  ['an empty name', { '': 'x.mp4' }, [`${P}/ BAD_OPTION_NAME`]],
  ['a lone dash', { '-': 'x.mp4' }, [`${P}/- BAD_OPTION_NAME`]],
  ['a leading dash', { '-crf': '23' }, [`${P}/-crf BAD_OPTION_NAME`]],
  ['a name with a slash', { '/map': 'x' }, [`${P}/~1map BAD_OPTION_NAME`]],
  ['a name with a space', { 'c v': 'x' }, [`${P}/c v BAD_OPTION_NAME`]],
  ['a NUL in a name', { 'c\0': 'x' }, [`${P}/c\0 CONTROL_CHARACTER`]],
  ['a lone surrogate in a name', { 'c:\ud800': 'x' }, [`${P}/c:\ud800 BAD_ENCODING`]],
  ['a name over 100 characters', { ['x'.repeat(101)]: '1' }, [`${P}/${'x'.repeat(101)} TOO_LONG`]],
  ['a colon without a specifier', { 'c:': 'copy' }, [`${P}/c: BAD_SPECIFIER`]],
  ['an invalid specifier', { 'c:video': 'copy' }, [`${P}/c:video BAD_SPECIFIER`]],
  ['a specifier of an option that takes none', { 'ss:v': '1' }, [`${P}/ss:v BAD_SPECIFIER`]],
  ['a specifier of a muxer option', { 'movflags:v': '+faststart' }, [`${P}/movflags:v BAD_SPECIFIER`]],
  ['a specifier after an alias that has one', { 'vf:0': 'null' }, [`${P}/vf:0 BAD_SPECIFIER`]],
  ['a stream specifier for metadata', { 'metadata:v': 'a=b' }, [`${P}/metadata:v BAD_SPECIFIER`]],
  ['an unknown option', { nonsense_option: '1' }, [`${P}/nonsense_option UNKNOWN_OPTION`]],
  [
    'names of the JavaScript prototype',
    JSON.parse('{"__proto__":"1","constructor":"1"}'),
    [`${P}/__proto__ UNKNOWN_OPTION`, `${P}/constructor UNKNOWN_OPTION`],
  ],
  ['two names of one option, their values equal', { vcodec: 'copy', 'c:v': 'copy' }, [`${P}/c:v DUPLICATE_OPTION`]],
  ['two names of one option', { vcodec: 'libx264', 'c:v': 'copy' }, [`${P}/c:v DUPLICATE_OPTION`]],
  ['an input as an option', { i: '/etc/passwd' }, [`${P}/i OPTION_NOT_ALLOWED`]],
  ['a file to read', { attach: 'x' }, [`${P}/attach OPTION_NOT_ALLOWED`]],
  ['an empty dump_attachment', { 'dump_attachment:t': '' }, [`${P}/dump_attachment:t OPTION_NOT_ALLOWED`]],
  ['the container among the options', { format: 'mkv' }, [`${P}/format OPTION_NOT_ALLOWED`]],
  ['a log of its own', { report: '' }, [`${P}/report OPTION_NOT_ALLOWED`]],
  ['looser whitelists', { protocol_whitelist: 'file,http' }, [`${P}/protocol_whitelist OPTION_NOT_ALLOWED`]],
  ['a device', { init_hw_device: 'vaapi=x:/dev/sda' }, [`${P}/init_hw_device OPTION_NOT_ALLOWED`]],
  ['a library to load', { omx_libname: '/x.so' }, [`${P}/omx_libname OPTION_NOT_ALLOWED`]],
  ['an option of protocols', { http_proxy: 'http://x' }, [`${P}/http_proxy OPTION_NOT_ALLOWED`]],
  ['an unreviewed option of ffmpeg’s own', { async: '1' }, [`${P}/async OPTION_NOT_ALLOWED`]],
  ['a flag with a value', { vn: '/x.mkv' }, [`${P}/vn TAKES_NO_VALUE`]],
  ['"y" with a value', { y: '/x.mkv' }, [`${P}/y TAKES_NO_VALUE`]],
  ['keeping and replacing the output at once', { n: '', y: '' }, [`${P}/n EXCLUSIVE`]],
  ['the same, in words', { y: 'true', n: 'true' }, [`${P}/n EXCLUSIVE`]],
  ['an option without its value', { 'c:v': '' }, [`${P}/c:v EMPTY_VALUE`]],
  ['an encoder’s option without its value', { crf: '' }, [`${P}/crf EMPTY_VALUE`]],
  ['an empty list', { map: [] }, [`${P}/map EMPTY_LIST`]],
  [
    'a list where ffmpeg takes one',
    { crf: ['1', '2'], ss: ['1'] },
    [`${P}/crf NOT_REPEATABLE`, `${P}/ss NOT_REPEATABLE`],
  ],
  ['a NUL in a value', { metadata: 'title=a\0b' }, [`${P}/metadata CONTROL_CHARACTER`]],
  ['a lone surrogate in a value', { metadata: ['a=b', 'title=\udc00'] }, [`${P}/metadata BAD_ENCODING`]],
  ['a value over its length', { metadata: 'x'.repeat(16_385) }, [`${P}/metadata TOO_LONG`]],
  ['an expression that never ends', { g: 'while(1,1)' }, [`${P}/g BAD_VALUE`]],
  ['an invalid time', { ss: 'soon' }, [`${P}/ss BAD_TIME`]],
  ['a negative time', { t: '-5' }, [`${P}/t BAD_TIME`]],
  ['an unknown encoder', { 'c:v': 'libx246' }, [`${P}/c:v UNKNOWN_ENCODER`]],
  ['an encoder of the wrong kind', { 'c:v': 'aac' }, [`${P}/c:v WRONG_ENCODER`]],
  ['a codec that is not a name', { 'c:v': '../x' }, [`${P}/c:v BAD_VALUE`]],
  ['a map of a missing input', { map: ['0:v', '1:a'] }, [`${P}/map NO_SUCH_INPUT`]],
  ['the first pass alone', { pass: '1' }, [`${P}/pass BAD_PASS`]],
  ['three passes', { pass: '3' }, [`${P}/pass BAD_PASS`]],
  ['two passes without a bit rate', { pass: '2' }, [`${P}/pass BAD_PASS`]],
  ['two passes with a quality', { pass: '2', crf: '23' }, [`${P}/pass BAD_PASS`]],
  ['two passes for a stream of a program', { pass: '2', 'c:p:1': 'libx265' }, [`${P}/c:p:1 BAD_SPECIFIER`]],
  [
    'two passes for an ambiguous video',
    { pass: '2', map: ['0:v', '0:v'], 'c:v': 'libx265', 'x265-params:1': 'keyint=9' },
    [`${P}/x265-params:1 BAD_SPECIFIER`],
  ],
  ['another log of the passes', { passlogfile: 'x' }, [`${P}/passlogfile OPTION_NOT_ALLOWED`]],
  ['segments in another folder', { hls_segment_filename: '../x%d.ts' }, [`${P}/hls_segment_filename BAD_FILE_NAME`]],
  ['segments by URL', { hls_segment_filename: 'http:x%d' }, [`${P}/hls_segment_filename BAD_FILE_NAME`]],
  [
    'several errors, in the order sent',
    { '-an': '', vn: '1', t: 'x' },
    [`${P}/-an BAD_OPTION_NAME`, `${P}/vn TAKES_NO_VALUE`, `${P}/t BAD_TIME`],
  ],
])('rejects %s', (_what, parameters, expected) => {
  expect(optionErrors(parameters)).toEqual(expected);
});

test.each<[string, Parameters, string]>([
  ['a leading dash', { '-crf': '23' }, 'Send "crf".'],
  ['a misspelt option', { presett: 'fast' }, 'Send "preset".'],
  ['a misspelt option with a specifier', { 'profil:v': 'high' }, 'Send "profile:v".'],
  ['an old media prefix', { vmaxrate: '1M' }, 'Send "maxrate:v".'],
  ['a misspelt alias', { vcodc: 'libx264' }, 'Send "vcodec".'],
  ['a misspelt encoder', { 'c:v': 'libx246' }, 'Send "libx264".'],
  ['a codec by its other name', { 'c:v': 'h265' }, 'Send "libx265".'],
  ['an encoder by its short name', { 'c:v': 'x264' }, 'Send "libx264".'],
])('suggests what to send instead of %s', (_what, parameters, fix) => {
  expect(fixOf(parameters)).toBe(fix);
});

test('"n" with "y" is an error that says which one to keep for what', () => {
  const [error] = errorsOf(requestWith({ n: '', y: '' }));
  expect(error?.message).toMatch(/"n" keeps an existing output, "y" replaces it/);
  const ofAnInput = { inputs: [{ input: 'a.mp4', parameters: { n: '' } }], output: 'b.mp4', parameters: { y: '' } };
  expect(errorsOf(ofAnInput).map(({ field, code }) => `${field} ${code}`)).toEqual([
    '/inputs/0/parameters/n EXCLUSIVE',
  ]);
});

test.each<Parameters>([{ n: '' }, { y: '' }, { n: 'false', y: '' }, { n: '', y: 'false' }])(
  'accepts %o',
  (parameters) => expect(errorsOf(requestWith(parameters))).toEqual([]),
);

test('the message about an option sent under two names contains both', () => {
  const [error] = errorsOf(requestWith({ vf: 'hflip', 'filter:v': 'vflip' }));
  expect(error?.message).toMatch(/"vf".*"filter:v"/);
});

test.each<[string, InputSpec, string[]]>([
  ['an output option', { input: 'a.mp4', parameters: { map: '0' } }, ['/inputs/0/parameters/map WRONG_SIDE']],
  ['an encoder’s option', { input: 'a.mp4', parameters: { crf: '20' } }, ['/inputs/0/parameters/crf WRONG_SIDE']],
  ['a global option', { input: 'a.mp4', parameters: { copyts: '' } }, ['/inputs/0/parameters/copyts WRONG_SIDE']],
  ['replacing the output', { input: 'a.mp4', parameters: { y: '' } }, ['/inputs/0/parameters/y WRONG_SIDE']],
  [
    'a demuxer that opens other files',
    { input: 'a.mp4', parameters: { f: 'concat' } },
    ['/inputs/0/parameters/f UNKNOWN_FORMAT'],
  ],
  ['a path that leaves the root', { input: '../a.mp4' }, ['/inputs/0/input OUTSIDE_ROOT']],
  ['an empty path', { input: '' }, ['/inputs/0/input EMPTY']],
  ['a duration of no seconds', { input: 'a.png', duration: '0' }, ['/inputs/0/duration BAD_DURATION']],
  ['a duration that is not a number', { input: 'a.png', duration: '1e9' }, ['/inputs/0/duration BAD_DURATION']],
  ['a duration of a video', { input: 'a.mp4', duration: '3' }, ['/inputs/0/duration NOT_A_STILL']],
  ['two durations', { input: 'a.png', duration: '3', parameters: { t: '2' } }, ['/inputs/0/duration DUPLICATE_OPTION']],
  [
    'an option that makes a file open others',
    { input: 'a.mp4', parameters: { enable_drefs: '1' } },
    ['/inputs/0/parameters/enable_drefs OPTION_NOT_ALLOWED'],
  ],
])('rejects as input option or input: %s', (_what, spec, expected) => {
  expect(inputErrors(spec)).toEqual(expected);
});

test.each<[string, Partial<ConversionRequest>, string[]]>([
  ['an unknown format', { format: 'mp5' }, ['/format UNKNOWN_FORMAT']],
  ['a network format', { format: 'rtp' }, ['/format FORMAT_NOT_ALLOWED']],
  ['a format that writes to other formats', { format: 'tee' }, ['/format FORMAT_NOT_ALLOWED']],
  ['two formats', { format: 'mp4', parameters: { f: 'webm' } }, ['/parameters/f FORMAT_CONFLICT']],
  ['an unknown extension without a format', { output: 'b.xyz' }, ['/output UNKNOWN_FORMAT']],
  ['no extension and no format', { output: 'b' }, ['/output UNKNOWN_FORMAT']],
  ['an output that leaves the root', { output: '../b.mp4' }, ['/output OUTSIDE_ROOT']],
  ['a folder as output', { output: 'b/' }, ['/output IS_DIRECTORY']],
  ['an input as output, spelt differently', { output: '/x/..//a.mp4' }, ['/output OUTPUT_IS_INPUT']],
  ['an input as output, by its host path', { output: '/srv/media/a.mp4' }, ['/output OUTPUT_IS_INPUT']],
])('rejects %s', (_what, change, expected) => {
  expect(errorCodesOf({ input: 'a.mp4', output: 'b.mp4', ...change })).toEqual(expected);
});

test('rejects a command that is too long because it repeats input options for every input', () => {
  const inputs = Array.from({ length: 100 }, (_, n) => `${n}.mp4`);
  const of = (length: number) =>
    errorsOf({ inputs, output: 'b.mp4', parameters: { 'sub_charenc:s:0': 'x'.repeat(length) } });
  expect(of(1600)).toEqual([]);
  for (const errors of [of(1800), of(16_000)])
    expect(errors).toMatchObject([
      { field: P, code: 'TOO_LONG', message: expect.stringContaining('It repeats the input options') },
    ]);
  expect(errorsOf({ inputs: inputs.map((path) => `${'d/'.repeat(1200)}${path}`), output: 'b.mp4' })).toMatchObject([
    { field: '/inputs', code: 'TOO_LONG' },
  ]);
  expect(errorsOf({ inputs: inputs.map((path) => `${'d/'.repeat(200)}${path}`), output: 'b.mp4' })).toEqual([]);
});

test('rejects a second pass that is too long because it repeats the parameters of libx265 for each video', () => {
  const twoPasses = {
    'c:v': 'libx265',
    'b:v': '1M',
    pass: '2',
    'x265-params': `keyint=48${':keyint=48'.repeat(1400)}`,
  };
  const of = (videos: number) =>
    errorsOf({
      input: 'a.mp4',
      output: 'b.mp4',
      parameters: { ...twoPasses, map: Array.from({ length: videos }, () => '0:v:0') },
    });
  expect(of(15)).toEqual([]);
  expect(of(30)).toMatchObject([
    { field: P, code: 'TOO_LONG', message: expect.stringContaining('once for each video') },
  ]);
});

test.each([
  ['c:v', 'h264_v4l2m2m', 'Send "libx264".'],
  ['c:v', 'h264_vaapi', 'Send "libx264".'],
  ['c:v', 'vvc_qsv', undefined],
  ['vcodec', 'mpeg4_omx', 'Send "mpeg4".'],
])('rejects an encoder that opens a device, and suggests another one: %s %s', (key, value, fix) => {
  const errors = errorsOf({ input: 'a.mp4', output: 'b.mp4', parameters: { [key]: value } });
  expect(errors.map((error) => [error.code, error.fix])).toEqual([['NEEDS_DEVICE', fix]]);
});

test('rejects a decoder that opens a device', () => {
  expect(inputErrors({ input: 'a.mp4', parameters: { 'c:v': 'h264_cuvid' } })).toEqual([
    '/inputs/0/parameters/c:v NEEDS_DEVICE',
  ]);
  expect(inputErrors({ input: 'a.mp4', parameters: { 'c:v': 'h264' } })).toEqual([]);
});

test('accepts the same format under two names', () => {
  expect(errorsOf({ input: 'a.mp4', output: 'b', format: 'mkv', parameters: { f: 'matroska' } })).toEqual([]);
});

test.each<[string, Parameters, string]>([
  ['a path in a reviewed option', { brand: '/etc/passwd' }, 'BAD_VALUE'],
  ['a call in a list of words', { x264opts: 'ref=while(1,1)' }, 'BAD_VALUE'],
  ['a file of a library', { 'x264-params': 'stats=/etc/passwd' }, 'OPTION_NOT_ALLOWED'],
  ['an option of how files are opened', { follow: '1' }, 'OPTION_NOT_ALLOWED'],
  ['an option that was not reviewed', { 'vvenc-params': 'a=1' }, 'UNKNOWN_OPTION'],
  ['an endless expression for key frames', { force_key_frames: 'expr:while(1,1)' }, 'BAD_EXPRESSION'],
  ['an endless expression in a bitstream filter', { 'bsf:v': 'setts=ts=while(1,1)' }, 'BAD_EXPRESSION'],
  ['an endless expression in a filter', { vf: 'crop=while(1\\,1)' }, 'BAD_EXPRESSION'],
  ['a filter that opens files', { vf: 'movie=/etc/passwd' }, 'FILTER_NOT_ALLOWED'],
  ['a header for requests over the network', { headers: 'X: y' }, 'OPTION_NOT_ALLOWED'],
  ['an address with a line break', { hls_base_url: 'https://a/\nb' }, 'BAD_VALUE'],
])('rejects text that was not reviewed: %s', (_what, parameters, code) => {
  const key = Object.keys(parameters)[0];
  expect(optionErrors(parameters)).toEqual([`${P}/${key} ${code}`]);
});

test.each<[string, Parameters]>([
  ['a filter', { vf: 'hflip' }],
  ['a filtergraph', { filter_complex: '[0:v]null' }],
  ['two passes', { pass: '2', 'b:v': '1M' }],
  ['nested parameters', { 'x264-params': 'ref=3' }],
  ['an expression for key frames', { force_key_frames: 'expr:gte(t,n_forced*2)' }],
  ['a bitstream filter with arguments', { 'bsf:v': 'setts=ts=PTS-STARTPTS' }],
])('accepts what experts send: %s', (_what, parameters) => {
  expect(optionErrors(parameters)).toEqual([]);
});

test('accepts an ordinary request', () => {
  const ordinary: Parameters = {
    'c:v': 'libx264',
    preset: 'veryfast',
    tune: 'film',
    'profile:v': 'high',
    level: '4.1',
    pix_fmt: 'yuv420p',
    'b:v': '1.5M',
    maxrate: '2M',
    r: '30000/1001',
    s: '640x360',
    aspect: '16:9',
    map: ['0:v:0', '0:a?', '-0:s'],
    metadata: ['title=Ünïcode (and) /slashes/'],
    'metadata:s:a:0': 'language=eng',
    disposition: '+default',
    movflags: '+faststart',
    force_key_frames: '0,5.5,10',
    'bsf:v': 'h264_mp4toannexb',
    ss: '00:00:01.5',
    channel_layout: 'stereo',
    y: '',
  };
  expect(optionErrors(ordinary)).toEqual([]);
});

test.each([
  ['lavfi', '{"source": "'],
  ['concat', '"inputs", which "join" joins'],
])('says which field has the content of the input format %s', (f, part) => {
  const spec = { input: 'a.txt', parameters: { f } };
  expect(errorsOf({ inputs: [spec], output: 'b.mp4' })[0]?.message).toContain(part);
});

test.each<[string, InputSpec]>([
  ['an SVG drawing', { input: 'a.svg' }],
  ['a compressed SVG drawing', { input: 'a.SVGZ' }],
  ['an SVG drawing read as a picture', { input: 'a.svg', parameters: { f: 'image2' } }],
  ['a sequence of SVG drawings', { input: 'img%03d.svg', parameters: { framerate: '25' } }],
  ['all SVG drawings of a folder', { input: '*.svg', parameters: { pattern_type: 'glob' } }],
])('rejects %s, because ffmpeg would give it to a library that opens what it names', (_, spec) => {
  expect(inputErrors(spec)).toEqual(['/inputs/0/input UNSUPPORTED_FORMAT']);
});

test.each(['librsvg', 'svg'])('rejects the decoder %s for any input', (decoder) => {
  expect(inputErrors({ input: 'a.png', parameters: { f: 'image2', 'c:v': decoder } })).toContain(
    '/inputs/0/parameters/c:v OPTION_NOT_ALLOWED',
  );
});

test('errors can be sent to another thread, with the names that may be suggested', () => {
  const parameters = { presett: 'fast', 'c:v': 'libx246', s: '720', pix_fmt: 'yuv', r: 'x', 'x264-params': 'reff=1' };
  const result = planRequest({ input: 'a.mp4', output: 'b.mp4', format: 'mp5', parameters });
  const errors = result.ok ? [] : result.errors;
  expect(errors.length).toBeGreaterThan(5);
  expect(structuredClone(errors)).toEqual(errors);
});
