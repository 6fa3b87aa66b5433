import type { ConversionRequest, Job } from '@telecine/client';
import { repeatableRequest } from './job-request.ts';

type Parameters = NonNullable<ConversionRequest['parameters']>;

/**
 * The settings of a job, without its files and what the client noted about them. `ofRecipe`: the options that its recipe sets, which the settings leave out. undefined: it has no
 * recipe.
 */
export function settingsOf(job: Job, ofRecipe: ConversionRequest['parameters']): ConversionRequest {
  const { parameters: all = {}, ...request } = repeatableRequest(job);
  const { input: _, inputs: __, output: ___, outputs = [], metadata: ____, llmId: _____, ...settings } = request;
  const parameters = ofRecipe === undefined ? all : besides(all, ofRecipe);
  const { preset } = job;
  const { y: ______, ...own } = parameters;
  const shared = {
    ...(ofRecipe === undefined ? settings : withoutRecipeMembers(settings)),
    ...(Object.keys(own).length > 0 && { parameters: own }),
    ...(preset !== undefined && {
      preset: { name: preset.name, ...(preset.arguments && { arguments: preset.arguments }) },
    }),
    inputs: [],
  };
  const several = ofRecipe === undefined && outputs.length > 0;
  // The form fills in the path of the first output, and the user those of the others.
  return (
    several ? { ...shared, outputs: outputs.map((one) => ({ ...one, output: '' })) } : { ...shared, output: '' }
  ) as ConversionRequest;
}

/** The options of a request that its recipe does not set, or sets to something else. */
const besides = (all: Parameters, ofRecipe: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(all).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(ofRecipe[name])),
  );

/** Leaves out the members of a request that a recipe sets. */
function withoutRecipeMembers(request: Partial<ConversionRequest>): Partial<ConversionRequest> {
  const { join: _, cut: __, transcribe: ___, quality: ____, ladder: _____, thumbnailTrack: ______, ...rest } = request;
  const { format: _______, ...others } = rest;
  return others;
}
