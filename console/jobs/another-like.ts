import type { ConversionRequest, Job } from '@telecine/client';
import { asNewRequest, retriedRequest } from './job-request.ts';
import { withKnownRecipe } from './with-known-recipe.ts';

/**
 * The request of a job, from which another source is converted alike. A recipe stays a recipe, because some of its options depend on the
 * source. The newest version of the recipe counts.
 */
export async function anotherLike(job: Job): Promise<ConversionRequest> {
  const request = await withKnownRecipe(job, asNewRequest(retriedRequest(job)));
  if (request.preset === undefined) return request;
  const { version: _, ...preset } = request.preset;
  return { ...request, preset };
}
