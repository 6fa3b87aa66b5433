import type { ConversionRequest, Job } from '@telecine/client';
import { client } from '../app/client.ts';
import { repeatableRequest } from './job-request.ts';
import { settingsOf } from './job-settings.ts';

/**
 * The request of a job without its files: the settings to convert another source. A recipe stays a recipe, because some of its options
 * depend on the source.
 */
export async function anotherLike(job: Job): Promise<ConversionRequest> {
  const { preset } = job;
  if (preset === undefined) return settingsOf(job, undefined);
  // Expand the recipe again, to find which options the user has set besides it. Without the source, this is not known.
  const { parameters: _, ...request } = repeatableRequest(job);
  const plan = await client.dryRun({ ...request, preset: shortPreset(preset) }).catch(() => undefined);
  return settingsOf(job, plan?.parameters ?? job.parameters);
}

/** The recipe without its version: the newest one counts for another source. */
const shortPreset = ({ version: _, ...preset }: NonNullable<Job['preset']>): NonNullable<Job['preset']> => preset;
