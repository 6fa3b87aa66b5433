import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples } from '@telecine/contract/domain/sampling.ts';
import type { RunState } from '../../run/run-state.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';

/** Adds what samples let choose to the log of the job. */
export function noteChosen({ frameSize, quality }: ChosenBySamples, { log }: Pick<RunState, 'log'>): void {
  if (frameSize !== undefined) log.note(`Frame size: ${sizeName(frameSize)}. ${frameSize.reason}`);
  if (quality === undefined) return;
  const { option, metric, tried } = quality;
  for (const { value, score, bitsPerSecond } of tried)
    log.note(
      `Quality, samples: ${option} ${value} has ${METRIC_NAMES[metric]} ${score} at ${kilobits(bitsPerSecond)} kb/s`,
    );
}
