import type { Mount } from '@telecine/contract/domain/plan.ts';
import { openPinned } from '../sandbox/pinned-files.ts';

/** The bytes to read at the start and at the end of a file. One of the two has the index of an MP4. */
const BYTES = 256 * 1024;

/**
 * A sample entry of encrypted video or audio, and the box after it that names its codec. ffmpeg reports only that codec, and decodes the
 * encrypted data as if it were not.
 */
const ENTRY = /enc[va].{1,1000}?sinf.{4}frma/s;

/** True if an MP4 or MOV file has an encrypted stream. False also if the file cannot be read. */
export async function isEncrypted(mount: Mount): Promise<boolean> {
  const handle = await openPinned(mount).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { size } = await handle.stat();
    for (const position of new Set([0, Math.max(0, size - BYTES)])) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(BYTES), 0, BYTES, position);
      if (ENTRY.test(buffer.toString('latin1', 0, bytesRead))) return true;
    }
    return false;
  } catch {
    return false;
  } finally {
    await handle.close();
  }
}
