import type { Field } from './field.ts';

const CONTAINER_ATOMS = new Set([
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
/** The fields of an atom: name, offset from its first byte, length. */
const FIELDS: Readonly<Record<string, readonly (readonly [string, number, number])[]>> = {
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

/** The sizes and names of all atoms, and the numbers of those in `FIELDS`. */
export function atoms(bytes: Buffer, from: number, to: number): readonly Field[] {
  const found: Field[] = [];
  for (let at = from; at + 8 <= to; ) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const end = Math.min(to, at + size);
    found.push({ name: `size of ${kind}`, at, length: 4 }, { name: `name of ${kind}`, at: at + 4, length: 4 });
    for (const [name, offset, length] of FIELDS[kind] ?? [])
      if (at + offset + length <= end) found.push({ name: `${name} in ${kind}`, at: at + offset, length });
    if (CONTAINER_ATOMS.has(kind)) found.push(...atoms(bytes, at + 8, end));
    if (size < 8) break;
    at = end;
  }
  return found;
}
