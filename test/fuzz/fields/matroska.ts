import type { Field } from './field.ts';

/** The ids of elements that contain other elements. */
const CONTAINER_IDS = new Set(
  '1a45dfa3 18538067 114d9b74 4dbb 1549a966 1654ae6b ae e0 e1 1c53bb6b bb b7 1254c367 7373 67c8 1f43b675 a0'.split(' '),
);

/** The end and the value of a variable-length integer. */
function variable(bytes: Buffer, at: number, keepMark: boolean): { readonly value: number; readonly end: number } {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) return { value: 0, end: bytes.length };
  let value = keepMark ? first : first & (0xff >> length);
  for (let next = at + 1; next < at + length; next++) value = value * 256 + (bytes[next] ?? 0);
  return { value, end: at + length };
}

/** Ids and sizes of elements, and the values of short ones. */
export function elements(bytes: Buffer, from: number, to: number): readonly Field[] {
  const found: Field[] = [];
  for (let at = from; at + 2 <= to; ) {
    const id = variable(bytes, at, true);
    const size = variable(bytes, id.end, false);
    const name = id.value.toString(16);
    const end = Math.min(to, size.end + size.value);
    found.push({ name: `id of element ${name}`, at, length: id.end - at });
    found.push({ name: `size of element ${name}`, at: id.end, length: Math.min(8, size.end - id.end) });
    if (CONTAINER_IDS.has(name)) found.push(...elements(bytes, size.end, end));
    else if (size.value > 0 && size.value <= 8)
      found.push({ name: `value of element ${name}`, at: size.end, length: end - size.end });
    if (end <= at) break;
    at = end;
  }
  return found;
}
