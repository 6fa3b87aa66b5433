import type { Job } from '@telecine/client';

/** What a running job says before its progress is known. A palette is chosen from all frames before the first one is written. */
export const unknownProgressText = ({
  parameters,
  requestedOutputs,
}: Pick<Job, 'parameters' | 'requestedOutputs'>): string =>
  JSON.stringify([parameters, requestedOutputs]).includes('palettegen') ? 'Choosing the colours…' : '…';
