import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TelecineClient } from '../../../client/client.ts';
import type { JobView } from '../../../wire/job.ts';
import type { Progress } from '../../output/progress.ts';
import { needFree } from './local-files.ts';
import { localPath } from './output-names.ts';
import type { Prepared } from './request.ts';

/** A local file that a command has made. */
export interface Saved {
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Fetches all that a completed job made, the output itself last: a manifest is there once all that it names is. What was
 * saved of an output that cannot be had whole is removed again, unless it has replaced something.
 */
export async function save(
  client: TelecineClient,
  { jobId, outputs = [] }: JobView,
  { folder, base }: NonNullable<Prepared['fetch']>,
  options: { readonly replace: boolean; readonly progress: Progress; readonly signal: AbortSignal },
): Promise<readonly Saved[]> {
  const { replace, progress, signal } = options;
  const files = outputs.map(({ path, sizeBytes }) => ({ path, sizeBytes, target: localPath(folder, base, path) }));
  for (const { target } of files) await needFree(target, replace);
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const name = files.length === 1 ? '1 file' : `${files.length} files`;
  const saved: Saved[] = [];
  let before = 0;
  try {
    for (const { path, sizeBytes, target } of files.toReversed()) {
      await mkdir(dirname(target), { recursive: true });
      const onBytes = (done: number): void => progress.bytes('download', name, before + done, total);
      await client.download(jobId, target, { path, replace, onBytes, signal });
      before += sizeBytes;
      saved.push({ path: target, sizeBytes });
    }
  } catch (error) {
    if (!replace) for (const { path } of saved) await rm(path, { force: true });
    throw error;
  }
  return saved.toReversed();
}
