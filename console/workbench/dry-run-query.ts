import { queryOptions } from '@tanstack/react-query';
import type { ConversionRequest, DryRun } from '@telecine/client';
import { client } from '../app/client.ts';
import { withoutExpected } from './expected-inputs.ts';
import { sourcesOf } from './sources-of.ts';

/** The key of all plans. Jobs change what they say: outputs that did not exist exist now. */
export const DRY_RUNS = ['dry-run'] as const;

/** A plan, and the files that its request reads. */
export interface SourcedPlan {
  readonly plan: DryRun;
  readonly sources: string;
}

/**
 * The plan of a request. The check of the shown request and the total of several requests share it.
 *
 * @param text The request as JSON.
 * @param uploading The paths of inputs that are being uploaded.
 * @param retryOf The job that the request runs again, with the files of the client of that job.
 */
export const dryRunQuery = (text: string, uploading: readonly string[] = [], retryOf?: string) =>
  queryOptions({
    queryKey: [...DRY_RUNS, text, uploading, retryOf],
    queryFn: async ({ signal }): Promise<SourcedPlan> => {
      const request = JSON.parse(text) as ConversionRequest;
      const plan = withoutExpected(await client.dryRun(request, { retryOf, signal }), request, uploading);
      return { plan, sources: sourcesOf(request) };
    },
  });
