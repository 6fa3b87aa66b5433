import type { Failure } from '@telecine/contract/domain/failure.ts';
import { describe, expect, test } from 'vitest';
import { NEWER_VERSIONS, recordedLines } from '../../../../test/fixtures/recorded.ts';
import { classifyFailure, filteringFailed, isComplaint, writingFailed } from './classify.ts';
import { type LogLine, parseLogLine } from './log-line.ts';

/** The complaints in a whole log. */
function complaints(lines: readonly string[]): readonly LogLine[] {
  const read = lines.map(parseLogLine);
  const begins = read.findIndex(({ level }) => level !== undefined);
  return read.filter((line, index) => isComplaint(line, begins >= 0 && index > begins));
}

const failure = (name: string, code = 1) =>
  classifyFailure({ code, signal: null, lines: complaints(recordedLines(name)) });
const say = (...lines: readonly string[]) => classifyFailure({ code: 1, signal: null, lines: complaints(lines) });

test.each<[name: string, code: Failure['code'], message: RegExp, about?: Failure['about']]>([
  ['truncated', 'INPUT_INVALID', /incomplete MP4/, { input: 'in/trunc.mp4' }],
  ['no-stream', 'INPUT_INVALID', /map "0:5"/],
  ['subs-only', 'INPUT_INVALID', /can use no stream of the inputs/],
  ['missing', 'INPUT_NOT_FOUND', /in\/none\.mp4/, { input: 'in/none.mp4' }],
  ['unknown-encoder', 'UNSUPPORTED', /no encoder nosuch/],
  ['experimental', 'UNSUPPORTED', /opus is experimental/],
  ['webm-h264', 'UNSUPPORTED', /cannot hold its streams/],
  ['no-tag', 'UNSUPPORTED', /FLV supports only these sample rates: 44100/],
  ['whitelist', 'UNSUPPORTED', /has the format "mov,.*not supported/, { input: 'in/0.mp4', isNotOpened: true }],
  ['playlist', 'UNSUPPORTED', /format "mov,/, { input: 'in/playlist.mp4', isNotOpened: true }],
  ['not-media', 'UNSUPPORTED', /format "srt", which is not supported/, { input: 'in/1.srt', isNotOpened: true }],
  ['no-filter', 'UNSUPPORTED', /no filter nosuch/],
  ['no-space', 'NO_SPACE', /disk is full/],
  ['no-memory', 'LIMIT_EXCEEDED', /memory or threads/],
  ['odd-size', 'FFMPEG_FAILED', /does not take the frame size: width not divisible by 2 \(\d+x\d+\)/],
])('%s: %s', (name, code, message, about) => {
  const { fix, ...rest } = failure(name);
  expect(rest).toEqual({ code, message: expect.stringMatching(message), about });
  expect(fix).toBeTruthy();
});

describe.each(NEWER_VERSIONS)('with the log of ffmpeg %s', (version) => {
  test.each([
    ['truncated', 'INPUT_INVALID', /"?in\/trunc\.mp4"? is an incomplete MP4 or MOV file/],
    ['no-stream', 'INPUT_INVALID', /map "0:5"/],
    ['subs-only', 'INPUT_INVALID', /can use no stream of the inputs/],
    ['missing', 'INPUT_NOT_FOUND', /in\/none\.mp4/],
    ['unknown-encoder', 'UNSUPPORTED', /no encoder nosuch/],
    ['webm-h264', 'UNSUPPORTED', /cannot hold its streams/],
    ['no-tag', 'UNSUPPORTED', /cannot hold pcm_alaw/],
    [
      'whitelist',
      'UNSUPPORTED',
      /^The (?:format of the input in\/0\.mp4 is|input in\/0\.mp4 has the format "mov,.*which is) not supported\.$/,
    ],
    ['playlist', 'INPUT_INVALID', /in\/list\.mp4 is not a media file/],
    [
      'not-media',
      'UNSUPPORTED',
      /^The (?:format of the input in\/1\.srt is|input in\/1\.srt has the format "srt", which is) not supported\.$/,
    ],
    ['no-filter', 'UNSUPPORTED', /no filter nosuch/],
    ['odd-size', 'FFMPEG_FAILED', /does not take the frame size: width not divisible by 2 \(\d+x\d+\)/],
  ] as const)('%s: %s', (name, code, message) => {
    expect(failure(`${version}/${name}`)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test.each([
  ['hls', /is a list or a drawing \(hls\) that names other files/],
  ['sbg', /is a script or a program \(sbg\)/],
  ['tty', /ffmpeg takes it for "tty"/],
  ['lc3', /has the format "lc3", which is not supported/],
  ['in#0', /^The format of the input in\/0\.x is not supported\.$/],
])('names the format %s, which no input may have', (demuxer, message) => {
  const { code, message: text } = say(
    `[${demuxer} @ 0x1] \u001b[0m\u001b[1;31m[error] \u001b[0mFormat not on whitelist 'mov'`,
    '[1;31m[error] \u001b[0min/0.x: Invalid argument'.replace('[', '\u001b['),
  );
  expect({ code, text }).toEqual({ code: 'UNSUPPORTED', text: expect.stringMatching(message) });
});

test('exit code 0 after a failed filter is a failure', () => {
  const lines = complaints([
    '[info] Stream mapping:',
    '\x1b[1;31m[error] \x1b[0m\x1b[1;31mError while filtering: Cannot allocate memory\x1b[0m',
    '\x1b[0;33m[warning] \x1b[0m\x1b[0;33mFinishing stream 0:0 without any data written to it.\x1b[0m',
  ]);
  expect(filteringFailed(lines)).toBe(true);
  expect(classifyFailure({ code: 0, signal: null, lines })).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  expect(filteringFailed(lines.slice(1))).toBe(false);
  const worded = complaints([
    '\x1b[0;33m[warning] \x1b[0m\x1b[0;33mslow\x1b[0m',
    '[error] Error while filtering: Cannot allocate memory',
  ]);
  expect(filteringFailed(worded)).toBe(false);
});

test.each([
  'Error writing trailer of out/o.mp4: No space left on device',
  'Error closing file out/o.mkv: No space left on device',
])('exit code 0 after "%s" is a failure', (text) => {
  const lines = complaints([`\x1b[1;31m[error] \x1b[0m\x1b[1;31m${text}\x1b[0m`]);
  expect(writingFailed(lines)).toBe(true);
  expect(classifyFailure({ code: 0, signal: null, lines })).toMatchObject({ code: 'NO_SPACE' });
  const worded = complaints(['\x1b[0;33m[warning] \x1b[0m\x1b[0;33mslow\x1b[0m', `[error] ${text}`]);
  expect(writingFailed(worded)).toBe(false);
});

test('an error while decoding the start is not the message if another error follows', () => {
  const error = (text: string) => `\x1b[1;31m[error] \x1b[0m\x1b[1;31m${text}\x1b[0m`;
  const decoding = error('Error while decoding stream #0:1: Invalid data found when processing input');
  const last = error('Error while filtering: Invalid argument');
  expect(say('[info] Stream mapping:', decoding, last).message).toBe(
    'A filter rejected its options, or cannot use its input with them.',
  );
  expect(say('[info] Stream mapping:', decoding).message).toContain('Error while decoding stream #0:1');
});

describe('an encoder without memory', () => {
  const malloc = 'x264 [error]: malloc of size 14005120 failed';
  const error = (text: string, component = '') => `${component}\x1b[1;31m[error] \x1b[0m\x1b[1;31m${text}\x1b[0m`;
  const submitting = 'Error submitting video frame to the encoder';
  const opening = 'Error while opening encoder - maybe incorrect parameters such as bit_rate, rate, width or height.';

  test.each([
    [malloc, error(submitting)],
    [malloc, error(`Error initializing output stream 0:0 -- ${opening.replace(' -', ' for output stream #0:0 -')}`)],
    [malloc, error(opening, '[vost#0:0/libx264 @ 0x1] ')],
    ['x265 [error]: malloc of size 259200 failed', error(submitting)],
    [error('Error encoding frame: Memory allocation error', '[libvpx-vp9 @ 0x1] '), error(submitting)],
    [error('Error initializing encoder: insufficient resources (0x80001000)', '[libsvtav1 @ 0x1] '), error(opening)],
  ])('%s: LIMIT_EXCEEDED', (...lines) => {
    expect(say('[info] Stream mapping:', ...lines)).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      fix: expect.stringContaining('fewer threads'),
    });
  });

  test('an encoder’s own line explains a failure only together with a line of ffmpeg', () => {
    const forged = ['[info]     title           : one', malloc, `[error] ${submitting}`];
    expect(say(...forged, error('Error initializing filters')).code).toBe('FFMPEG_FAILED');
    expect(say('[info] Stream mapping:', error(submitting))).toMatchObject({
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg failed: Error submitting video frame to the encoder.',
    });
  });
});

test('text from media or from the client does not explain a failure', () => {
  const real = '[error] Could not write header for output file #0 (incorrect codec parameters ?): Invalid argument';
  for (const forged of [
    ['[info]     title           : one', '                    : No space left on device'],
    ["[info] Input #0, mp3, from 'in/0.mp3':", 'av_interleaved_write_frame(): No space left on device'],
    ['[info]     comment         : x: No space left on device'],
    ['[error] out/No space left on device.mp4: Invalid argument'],
  ])
    expect(say(...forged, real).code).toBe('UNSUPPORTED');
});

test.each([
  // Recorded with ffmpeg 5.1 on a machine without a device.
  ['[error] No VA display found for device dev/vaapi.', '[error] Device creation failed: -22.'],
  [
    '[error] Cannot load libcuda.so.1',
    '[error] Could not dynamically load CUDA',
    '[error] Device creation failed: -1.',
  ],
  [
    '[error] Cannot load libcuda.so.1',
    '[error] Error initializing output stream 0:0 -- Error while opening encoder for output stream #0:0 - maybe incorrect parameters such as bit_rate, rate, width or height',
  ],
  // From the sources of the encoders: no device was at hand.
  ['[error] OpenEncodeSessionEx failed: out of memory (10): (no details)'],
  ['[error] Failed to create encode pipeline configuration: 2 (resource allocation failed).'],
])('a device that fails is told from a wrong request: %s', (...lines) => {
  expect(say(...lines)).toMatchObject({ code: 'DEVICE_FAILED', fix: expect.stringContaining('"fallback"') });
});

test('errors before ffmpeg starts have no level', () => {
  expect(say("bwrap: Can't mkdir /job: No space left on device").code).toBe('NO_SPACE');
  for (const [program, line] of [
    ['prlimit', 'prlimit: failed to set the NPROC resource limit: Operation not permitted'],
    ['bwrap', 'bwrap: Creating new namespace failed: Resource temporarily unavailable'],
    ['timeout', '/usr/bin/timeout: fork system call failed: Resource temporarily unavailable'],
  ])
    expect(say(line ?? '').message).toBe(`ffmpeg could not be started: ${program} failed on this machine.`);
  expect(say('ffmpeg: error while loading shared libraries: libx.so: Cannot allocate memory').message).toContain(
    'memory',
  );
});

test('a message names the input that ffmpeg could not open', () => {
  expect(failure('truncated').message).toBe(
    'The input in/trunc.mp4 is an incomplete MP4 or MOV file: its index (moov atom) is missing.',
  );
  expect(say('[error] moov atom not found').message).toMatch(/^The input is an incomplete MP4 or MOV file/);
  expect(say('[error] moov atom not found').fix, 'it may still be copied').toMatch(/send the request again when/);
});

test('a file whose format ffmpeg can only guess, and that it cannot read, is not media', () => {
  const guess = '[mov,mp4 @ 0x1] [warning] Format mov,mp4 detected only with low score of 1, misdetection possible!';
  const moov = '[mov,mp4 @ 0x1] [error] moov atom not found';
  expect(say(guess, moov, '[error] in/0.mp4: Invalid data found when processing input')).toMatchObject({
    code: 'INPUT_INVALID',
    message: 'The input in/0.mp4 is not a media file that this service can read, whatever its extension.',
  });
  expect(say(guess, "[AVFilterGraph @ 0x1] [error] No such filter: 'nosuch'").code).toBe('UNSUPPORTED');
});

test.each([
  ["[Parsed_scale_0 @ 0x1] [error] Option 'wide' not found", 'A filter has no option "wide".'],
  [
    "[fc#0 @ 0x1] [error] Error applying option 'wide' to filter 'scale': Option not found",
    'The filter scale has no option "wide".',
  ],
])('%s', (line, message) => {
  expect(say(line, '[fatal] Error while processing the decoded data for stream #0:0').message).toBe(message);
});

test('without a matching rule, the first allowed error line is the message', () => {
  expect(failure('bad-value')).toMatchObject({
    code: 'FFMPEG_FAILED',
    message: 'ffmpeg rejected the value "abc" of the option "crf".',
  });
});

test('a line of unknown form is not part of the message', () => {
  const { message } = say('[error] the secret is /etc/shadow', '[info] Conversion failed!');
  expect(message).toBe('ffmpeg failed (exit code 1).');
});

test.each([
  ['the processor time is used up and ffmpeg exited gracefully', 255, null],
  ['the processor time is used up and ffmpeg gave up at the fourth signal', 123, null],
  ['the processor time is used up without a sandbox', null, 'SIGXCPU'],
] as const)('%s: TIMEOUT', (_name, code, signal) => {
  const lines = code === 255 ? recordedLines('cpu') : [];
  expect(classifyFailure({ code, signal, lines: lines.map(parseLogLine) }).code).toBe('TIMEOUT');
});

test.each([
  [153, null],
  [null, 'SIGXFSZ'],
] as const)('a file over its size limit (%s, %s) is not retried', (code, signal) => {
  expect(classifyFailure({ code, signal, lines: [] })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringContaining('maximum file size'),
  });
});

test('an exceeded limit is named with its value', () => {
  const ended = { code: 1, signal: null, lines: complaints(recordedLines('no-memory')) };
  expect(classifyFailure(ended, { memory: 2 ** 31, processes: 640 }).message).toBe(
    'ffmpeg needed more memory or threads than a job may use (limit "memory": 2.15 GB (2 GiB), "processes": 640 threads).',
  );
  expect(classifyFailure({ code: 152, signal: null, lines: [] }, { cpu: 120 }).message).toContain(
    '(limit "cpu": 2 minutes)',
  );
  expect(classifyFailure({ code: 153, signal: null, lines: [] }, { output: 300_000 }).message).toContain('300 kB');
});

test.each([
  [137, null],
  [null, 'SIGKILL'],
] as const)('a kill from outside the service (%s, %s) is named as such', (code, signal) => {
  expect(classifyFailure({ code, signal, lines: [] })).toMatchObject({
    code: 'FFMPEG_FAILED',
    message: expect.stringContaining('memory'),
  });
});

test.each([
  ['ffmpeg closed its file', 255, null, ['[info] Exiting normally, received signal 15.']],
  ['the signal killed the sandbox', null, 'SIGTERM', []],
  ['the signal killed ffmpeg before it handled signals', 143, null, []],
] as const)('stopped from outside the service, %s: WORKER_LOST', (_name, code, signal, lines) => {
  expect(classifyFailure({ code, signal, lines: lines.map(parseLogLine) }).code).toBe('WORKER_LOST');
});

test('a segmentation fault is reported as a crash', () => {
  expect(classifyFailure({ code: 139, signal: null, lines: [] }).message).toMatch(/crashed/);
});

test('a forged line in a tag name does not explain a failure', () => {
  expect(failure('forged-failure')).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('"0:v"') });
});

test('a forged signal line without the exit code is ignored', () => {
  const line = parseLogLine('[info] Exiting normally, received signal 15.');
  expect(classifyFailure({ code: 1, signal: null, lines: [line] }).code).toBe('FFMPEG_FAILED');
});

test.each([
  ['[error] file:in/0.mkv: End of file', /cannot read the input in\/0\.mkv/],
  ['[error] in/0.webm: Not yet implemented in FFmpeg, patches welcome', /cannot read the input in\/0\.webm/],
  ['[error] Error opening input: End of file', /cannot read the input: it is damaged/],
  ['[fatal] file:in/0.ass: could not find codec parameters', /cannot read the input in\/0\.ass/],
  ['[fatal] Decoder (codec none) not found for input stream #0:0', /codec that ffmpeg does not know/],
  ['[error] Cannot determine format of input stream 0:0 after EOF', /stream that cannot be decoded/],
  ['[buffer @ 0x1] [error] Error setting option video_size to value 0x0.', /no decodable video/],
])('%s: the input is the cause', (line, expected) => {
  const { code, message, fix } = say('[info] begun', line, '[fatal] Error marking filters as finished');
  expect({ code, message }).toEqual({ code: 'INPUT_INVALID', message: expect.stringMatching(expected) });
  expect(fix).toMatch(/[Cc]heck that the file plays/);
});
