/** A Matroska element: its id in hexadecimal digits, and its content. */
export function element(id: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length));
  size[0] = 1;
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

interface Track {
  readonly language?: Buffer;
  readonly name?: Buffer;
}

/** A Matroska file with these tracks and some milliseconds of PCM. `others` are elements before the tracks. */
export function matroskaFile(tracks: readonly Track[], others: readonly Buffer[] = []): Buffer {
  const entries = tracks.map(({ language, name }, at) =>
    element(
      'ae',
      element('d7', number(at + 1)),
      element('73c5', number(at + 1)),
      element('83', Buffer.from([2])),
      element('86', Buffer.from('A_PCM/INT/LIT')),
      ...(language === undefined ? [] : [element('22b59c', language)]),
      ...(name === undefined ? [] : [element('536e', name)]),
      element('e1', element('b5', float(8000)), element('9f', Buffer.from([1])), element('6264', Buffer.from([16]))),
    ),
  );
  const block = element('a3', Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(1600));
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska'))),
    element(
      '18538067',
      element('1549a966', element('2ad7b1', number(1_000_000))),
      ...others,
      element('1654ae6b', ...entries),
      element('1f43b675', element('e7', number(0)), block),
    ),
  ]);
}

const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
