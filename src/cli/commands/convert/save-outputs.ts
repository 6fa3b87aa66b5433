import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NodeClient } from '../../../client/node/node-client.ts';
import { createFolder } from '../../../store/data-folder.ts';
import type { JobView } from '../../../wire/job.ts';
import type { ProgressDisplay } from '../../output/progress-display.ts';
import { requestAllOutputs } from './all-outputs.ts';
import type { PreparedConversion } from './conversion-order.ts';
import { requireNoFile } from './local-files.ts';
import { type ExpectedOutputs, localPath } from './output-names.ts';

/** A local file that was saved. */
export interface SavedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Downloads all outputs of a completed job, if the plan names each of them. The job's `output` is last, so that a manifest
 * appears after the files that it refers to. If a download fails, the files saved so far are deleted, unless they replaced
 * others.
 */
export async function saveOutputs(
  client: NodeClient,
  job: JobView,
  expected: NonNullable<PreparedConversion['fetch']> & ExpectedOutputs,
  options: { readonly replace: boolean; readonly progress: ProgressDisplay; readonly signal: AbortSignal },
): Promise<readonly SavedFile[]> {
  const { replace, progress, signal } = options;
  const outputs = await requestAllOutputs(client, job, signal);
  const files = outputs.map(({ path, sizeBytes }) => ({ path, sizeBytes, target: localPath(expected, path) }));
  for (const { target } of files) await requireNoFile(target, replace);
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const name = files.length === 1 ? '1 file' : `${files.length} files`;
  const saved: SavedFile[] = [];
  let before = 0;
  try {
    for (const { path, sizeBytes, target } of files.toReversed()) {
      createFolder(dirname(target));
      const onBytes = (done: number): void => progress.bytes('download', name, before + done, total);
      await client.saveOutput(job.jobId, target, { path, replace, onBytes, signal });
      before += sizeBytes;
      saved.push({ path: target, sizeBytes });
    }
  } catch (error) {
    if (!replace) for (const { path } of saved) await rm(path, { force: true });
    throw error;
  }
  return saved.toReversed();
}
