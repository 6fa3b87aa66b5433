import { describe, expect, test } from 'vitest';
import { NEWER_VERSIONS, recordedLines } from '../../../test/fixtures/recorded.ts';
import { classifyFailure, filteringFailed, isComplaint } from './classify.ts';
import { type LogLine, parseLogLine } from './log-line.ts';

/** What counts of a whole log. */
function complaints(lines: readonly string[]): readonly LogLine[] {
  const read = lines.map(parseLogLine);
  const begins = read.findIndex(({ level }) => level !== undefined);
  return read.filter((line, index) => isComplaint(line, begins >= 0 && index > begins));
}

const failure = (name: string, code = 1) =>
  classifyFailure({ code, signal: null, lines: complaints(recordedLines(name)) });
const say = (...lines: readonly string[]) => classifyFailure({ code: 1, signal: null, lines: complaints(lines) });

test.each([
  ['truncated', 'INPUT_INVALID', /not complete/],
  ['no-stream', 'INPUT_INVALID', /map "0:5"/],
  ['subs-only', 'INPUT_INVALID', /nothing that the output could be made of/],
  ['missing', 'INPUT_NOT_FOUND', /in\/none\.mp4/],
  ['unknown-encoder', 'UNSUPPORTED', /no encoder nosuch/],
  ['experimental', 'UNSUPPORTED', /opus is experimental/],
  ['webm-h264', 'UNSUPPORTED', /Only VP8 or VP9 or AV1/],
  ['no-tag', 'UNSUPPORTED', /cannot hold pcm_s16le/],
  ['whitelist', 'UNSUPPORTED', /does not open/],
  ['playlist', 'UNSUPPORTED', /does not open/],
  ['not-media', 'UNSUPPORTED', /does not open/],
  ['no-filter', 'UNSUPPORTED', /no filter nosuch/],
  ['no-space', 'NO_SPACE', /disk ran full/],
  ['no-memory', 'LIMIT_EXCEEDED', /memory or threads/],
  ['odd-size', 'FFMPEG_FAILED', /width not divisible by 2/],
] as const)('%s: %s', (name, code, message) => {
  const { fix, ...rest } = failure(name);
  expect(rest).toEqual({ code, message: expect.stringMatching(message) });
  expect(fix).toBeTruthy();
});

