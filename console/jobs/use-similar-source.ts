import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import type { Patch } from '../workbench/apply-patch.ts';
import { dryRunQuery } from '../workbench/dry-run-query.ts';
import { editOfJob } from './edit-of-job.ts';
import { useHasWatch } from './use-has-watch.ts';

interface SimilarSource {
  readonly path: string;
  /** Puts the file into the request. */
  readonly apply: Patch;
  /** Whether no other file has a similar name. */
  readonly isOnly: boolean;
}

/**
 * Finds the file in the folder of the missing source of a failed job that has the most similar name. undefined: the job did not fail with
 * INPUT_NOT_FOUND, the source exists now, or no file has a similar name.
 */
export function useSimilarSource(job: Job): SimilarSource | undefined {
  const { data: session } = useSession();
  const edit = editOfJob(job, session, useHasWatch(job));
  const isMissing = job.status === 'FAILED' && job.error?.code === 'INPUT_NOT_FOUND';
  const { data } = useQuery({
    ...dryRunQuery(JSON.stringify(edit?.request ?? {}), [], edit?.retries?.jobId),
    enabled: isMissing && edit !== undefined,
    retry: false,
  });
  const warning = data?.plan.warnings?.find(({ code }) => code === 'INPUT_NOT_FOUND');
  const [path, ...others] = warning?.near ?? [];
  if (warning?.field === undefined || path === undefined) return undefined;
  return { path, apply: [{ op: 'replace', path: warning.field, value: path }], isOnly: others.length === 0 };
}
