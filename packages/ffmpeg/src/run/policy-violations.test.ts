import { expect, test } from 'vitest';
import { parseLogLine } from '../log/log-line.ts';
import { findPolicyViolation, type ObservedPass } from './policy-violations.ts';

const observed = (more: Partial<ObservedPass>): ObservedPass => ({
  largestStreamCount: 1,
  outSeconds: 1,
  complaints: [],
  ...more,
});
const observedLines = (...lines: readonly string[]) => observed({ complaints: lines.map(parseLogLine) });

test('a pass within its limits, or without limits, violates nothing', () => {
  const much = observed({ outSeconds: 1e6, largestStreamCount: 900 });
  expect(findPolicyViolation({}, much)).toBeUndefined();
  expect(findPolicyViolation({ duration: 1, streams: 1, pixels: 1 }, observed({}))).toBeUndefined();
});

test('an output over the duration limit is reported', () => {
  expect(findPolicyViolation({ duration: 3600 }, observed({ outSeconds: 3600.5 }))?.message).toBe(
    'The output is longer than the 60 minutes allowed for one output (limit "duration").',
  );
});

test('an output over what is left of the quota of media is reported, but not one whose length is unknown', () => {
  expect(findPolicyViolation({ media: 9 }, observed({ mediaSeconds: 10.5 }))).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'The output is longer than the 9 seconds that are left of the quota "media" of this day.',
  });
  // The last frame may end later than what was asked for.
  expect(findPolicyViolation({ media: 9 }, observed({ mediaSeconds: 9.9 }))).toBeUndefined();
  expect(findPolicyViolation({ media: 9 }, observed({ outSeconds: 100 }))).toBeUndefined();
});

test('a file with more streams than allowed is reported', () => {
  expect(findPolicyViolation({ streams: 1 }, observed({ largestStreamCount: 2 }))?.message).toContain('has 2 streams');
});

test('reports a picture that ffmpeg rejects as too large, for either of its reasons', () => {
  const invalid = '[gif @ 0x1] [IMGUTILS @ 0x2] [error] Picture size 65535x65535 is invalid';
  const large =
    '[png @ 0x1] [IMGUTILS @ 0x2] [error] Picture size 4000x3000 exceeds specified max pixel count 1000000, see the documentation';
  expect(findPolicyViolation({ pixels: 1_000_000 }, observedLines(invalid))?.message).toContain(
    '65535x65535; at most 1000000 pixels',
  );
  expect(findPolicyViolation({ pixels: 1_000_000 }, observedLines(large))?.message).toContain('4000x3000');
});

test('ignores pictures without a size in damaged files', () => {
  const none = '[h264 @ 0x1] [IMGUTILS @ 0x2] [error] Picture size 0x0 is invalid';
  expect(findPolicyViolation({ pixels: 1_000_000 }, observedLines(none, '[info] Picture size 9x9'))).toBeUndefined();
});
