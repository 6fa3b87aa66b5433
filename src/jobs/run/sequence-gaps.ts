import type { PlannedInput, Warning } from '../../domain/plan.ts';
import type { StagedInput } from '../ports/media-store.ts';

/** The counter in a file name pattern. */
const COUNTER = /%\d*d/;

/** Warns about sequences that ended at a missing number, so that later pictures are not in the output. */
export const sequenceGaps = (
  planned: readonly Pick<PlannedInput, 'path' | 'field'>[],
  staged: readonly Pick<StagedInput, 'gap'>[],
): readonly Warning[] =>
  planned.flatMap(({ path, field }, index) => {
    const gap = staged[index]?.gap;
    if (gap === undefined) return [];
    const { frames, missing, unread } = gap;
    const input = { input: path.replace(COUNTER, '[0-9]*'), parameters: { pattern_type: 'glob' } };
    return [
      {
        field,
        code: 'SEQUENCE_GAP',
        message: `The sequence "${path}" ended after ${frames} ${frames === 1 ? 'picture' : 'pictures'}, because "${missing}" is missing: ${unread} later ${unread === 1 ? 'picture was' : 'pictures were'} not read.`,
        fix: `Send the missing picture, or all that exist by a wildcard: "inputs": [${JSON.stringify(input)}], with the other parameters of the input.`,
      },
    ];
  });
