import { rangeBytes } from '@telecine/contract/domain/byte-ranges.ts';
import { expect, test } from 'vitest';
import { bytesOfChunk, type PacketPositions } from './chunk-bytes.ts';

const FRAME = 40_000;
const FRAMES = 25 * 600;
const HEADER = 48;

/** Ten minutes of 25 frames per second, 40 kB each, with a key frame every second. */
const seconds = Float64Array.from({ length: FRAMES }, (_, at) => at / 25);
const END = HEADER + FRAMES * FRAME;
const POSITIONS: PacketPositions = {
  starts: Float64Array.from({ length: FRAMES }, (_, at) => HEADER + at * FRAME),
  ends: Float64Array.from({ length: FRAMES }, (_, at) => HEADER + (at + 1) * FRAME),
  keyFrames: Uint32Array.from({ length: FRAMES }, (_, at) => at - (at % 25)),
  packets: [HEADER, END],
  packetBytes: FRAMES * FRAME,
  fileBytes: END + 1_000_000,
};

const bytes = (from: number, to: number, format = 'mov', positions = POSITIONS) =>
  bytesOfChunk(format, positions, { from: from * 25, to: to * 25, seconds })?.ranges;

test('a chunk needs the headers, its frames, some before and after them, and the index', () => {
  const ranges = bytes(300, 330) ?? [];
  expect(ranges).toEqual([
    [0, HEADER + 5_500_000],
    // From the key frame a second before, to four seconds after.
    [HEADER + 299 * 25 * FRAME, HEADER + (334 * 25 + 1) * FRAME],
    [END, END + 1_000_000],
  ]);
  expect(rangeBytes(ranges)).toBeLessThan(POSITIONS.fileBytes / 10);
});

test('a chunk of Matroska needs the start of the cluster too', () => {
  expect(bytes(300, 330, 'matroska')?.[1]?.[0]).toBe(HEADER + 293 * 25 * FRAME);
});

test('the last chunk needs all until the end', () => {
  expect(bytes(570, 600)?.[1]).toEqual([HEADER + 569 * 25 * FRAME, END + 1_000_000]);
});

test('a file may end with its last frame', () => {
  expect(bytes(300, 330, 'mov', { ...POSITIONS, fileBytes: END })?.at(-1)?.[1]).toBeLessThan(END);
  expect(bytesOfChunk('mov', { ...POSITIONS, fileBytes: END }, { from: 7500, to: 8250, seconds })?.fileBytes).toBe(END);
});

test('frames that an edit list hides belong to the first chunk that needs them', () => {
  const hidden = {
    ...POSITIONS,
    starts: POSITIONS.starts,
    packets: [0, END] as const,
    packetBytes: POSITIONS.packetBytes + HEADER,
  };
  expect(bytes(0, 20, 'mov', hidden)?.[0]?.[0]).toBe(0);
});

test('a chunk that is most of the file gets all of it', () => {
  expect(bytes(10, 500)).toBeUndefined();
});

test('the bytes are not known in a file with headers between the frames, or in a transport stream', () => {
  expect(bytes(300, 330, 'mov', { ...POSITIONS, packetBytes: POSITIONS.packetBytes - 10_000 })).toBeUndefined();
  expect(bytes(300, 330, 'mpegts')).toBeUndefined();
});
