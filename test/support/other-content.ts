import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** An empty box, which players of MP4 files skip. */
const EMPTY_BOX = Buffer.from('0000000866726565', 'hex');

/** An MP4 file with the name of another one, which plays the same and is not the same, to be chosen in a browser. */
export const withOtherContent = async (path: string) => ({
  name: basename(path),
  mimeType: 'video/mp4',
  buffer: Buffer.concat([await readFile(path), EMPTY_BOX]),
});
