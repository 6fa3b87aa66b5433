import type { SeededChoices } from '../faults/soak/seeded-choices.ts';
import { BOUNDARY_NUMBERS, below, type Change, oneOf } from './byte-damage.ts';
import type { Field } from './fields/field.ts';
import { gif } from './fields/gif.ts';
import { elements } from './fields/matroska.ts';
import { atoms } from './fields/mp4.ts';
import { png, repairPng } from './fields/png.ts';
import { chunks } from './fields/riff.ts';

/** Sets one number that a demuxer trusts. undefined: the format of the bytes is unknown. */
export function mutateField(chance: SeededChoices, bytes: Buffer): Change | undefined {
  const fields = fieldsOf(bytes);
  if (fields.length === 0) return undefined;
  const { name, at, length, little } = oneOf(chance, fields);
  const changed = Buffer.from(bytes);
  const value = chance.happens(0.2) ? below(chance, 2 ** 32) : oneOf(chance, BOUNDARY_NUMBERS);
  const written = Buffer.alloc(8);
  written.writeBigUInt64BE(BigInt(value));
  const digits = length > 8 ? written : written.subarray(8 - length);
  (little === true ? digits.reverse() : digits).copy(changed, at);
  repairPng(changed);
  return { bytes: changed, description: `field: ${name} at ${at} is ${value}` };
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
