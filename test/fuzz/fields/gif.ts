import type { Field } from './field.ts';

/** The screen size, and the position, size and delay of every frame. */
export function gif(bytes: Buffer): readonly Field[] {
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
