import { FIRST_OUTPUTS, type JobOutput } from '../../domain/job.ts';
import { isManifest } from '../../domain/media-path.ts';
import type { FinishedOutput } from '../../jobs/ports/publishing.ts';
import { emptyOutput } from '../job-failures.ts';
import type { FinishedFile } from './collect-outputs.ts';

/**
 * Returns the outputs of a job as they are shown once all are published: those that the client named, in its order, and
 * then the other files. Of more than a job shows, manifests come before others. `prepared`: for each of `files` in order. Throws
 * FFMPEG_FAILED if one that the client named is empty.
 */
export function jobOutputs(
  finished: readonly FinishedOutput[],
  files: readonly FinishedFile[],
  prepared: readonly Pick<JobOutput, 'sizeBytes' | 'fingerprint'>[],
): readonly JobOutput[] {
  const views = files.map(({ path, main, output }, index) => {
    const { sizeBytes = 0, fingerprint } = prepared[index] ?? {};
    const view: JobOutput = { path, sizeBytes, ...(fingerprint !== undefined && { fingerprint }) };
    return { view, output, isMain: path === main };
  });
  const named = finished.map(({ files: { path }, report }, output) => {
    const { view } = views.find((one) => one.output === output && one.isMain) ?? {};
    if (view === undefined || view.sizeBytes === 0) throw emptyOutput(path);
    return { ...view, ...report };
  });
  const others = views.flatMap(({ view, isMain }) => (isMain ? [] : view));
  if (named.length + others.length <= FIRST_OUTPUTS) return [...named, ...others];
  const manifests = others.filter(({ path }) => isManifest(path));
  return [...named, ...manifests, ...others.filter(({ path }) => !isManifest(path))];
}
