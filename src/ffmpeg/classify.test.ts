import { expect, test } from 'vitest';
import { recordedLines } from '../../test/fixtures/recorded.ts';
import { classify } from './classify.ts';
import { parseLogLine } from './log-line.ts';

const failure = (name: string, code = 1) =>
  classify({ code, signal: null, lines: recordedLines(name).map(parseLogLine) });
const say = (...lines: readonly string[]) => classify({ code: 1, signal: null, lines: lines.map(parseLogLine) });

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
  ['no-memory', 'FFMPEG_FAILED', /memory or threads/],
  ['odd-size', 'FFMPEG_FAILED', /width not divisible by 2/],
] as const)('%s: %s', (name, code, message) => {
  const { fix, ...rest } = failure(name);
  expect(rest).toEqual({ code, message: expect.stringMatching(message) });
  expect(fix).toBeTruthy();
});

test('where no rule fits, the first telling line of a known shape is the message', () => {
  expect(failure('bad-value')).toMatchObject({
    code: 'FFMPEG_FAILED',
    message: "ffmpeg failed: Undefined constant or missing '(' in 'abc'",
  });
});

test('a line of unknown shape is not in the message', () => {
  const { message } = say('[error] the secret is /etc/shadow', '[info] Conversion failed!');
  expect(message).toBe('ffmpeg failed (exit code 1).');
});

test.each([
  ['the processor time is used up and ffmpeg ended politely', 255, null],
  ['the processor time is used up and the kernel killed', 137, null],
  ['the processor time is used up and ffmpeg gave up at the fourth signal', 123, null],
  ['killed without a sandbox', null, 'SIGKILL'],
] as const)('%s: TIMEOUT', (_name, code, signal) => {
  const lines = code === 255 ? recordedLines('cpu') : [];
  expect(classify({ code, signal, lines: lines.map(parseLogLine) }).code).toBe('TIMEOUT');
});

test.each([
  [153, null],
  [null, 'SIGXFSZ'],
] as const)('a file past its limit (%s, %s): NO_SPACE', (code, signal) => {
  expect(classify({ code, signal, lines: [] })).toMatchObject({ code: 'NO_SPACE', fix: expect.any(String) });
});

test('a crash is called a crash', () => {
  expect(classify({ code: 139, signal: null, lines: [] }).message).toMatch(/crashed/);
});
