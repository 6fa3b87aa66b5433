import type { JobOutput } from '../../domain/job.ts';
import type { FinishedOutput } from '../../jobs/ports/publishing.ts';
import { emptyOutput } from '../job-failures.ts';
import type { FinishedFile } from './collect-outputs.ts';

/**
 * Returns the outputs of a job as they are shown once all are published: those that the client named, in its order, and
 * then the other files. `prepared`: for each of `files` in order. Throws FFMPEG_FAILED if one that the client named is
 * empty.
 */
export function jobOutputs(
  finished: readonly FinishedOutput[],
  files: readonly FinishedFile[],
  prepared: readonly Pick<JobOutput, 'sizeBytes' | 'fingerprint'>[],
): readonly JobOutput[] {
  const isMain = ({ path, main }: FinishedFile): boolean => path === main;
  const views = files.map((file, index): JobOutput => {
    const { sizeBytes = 0, fingerprint } = prepared[index] ?? {};
    return { path: file.path, sizeBytes, ...(fingerprint !== undefined && { fingerprint }) };
  });
  const named = finished.map(({ files: { path }, report }, output) => {
    const view = views[files.findIndex((file) => file.output === output && isMain(file))];
    if (view === undefined || view.sizeBytes === 0) throw emptyOutput(path);
    return { ...view, ...report };
  });
  return [...named, ...views.filter((_view, index) => files[index] !== undefined && !isMain(files[index]))];
}
