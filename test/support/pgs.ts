const WIDTH = 64;
const HEIGHT = 16;
const PALETTE_WHITE = [0, 0, 1, 235, 128, 128, 255];

const u16 = (value: number): readonly number[] => [(value >> 8) & 0xff, value & 0xff];

/** A PGS file (`.sup`): subtitles that are pictures, here a white bar. `shows`: from when to when, in seconds. */
export function pgsFile(
  shows: readonly (readonly [from: number, to: number])[],
  picture: { readonly width: number; readonly height: number },
): Buffer {
  const segments: Buffer[] = [];
  const place = [...u16((picture.width - WIDTH) / 2), ...u16(picture.height - 2 * HEIGHT)];
  const segment = (seconds: number, type: number, content: readonly number[]): void => {
    const head = Buffer.alloc(13);
    head.write('PG');
    head.writeUInt32BE(Math.round(seconds * 90_000), 2);
    head.writeUInt8(type, 10);
    head.writeUInt16BE(content.length, 11);
    segments.push(head, Buffer.from(content));
  };
  const composition = (number: number, objects: readonly number[]): readonly number[] => [
    ...[...u16(picture.width), ...u16(picture.height), 0x10, ...u16(number)],
    ...[objects.length > 0 ? 0x80 : 0, 0, 0, objects.length > 0 ? 1 : 0, ...objects],
  ];
  const window = [1, 0, ...place, ...u16(WIDTH), ...u16(HEIGHT)];
  // Each line is a run of one colour, and the end of the line.
  const lines = Array.from({ length: HEIGHT }, () => [0, 0xc0 | (WIDTH >> 8), WIDTH & 0xff, 1, 0, 0]).flat();
  const size = lines.length + 4;
  const object = [0, 0, 0, 0xc0, 0, ...u16(size), ...u16(WIDTH), ...u16(HEIGHT), ...lines];
  for (const [index, [from, to]] of shows.entries()) {
    segment(from, 0x16, composition(2 * index, [0, 0, 0, 0, ...place]));
    segment(from, 0x17, window);
    segment(from, 0x14, PALETTE_WHITE);
    segment(from, 0x15, object);
    segment(from, 0x80, []);
    segment(to, 0x16, composition(2 * index + 1, []));
    segment(to, 0x17, window);
    segment(to, 0x80, []);
  }
  return Buffer.concat(segments);
}
