import type { Job } from '@telecine/client';

export const STATUS_NAMES: Readonly<Record<Job['status'], string>> = {
  PENDING: 'Queued',
  PROCESSING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
};

export const PHASE_NAMES: Readonly<Record<NonNullable<Job['phase']>, string>> = {
  STAGING: 'Reading the inputs',
  CONVERTING: 'Converting',
  PUBLISHING: 'Writing the outputs',
};

const pathOf = (input: NonNullable<Job['inputs']>[number]): string =>
  typeof input === 'string' ? input : (input.input ?? input.source ?? '');

/** All paths of the inputs and outputs of a job. */
export const pathsOf = ({ input, inputs = [], output, requestedOutputs = [] }: Job): readonly string[] => [
  ...[output, input].filter((path) => path !== undefined),
  ...requestedOutputs.map((one) => one.output),
  ...inputs.map(pathOf),
];

/** The path of the first input of a job. '' if there is none. */
export function firstInput({ input, inputs = [] }: Pick<Job, 'input' | 'inputs'>): string {
  const first = input ?? inputs[0];
  return first === undefined ? '' : typeof first === 'string' ? first : (first.input ?? '');
}

/** A short text about the inputs of a job, for tables. */
export function inputText({ input, inputs }: Job): string {
  if (input !== undefined) return typeof input === 'string' ? input : JSON.stringify(input);
  if (inputs === undefined || inputs.length === 0) return '';
  const [first, ...others] = inputs;
  const text = first === undefined ? '' : pathOf(first);
  return others.length === 0 ? text : `${text} and ${others.length} more`;
}

/** A short text about the outputs of a job, for tables. */
export function outputText({ output, requestedOutputs, analysis, parameters }: Job): string {
  if (analysis !== undefined) return 'measurements';
  const master = parameters?.['master_pl_name'];
  // The file to play, and not the pattern for the playlists of the versions.
  if (output?.includes('%') && typeof master === 'string') return output.slice(0, output.lastIndexOf('/') + 1) + master;
  if (output !== undefined) return output;
  const [first, ...others] = requestedOutputs ?? [];
  if (first === undefined) return '';
  return others.length === 0 ? first.output : `${first.output} and ${others.length} more`;
}
