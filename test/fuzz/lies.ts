import { crc32 } from 'node:zlib';
import type { Chance } from '../faults/soak/chance.ts';
import { below, type Change, ODD_NUMBERS, oneOf } from './bytes.ts';

/** A number in a file's structure: a size, a count, a dimension, a rate. */
interface Field {
  readonly name: string;
  readonly at: number;
  readonly length: number;
  readonly little?: boolean;
}

/** Changes one number that the format's own reader trusts; undefined where the bytes are of no format known here. */
export function lie(chance: Chance, bytes: Buffer): Change | undefined {
  const fields = fieldsOf(bytes);
  if (fields.length === 0) return undefined;
  const { name, at, length, little } = oneOf(chance, fields);
  const changed = Buffer.from(bytes);
  const value = chance.happens(0.2) ? below(chance, 2 ** 32) : oneOf(chance, ODD_NUMBERS);
  const written = Buffer.alloc(8);
  written.writeBigUInt64BE(BigInt(value));
  const digits = length > 8 ? written : written.subarray(8 - length);
  (little === true ? digits.reverse() : digits).copy(changed, at);
  repairPng(changed);
  return { bytes: changed, how: `lie: ${name} at ${at} is ${value}` };
}

function fieldsOf(bytes: Buffer): readonly Field[] {
  const magic = bytes.toString('latin1', 0, 12);
  if (magic.slice(4, 8) === 'ftyp') return atoms(bytes, 0, bytes.length);
  if (magic.startsWith('\x1a\x45\xdf\xa3')) return elements(bytes, 0, bytes.length);
  if (magic.startsWith('RIFF')) return chunks(bytes, 12, bytes.length);
  if (magic.startsWith('\x89PNG')) return png(bytes);
  if (magic.startsWith('GIF8')) return gif(bytes);
  return [];
}

const ATOMS_OF_ATOMS = new Set([
  'moov',
  'trak',
  'mdia',
  'minf',
  'stbl',
  'edts',
  'udta',
  'dinf',
  'mvex',
  'moof',
  'traf',
]);
/** Fields by the atom's own layout, from its first byte. */
const IN_ATOM: Readonly<Record<string, readonly (readonly [string, number, number])[]>> = {
  mvhd: [
    ['timescale', 20, 4],
    ['duration', 24, 4],
  ],
  mdhd: [
    ['timescale', 20, 4],
    ['duration', 24, 4],
  ],
  tkhd: [
    ['track', 20, 4],
    ['width', 84, 4],
    ['height', 88, 4],
  ],
  elst: [
    ['count', 12, 4],
    ['duration', 16, 4],
    ['start', 20, 4],
  ],
  stts: [
    ['count', 12, 4],
    ['samples', 16, 4],
    ['delta', 20, 4],
  ],
  ctts: [
    ['count', 12, 4],
    ['samples', 16, 4],
    ['offset', 20, 4],
  ],
  stsc: [
    ['count', 12, 4],
    ['first', 16, 4],
    ['samples', 20, 4],
  ],
  stsz: [
    ['size', 12, 4],
    ['count', 16, 4],
    ['first', 20, 4],
  ],
  stco: [
    ['count', 12, 4],
    ['first', 16, 4],
  ],
  stss: [
    ['count', 12, 4],
    ['first', 16, 4],
  ],
  stsd: [
    ['count', 12, 4],
    ['entry', 16, 4],
    ['kind', 20, 4],
    ['width', 48, 2],
    ['height', 50, 2],
    ['extra', 102, 4],
  ],
  dref: [
    ['count', 12, 4],
    ['kind', 20, 4],
  ],
  hdlr: [['kind', 16, 4]],
};

function atoms(bytes: Buffer, from: number, to: number): readonly Field[] {
  const found: Field[] = [];
  for (let at = from; at + 8 <= to; ) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const end = Math.min(to, at + size);
    found.push({ name: `size of ${kind}`, at, length: 4 }, { name: `name of ${kind}`, at: at + 4, length: 4 });
    for (const [name, offset, length] of IN_ATOM[kind] ?? [])
      if (at + offset + length <= end) found.push({ name: `${name} in ${kind}`, at: at + offset, length });
    if (ATOMS_OF_ATOMS.has(kind)) found.push(...atoms(bytes, at + 8, end));
    if (size < 8) break;
    at = end;
  }
  return found;
}

