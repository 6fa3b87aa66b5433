import { ClientError, type ConversionRequest, type Job } from '@telecine/client';
import { REPLACED_MEMBERS } from '../../packages/contract/src/domain/conversion.ts';
import { client } from '../app/client.ts';
import { expandedRequest } from './job-request.ts';

const REPLACED: ReadonlySet<string> = new Set(REPLACED_MEMBERS);

/**
 * The request of a job with its recipe, or with the options of the recipe if the user does not have it: it was deleted, or it is of another
 * client.
 *
 * @param request The request of the job as it was sent.
 * @param isOfOther Whether the job is of another client, whose recipe of this name is not the user's own one.
 */
export async function withKnownRecipe(
  job: Job,
  request: ConversionRequest,
  isOfOther = false,
): Promise<ConversionRequest> {
  if (request.preset === undefined) return request;
  const recipe = await client.recipe(request.preset.name).catch(noneAt404);
  const isKnown = recipe !== undefined && !(isOfOther && recipe.source === 'own');
  return isKnown ? request : withOptions(request, expandedRequest(job));
}

/** A request with what the recipe made of it. */
const withOptions = (request: ConversionRequest, expanded: ConversionRequest): ConversionRequest =>
  Object.fromEntries([
    ...Object.entries(request).filter(([name]) => !REPLACED.has(name)),
    ...Object.entries(expanded).filter(([name]) => REPLACED.has(name)),
  ]) as ConversionRequest;

/** Handles the error that means that there is no recipe. Others, such as a lost connection, may not happen again. */
function noneAt404(error: unknown): undefined {
  if (!(error instanceof ClientError) || error.status !== 404) throw error;
}
