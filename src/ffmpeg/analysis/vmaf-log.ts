import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { rounded } from './summaries.ts';

/** The end of the log of libvmaf has the mean and the lowest value of all pictures. */
const TAIL_BYTES = 64 * 1024;

const POOLED = /"pooled_metrics"[\s\S]*"vmaf"\s*:\s*\{([^{}]*)\}/;
const number = (text: string, name: string): number =>
  Number(new RegExp(`"${name}"\\s*:\\s*(\\d{1,3}(?:\\.\\d{1,9})?)\\b`).exec(text)?.[1] ?? Number.NaN);

/** Reads the score in the text of a log (libvmaf 2 and 3). undefined if it has none. */
export function parseVmaf(text: string): { readonly mean: number; readonly min: number } | undefined {
  const pooled = POOLED.exec(text)?.[1] ?? '';
  const [mean, min] = [number(pooled, 'mean'), number(pooled, 'min')];
  return Number.isFinite(mean) && Number.isFinite(min) ? { mean: rounded(mean, 2), min: rounded(min, 2) } : undefined;
}

/** Reads the log of libvmaf in the scratch folder. undefined if there is none. */
export async function readVmaf(path: string): Promise<{ readonly mean: number; readonly min: number } | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(TAIL_BYTES, stats.size));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, stats.size - buffer.length);
    return parseVmaf(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await handle.close();
  }
}