describe.each(NEWER_VERSIONS)('in the words of ffmpeg %s', (version) => {
  test.each([
    ['truncated', 'INPUT_INVALID', /"?in\/trunc\.mp4"? is an MP4 or MOV file without its index/],
    ['no-stream', 'INPUT_INVALID', /map "0:5"/],
    ['subs-only', 'INPUT_INVALID', /nothing that the output could be made of/],
    ['missing', 'INPUT_NOT_FOUND', /in\/none\.mp4/],
    ['unknown-encoder', 'UNSUPPORTED', /no encoder nosuch/],
    ['webm-h264', 'UNSUPPORTED', /Only VP8 or VP9 or AV1/],
    ['no-tag', 'UNSUPPORTED', /cannot hold pcm_alaw/],
    ['whitelist', 'UNSUPPORTED', /in\/0\.mp4 is of a kind .* does not open/],
    ['playlist', 'INPUT_INVALID', /in\/list\.mp4 is no media/],
    ['not-media', 'UNSUPPORTED', /in\/1\.srt is of a kind .* does not open/],
    ['no-filter', 'UNSUPPORTED', /no filter nosuch/],
    ['odd-size', 'FFMPEG_FAILED', /width not divisible by 2/],
  ] as const)('%s: %s', (name, code, message) => {
    expect(failure(`${version}/${name}`)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

test('a success that is none: a filter failed, and what was there was closed', () => {
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

describe('an encoder that is out of memory', () => {
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

  test('what it says past the log decides only beside what ffmpeg says', () => {
    const forged = ['[info]     title           : one', malloc, `[error] ${submitting}`];
    expect(say(...forged, error('Error initializing filters')).code).toBe('FFMPEG_FAILED');
    expect(say('[info] Stream mapping:', error(submitting))).toMatchObject({
      code: 'FFMPEG_FAILED',
      message: 'ffmpeg failed: Error submitting video frame to the encoder.',
    });
  });
});

test('what a file or a client words itself decides nothing', () => {
  const real = '[error] Could not write header for output file #0 (incorrect codec parameters ?): Invalid argument';
  for (const forged of [
    ['[info]     title           : one', '                    : No space left on device'],
    ["[info] Input #0, mp3, from 'in/0.mp3':", 'av_interleaved_write_frame(): No space left on device'],
    ['[info]     comment         : x: No space left on device'],
    ['[error] out/No space left on device.mp4: Invalid argument'],
  ])
    expect(say(...forged, real).code).toBe('FFMPEG_FAILED');
});

test('what keeps ffmpeg from being started is told without a level', () => {
  expect(say("bwrap: Can't mkdir /job: No space left on device").code).toBe('NO_SPACE');
  expect(say('ffmpeg: error while loading shared libraries: libx.so: Cannot allocate memory').message).toContain(
    'memory',
  );
});

test('a message names the input that ffmpeg complains of', () => {
  expect(failure('truncated').message).toBe(
    'The input in/trunc.mp4 is an MP4 or MOV file without its index (moov atom), so it is not complete.',
  );
  expect(say('[error] moov atom not found').message).toMatch(/^The input is an MP4 or MOV file/);
});

test('what ffmpeg could only guess at, and then not read, is no media', () => {
  const guess = '[mov,mp4 @ 0x1] [warning] Format mov,mp4 detected only with low score of 1, misdetection possible!';
  const moov = '[mov,mp4 @ 0x1] [error] moov atom not found';
  expect(say(guess, moov, '[error] in/0.mp4: Invalid data found when processing input')).toMatchObject({
    code: 'INPUT_INVALID',
    message: 'The input in/0.mp4 is no media that this service can read, whatever its name says.',
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

test('where no rule fits, the first telling line of a known shape is the message', () => {
  expect(failure('bad-value')).toMatchObject({
    code: 'FFMPEG_FAILED',
    message: 'The option "crf" cannot be "abc".',
  });
});

test('a line of unknown shape is not in the message', () => {
  const { message } = say('[error] the secret is /etc/shadow', '[info] Conversion failed!');
  expect(message).toBe('ffmpeg failed (exit code 1).');
});

test.each([
  ['the processor time is used up and ffmpeg ended politely', 255, null],
  ['the processor time is used up and ffmpeg gave up at the fourth signal', 123, null],
  ['the processor time is used up without a sandbox', null, 'SIGXCPU'],
] as const)('%s: TIMEOUT', (_name, code, signal) => {
  const lines = code === 255 ? recordedLines('cpu') : [];
  expect(classifyFailure({ code, signal, lines: lines.map(parseLogLine) }).code).toBe('TIMEOUT');
});

test.each([
  [153, null],
  [null, 'SIGXFSZ'],
] as const)('a file past its limit (%s, %s) is not tried again', (code, signal) => {
  expect(classifyFailure({ code, signal, lines: [] })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringContaining('size that one file may have'),
  });
});

test('a limit that was met is named with its figure', () => {
  const ended = { code: 1, signal: null, lines: complaints(recordedLines('no-memory')) };
  expect(classifyFailure(ended, { memory: 2 ** 31, processes: 640 }).message).toBe(
    'ffmpeg needed more memory or threads than a job may have (limit "memory": 2 GiB, "processes": 640 threads).',
  );
  expect(classifyFailure({ code: 152, signal: null, lines: [] }, { cpu: 120 }).message).toContain(
    '(limit "cpu": 2 minutes)',
  );
  expect(classifyFailure({ code: 153, signal: null, lines: [] }, { output: 300_000 }).message).toContain('293 KiB');
});

test.each([
  [137, null],
  [null, 'SIGKILL'],
] as const)('killed by another than the service (%s, %s): it says so', (code, signal) => {
  expect(classifyFailure({ code, signal, lines: [] })).toMatchObject({
    code: 'FFMPEG_FAILED',
    message: expect.stringContaining('memory'),
  });
});

test.each([
  ['ffmpeg closed its file', 255, null, ['[info] Exiting normally, received signal 15.']],
  ['the sandbox died of it', null, 'SIGTERM', []],
  ['ffmpeg died of it before it listened', 143, null, []],
] as const)('told to end by another than the service, %s: WORKER_LOST', (_name, code, signal, lines) => {
  expect(classifyFailure({ code, signal, lines: lines.map(parseLogLine) }).code).toBe('WORKER_LOST');
});

test('a crash is called a crash', () => {
  expect(classifyFailure({ code: 139, signal: null, lines: [] }).message).toMatch(/crashed/);
});

test('a failure is told by ffmpeg’s own words, not by those in the name of a tag', () => {
  expect(failure('forged-failure')).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('"0:v"') });
});

test('a signal that only a tag tells of was none', () => {
  const line = parseLogLine('[info] Exiting normally, received signal 15.');
  expect(classifyFailure({ code: 1, signal: null, lines: [line] }).code).toBe('FFMPEG_FAILED');
});

test.each([
  ['[error] file:in/0.mkv: End of file', /cannot read the input in\/0\.mkv/],
  ['[error] in/0.webm: Not yet implemented in FFmpeg, patches welcome', /cannot read the input in\/0\.webm/],
  ['[error] Error opening input: End of file', /cannot read the input: it is damaged/],
  ['[fatal] file:in/0.ass: could not find codec parameters', /cannot read the input in\/0\.ass/],
  ['[fatal] Decoder (codec none) not found for input stream #0:0', /codec that ffmpeg does not know/],
  ['[error] Cannot determine format of input stream 0:0 after EOF', /nothing can be decoded/],
  ['[buffer @ 0x1] [error] Error setting option video_size to value 0x0.', /no picture that can be decoded/],
])('%s: the input is to blame', (line, message) => {
  const { code, message: said, fix } = say('[info] begun', line, '[fatal] Error marking filters as finished');
  expect({ code, said }).toEqual({ code: 'INPUT_INVALID', said: expect.stringMatching(message) });
  expect(fix).toMatch(/Check that the file plays/);
});
