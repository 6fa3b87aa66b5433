import { createHash } from 'node:crypto';
import type { ChunkExtension } from '@telecine/contract/domain/chunks.ts';
import { type ReadBytes, readBoxHead } from './mov-layout.ts';

/** How many bytes of a chunk are read. The header of a file that has only videos is a few kilobytes long. */
const HEAD_BYTES = 256 * 1024;

/**
 * Returns a hash of the header of a chunk: of the codecs, sizes, time bases and headers for the decoder of its videos. Chunks of one run have the
 * same. undefined: the file is damaged, or is not complete. It does not show whether bytes in its middle are damaged.
 */
export async function chunkHeader(
  extension: ChunkExtension,
  read: ReadBytes,
  fileBytes: number,
): Promise<string | undefined> {
  const head = Buffer.from(await read(0, HEAD_BYTES));
  const header = extension === 'mkv' ? tracksIn(head, fileBytes) : movieIn(head, await readEnd(read, fileBytes));
  if (header === undefined || header.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const part of header) hash.update(part);
  return hash.digest('base64url').slice(0, 22);
}

const END_BYTES = 16;

const readEnd = async (read: ReadBytes, fileBytes: number): Promise<Buffer> =>
  Buffer.from(await read(Math.max(0, fileBytes - END_BYTES), END_BYTES));

/** The last box of a file with fragments, up to the number in it. */
const LAST_BOX = Buffer.from('\0\0\0\x10mfro\0\0\0\0', 'latin1');

/** The beginning of a box with bit rates. Chunks that share an average bit rate have different ones. */
const RATES_BOX = Buffer.from('\0\0\0\x14btrt', 'latin1');
const RATES_BYTES = 20;

/** The box `moov` of a file with fragments, without bit rates. */
function movieIn(head: Buffer, end: Buffer): readonly Buffer[] | undefined {
  if (!end.subarray(0, LAST_BOX.length).equals(LAST_BOX)) return undefined;
  let movie: Buffer | undefined;
  for (let position = 0; ; ) {
    const box = readBoxHead(head.subarray(position), head.length - position);
    if (box === undefined) return undefined;
    if (box.type === 'moof') break;
    if (box.type === 'moov') movie = head.subarray(position, position + box.bytes);
    position += box.bytes;
  }
  if (movie === undefined) return undefined;
  for (let at = movie.indexOf(RATES_BOX); at >= 0; at = movie.indexOf(RATES_BOX, at))
    movie.fill(0, at, Math.min(at + RATES_BYTES, movie.length));
  return [movie];
}

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
/** A random number. */
const TRACK_UID = 0x73c5;

/** The properties of the tracks of a Matroska file. ffmpeg writes the size of its segment last. */
function tracksIn(head: Buffer, fileBytes: number): readonly Buffer[] | undefined {
  const ebml = readElement(head, 0);
  const segment = ebml?.id === EBML ? readElement(head, ebml.end) : undefined;
  if (segment?.id !== SEGMENT || segment.end !== fileBytes) return undefined;
  for (let position = segment.begin; ; ) {
    const element = readElement(head, position);
    if (element === undefined || element.id === CLUSTER) return undefined;
    if (element.id === TRACKS) {
      // Between the tracks there is a checksum, which depends on the random numbers.
      const tracks = elementsIn(head, element)?.filter(({ id }) => id === TRACK);
      const properties = tracks?.map((track) => elementsIn(head, track)?.filter(({ id }) => id !== TRACK_UID));
      return properties?.every((all) => all !== undefined)
        ? properties.flat().map(({ start, end }) => head.subarray(start, end))
        : undefined;
    }
    position = element.end;
  }
}

/** Where an element of EBML starts, where its content begins, and where it ends. */
interface Element {
  readonly id: number;
  readonly start: number;
  readonly begin: number;
  readonly end: number;
}

/** The elements in another one. undefined: they are damaged, or not all in `head`. */
function elementsIn(head: Buffer, { begin, end }: Element): readonly Element[] | undefined {
  const elements: Element[] = [];
  for (let position = begin; position < end; ) {
    const element = readElement(head, position);
    if (element === undefined || element.end > Math.min(end, head.length)) return undefined;
    elements.push(element);
    position = element.end;
  }
  return elements;
}

/** Reads the head of an element. undefined: it is damaged, or not in `head`. */
function readElement(head: Buffer, start: number): Element | undefined {
  const idBytes = lengthAt(head, start, 4);
  const sizeBytes = idBytes && lengthAt(head, start + idBytes, 8);
  if (idBytes === undefined || sizeBytes === undefined) return undefined;
  const begin = start + idBytes + sizeBytes;
  // The bits of the size begin after the one that ends its length.
  let size = (head[start + idBytes] ?? 0) & (0xff >> sizeBytes);
  for (const byte of head.subarray(start + idBytes + 1, begin)) size = size * 256 + byte;
  return { id: head.readUIntBE(start, idBytes), start, begin, end: begin + size };
}

/** How many bytes a number has, by the zeros at its start. */
function lengthAt(head: Buffer, position: number, most: number): number | undefined {
  const length = Math.clz32(head[position] ?? 0) - 23;
  return length <= most && position + length <= head.length ? length : undefined;
}
