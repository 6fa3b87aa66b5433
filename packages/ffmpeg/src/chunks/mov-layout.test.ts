import { expect, test } from 'vitest';
import { movPackets } from './mov-layout.ts';

/** A box without its content, which nothing reads. */
function box(type: string, bytes: number, size: 'short' | 'long' | 'to the end' = 'short'): Buffer {
  const content = Buffer.alloc(bytes);
  content.write(type, 4, 'latin1');
  if (size === 'short') content.writeUInt32BE(bytes, 0);
  if (size === 'long') {
    content.writeUInt32BE(1, 0);
    content.writeBigUInt64BE(BigInt(bytes), 8);
  }
  return content;
}

const packetsOf = (...boxes: readonly Buffer[]) => {
  const file = Buffer.concat(boxes);
  return movPackets(async (position, length) => file.subarray(position, position + length), file.length);
};

test('the packets of a file are in one box, before or after the index', async () => {
  expect(await packetsOf(box('ftyp', 32), box('moov', 400), box('mdat', 1000))).toEqual([440, 1432]);
  expect(await packetsOf(box('ftyp', 32), box('mdat', 1000, 'long'), box('moov', 400))).toEqual([48, 1032]);
  expect(await packetsOf(box('ftyp', 32), box('moov', 400), box('mdat', 1000, 'to the end'))).toEqual([440, 1432]);
});

test('where the packets of fragments and of damaged files are is not known', async () => {
  const [type, index, packets] = [box('ftyp', 32), box('moov', 400), box('mdat', 1000)];
  expect(await packetsOf(type, index, box('moof', 100), packets)).toBeUndefined();
  expect(await packetsOf(type, index, packets, packets)).toBeUndefined();
  expect(await packetsOf(type, packets)).toBeUndefined();
  expect(await packetsOf(type, index, packets.subarray(0, 900))).toBeUndefined();
  expect(await packetsOf(type, index, packets, Buffer.alloc(3))).toBeUndefined();
  expect(await packetsOf(type, Buffer.alloc(1000))).toBeUndefined();
});
