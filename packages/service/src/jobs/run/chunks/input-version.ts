import { fileInputs } from '@telecine/contract/domain/plan.ts';
import type { StagedPlan, WholeReason } from '../../ports/chunk-maker.ts';
import type { InputStaging } from '../../ports/media-store.ts';
import type { ChunkTask } from './chunk-task.ts';

export type RangeChecks = Pick<InputStaging, 'checkRanges'>;

/**
 * Returns the version of the only input if it is at a URL, so that other workers fetch parts of the same version. Returns {}
 * for any other input, and a reason if the server sends no parts of this version. Throws only the reason of an abort.
 */
export async function versionAtUrl(
  { checkRanges }: RangeChecks,
  { plan, inputs: [fetched], signal }: Pick<StagedPlan, 'plan' | 'inputs' | 'signal'>,
): Promise<Pick<ChunkTask, 'version'> | WholeReason> {
  const [input] = fileInputs(plan.inputs);
  if (input?.url === undefined || fetched === undefined) return {};
  if (checkRanges === undefined) return { whole: 'This worker fetches no inputs from URLs.' };
  const { url, path } = input;
  return checkRanges({ url, path }, { signal, fetched });
}
