import { expect, test } from 'vitest';
import { parseLogLine } from '../log/log-line.ts';
import { findPolicyViolation, type Observed } from './policy-violations.ts';

const stream = { index: 0, type: 'audio', codec: 'aac' } as const;
const told = (more: Partial<Observed>): Observed => ({
  inputs: [{ streams: [stream] }],
  outputStreams: [stream],
  outSeconds: 1,
  complaints: [],
  ...more,
});
const saying = (...lines: readonly string[]) => told({ complaints: lines.map(parseLogLine) });

test('what is within is let go on, and what is not limited anyway', () => {
  const much = told({ outSeconds: 1e6, inputs: [{ streams: Array.from({ length: 900 }, () => stream) }] });
  expect(findPolicyViolation({}, much)).toBeUndefined();
  expect(findPolicyViolation({ duration: 1, streams: 1, pixels: 1 }, told({}))).toBeUndefined();
});

test('a length is past what it may be', () => {
  expect(findPolicyViolation({ duration: 3600 }, told({ outSeconds: 3600.5 }))?.message).toBe(
    'The output is longer than the 60 minutes that one may be (limit "duration").',
  );
});

test('streams are counted of each input and of the output', () => {
  const two = [stream, stream];
  expect(findPolicyViolation({ streams: 1 }, told({ outputStreams: two }))?.message).toContain('has 2 streams');
  expect(findPolicyViolation({ streams: 1 }, told({ inputs: [{ streams: [] }, { streams: two }] }))?.message).toContain(
    'has 2',
  );
  expect(
    findPolicyViolation({ streams: 1 }, told({ inputs: [{ streams: [stream] }, { streams: [stream] }] })),
  ).toBeUndefined();
});

test('pictures are measured by what ffmpeg refuses, whichever of its own limits that met', () => {
  const invalid = '[gif @ 0x1] [IMGUTILS @ 0x2] [error] Picture size 65535x65535 is invalid';
  const large =
    '[png @ 0x1] [IMGUTILS @ 0x2] [error] Picture size 4000x3000 exceeds specified max pixel count 1000000, see the documentation';
  expect(findPolicyViolation({ pixels: 1_000_000 }, saying(invalid))?.message).toContain('65535x65535; 1000000 pixels');
  expect(findPolicyViolation({ pixels: 1_000_000 }, saying(large))?.message).toContain('4000x3000');
});

test('what a damaged file says of pictures without a size is not that they are large', () => {
  const none = '[h264 @ 0x1] [IMGUTILS @ 0x2] [error] Picture size 0x0 is invalid';
  expect(findPolicyViolation({ pixels: 1_000_000 }, saying(none, '[info] Picture size 9x9'))).toBeUndefined();
});
