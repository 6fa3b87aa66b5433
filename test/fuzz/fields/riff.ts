import type { Field } from './field.ts';

/** Sizes of RIFF chunks, and every number of the short ones: `fmt `, `avih`, `strh`, `strf`, `VP8X`, `ANIM`. */
export function chunks(bytes: Buffer, from: number, to: number): readonly Field[] {
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
