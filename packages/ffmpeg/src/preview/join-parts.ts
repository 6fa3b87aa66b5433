import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { openPinned } from '../sandbox/pinned-files.ts';

/**
 * Appends the first `bytes` bytes of a staged file to `file`.
 *
 * @throws JobFailed if the staged file was replaced or removed. After an abort, the reason of the abort.
 */
export async function appendPart(part: Mount, bytes: number, file: string, signal: AbortSignal): Promise<void> {
  const handle = await openPinned(part);
  if (bytes === 0) return handle.close();
  const source = handle.createReadStream({ end: bytes - 1 });
  await pipeline(source, createWriteStream(file, { flags: 'a', mode: 0o600 }), { signal });
}

/** The mount of a file that the service wrote. `file`: absolute. */
export async function mountOf(file: string, logical: string): Promise<Mount> {
  const { dev, ino } = await stat(file, { bigint: true });
  return { logical, hostPath: file, identities: [`${dev}:${ino}`] };
}
