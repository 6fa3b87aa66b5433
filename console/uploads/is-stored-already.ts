import { client } from '../app/client.ts';

/** The largest file whose content is compared, in bytes. Reading a larger one takes longer than the question whether to replace it. */
const MAX_BYTES = 64 * 2 ** 20;

/** The bytes that are compared at a time. Most files that differ do so in the first part, and the rest is then not read. */
const PART_BYTES = 2 ** 20;

/** Whether the stored file at a path has the content of a chosen file. false: it has not, or that cannot be known at little cost. */
export async function isStoredAlready(path: string, file: Blob): Promise<boolean> {
  if (file.size === 0 || file.size > MAX_BYTES) return false;
  try {
    for (let start = 0; start < file.size; start += PART_BYTES) {
      const end = Math.min(start + PART_BYTES, file.size) - 1;
      const reply = await client.readFile(path, { range: { start, end } });
      const size = Number(/\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1] ?? -1);
      if (size !== file.size) return false;
      const [stored, own] = await Promise.all([reply.arrayBuffer(), file.slice(start, end + 1).arrayBuffer()]);
      if (!areSame(new Uint8Array(stored), new Uint8Array(own))) return false;
    }
    return true;
  } catch {
    // Such as a client that may not read files.
    return false;
  }
}

const areSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);