const ELEMENTS_OF_ELEMENTS = new Set(
  '1a45dfa3 18538067 114d9b74 4dbb 1549a966 1654ae6b ae e0 e1 1c53bb6b bb b7 1254c367 7373 67c8 1f43b675 a0'.split(' '),
);

/** Where a variable-length number ends, and what it says: the sizes of Matroska. */
function variable(bytes: Buffer, at: number, keepMark: boolean): { readonly value: number; readonly end: number } {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) return { value: 0, end: bytes.length };
  let value = keepMark ? first : first & (0xff >> length);
  for (let next = at + 1; next < at + length; next++) value = value * 256 + (bytes[next] ?? 0);
  return { value, end: at + length };
}

function elements(bytes: Buffer, from: number, to: number): readonly Field[] {
  const found: Field[] = [];
  for (let at = from; at + 2 <= to; ) {
    const id = variable(bytes, at, true);
    const size = variable(bytes, id.end, false);
    const name = id.value.toString(16);
    const end = Math.min(to, size.end + size.value);
    found.push({ name: `id of element ${name}`, at, length: id.end - at });
    found.push({ name: `size of element ${name}`, at: id.end, length: Math.min(8, size.end - id.end) });
    if (ELEMENTS_OF_ELEMENTS.has(name)) found.push(...elements(bytes, size.end, end));
    else if (size.value > 0 && size.value <= 8)
      found.push({ name: `value of element ${name}`, at: size.end, length: end - size.end });
    if (end <= at) break;
    at = end;
  }
  return found;
}

/** Sizes of RIFF chunks, and every number of the short ones: `fmt `, `avih`, `strh`, `strf`, `VP8X`, `ANIM`. */
function chunks(bytes: Buffer, from: number, to: number): readonly Field[] {
  const found: Field[] = [];
  for (let at = from; at + 8 <= to; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = Math.min(to, at + 8 + size + (size % 2));
    found.push({ name: `size of ${kind}`, at: at + 4, length: 4, little: true });
    if (kind === 'LIST') found.push(...chunks(bytes, at + 12, end));
    else if (size <= 64)
      for (let field = at + 8; field + 4 <= end; field += 2) {
        found.push({ name: `short number in ${kind}`, at: field, length: 2, little: true });
        found.push({ name: `number in ${kind}`, at: field, length: 4, little: true });
      }
    at = end;
  }
  return found;
}

interface PngChunk {
  readonly kind: string;
  readonly at: number;
  readonly size: number;
}

function pngChunks(bytes: Buffer): readonly PngChunk[] {
  const found: PngChunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    found.push({ kind: bytes.toString('latin1', at + 4, at + 8), at, size });
    at += 12 + size;
  }
  return found;
}

const png = (bytes: Buffer): readonly Field[] =>
  pngChunks(bytes).flatMap(({ kind, at }): readonly Field[] => [
    { name: `size of ${kind}`, at, length: 4 },
    ...(kind === 'IHDR'
      ? [
          { name: 'width', at: at + 8, length: 4 },
          { name: 'height', at: at + 12, length: 4 },
          { name: 'depth', at: at + 16, length: 1 },
          { name: 'colour type', at: at + 17, length: 1 },
          { name: 'interlace', at: at + 20, length: 1 },
        ]
      : []),
    ...(kind === 'acTL' || kind === 'fcTL'
      ? [8, 12].map((o) => ({ name: `number in ${kind}`, at: at + o, length: 4 }))
      : []),
  ]);

/** A checksum that is right makes a reader believe the rest. */
function repairPng(bytes: Buffer): void {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return;
  for (const { at, size } of pngChunks(bytes))
    if (at + 12 + size <= bytes.length)
      bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, at + 8 + size)), at + 8 + size);
}

/** The screen, and the picture and the delay of every frame. */
function gif(bytes: Buffer): readonly Field[] {
  const little = (name: string, at: number): Field => ({ name, at, length: 2, little: true });
  const found = [little('screen width', 6), little('screen height', 8), { name: 'flags', at: 10, length: 1 }];
  for (let at = 13; at + 10 < bytes.length && found.length < 200; at++) {
    if (bytes.readUInt16BE(at) === 0x21f9 && bytes[at + 2] === 4) found.push(little('delay', at + 4));
    if (bytes[at - 1] === 0 && bytes[at] === 0x2c)
      for (const [offset, name] of ['left', 'top', 'width', 'height'].entries())
        found.push(little(`frame ${name}`, at + 1 + 2 * offset));
  }
  return found;
}
