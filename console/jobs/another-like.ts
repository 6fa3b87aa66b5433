import { ClientError, type ConversionRequest, type Job } from '@telecine/client';
import { client } from '../app/client.ts';
import { hasHiddenParts } from '../workbench/hidden-parts.ts';
import { repeatableRequest } from './job-request.ts';
import { withRecipe } from './with-recipe.ts';

/**
 * The request of a job, from which another source is converted alike. A recipe stays a recipe, because some of its options depend on the
 * source. The newest version of the recipe counts.
 */
export async function anotherLike(job: Job): Promise<ConversionRequest> {
  const request = repeatableRequest(job);
  if (job.preset === undefined) return request;
  const { version: _, ...preset } = job.preset;
  const { parameters: all = {}, ...bare } = request;
  const [recipe, plan] = await Promise.all([
    client.recipe(preset.name).catch(noneAt(404)),
    // Expand the recipe again, to find which options the user has set besides it. Without the source, this is not known.
    // Only as a retry of the job does it have its hidden parts.
    client
      .dryRun({ ...bare, preset }, hasHiddenParts(request) ? { retryOf: job.jobId } : {})
      .catch(noneAt(400, 404, 409, 422)),
  ]);
  // Of a recipe that was deleted, only its options are left.
  if (recipe === undefined) return request;
  return withRecipe(request, preset, { parameters: plan?.parameters ?? all, roles: recipe.inputs });
}

/** Handles errors that mean that there is no answer. Others, such as a lost connection, may not happen again. */
const noneAt =
  (...statuses: readonly number[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof ClientError) || !statuses.includes(error.status ?? 0)) throw error;
  };
