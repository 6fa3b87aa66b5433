import type { Job } from '@telecine/client';
import { playedPath } from '../../packages/contract/src/domain/conversion.ts';
import { samplesText } from '../../packages/contract/src/domain/samples-text.ts';
import { isStored } from '../media/media-address.ts';

export const STATUS_NAMES: Readonly<Record<Job['status'], string>> = {
  PENDING: 'Queued',
  PROCESSING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
};

export const PHASE_NAMES: Readonly<Record<NonNullable<Job['phase']>, string>> = {
  STAGING: 'Reading the inputs',
  SAMPLING: 'Trying samples',
  CONVERTING: 'Converting',
  PUBLISHING: 'Writing the outputs',
};

/** What a running job does besides converting. undefined: it converts. */
export function phaseText({ status, phase, samples }: Pick<Job, 'status' | 'phase' | 'samples'>): string | undefined {
  if (status !== 'PROCESSING' || phase === undefined || phase === 'CONVERTING') return undefined;
  return samples === undefined ? PHASE_NAMES[phase] : samplesText(samples);
}

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
  if (output !== undefined) return playedPath(output, parameters);
  const [first, ...others] = requestedOutputs ?? [];
  if (first === undefined) return '';
  const name = playedPath(first.output, { ...parameters, ...first.parameters });
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}

/** The stored output that a job did not replace. undefined: the job has not failed for this reason, or its request does not name the file. */
export function existingOutput({ output, requestedOutputs = [], error }: Job): string | undefined {
  if (error?.code !== 'OUTPUT_EXISTS') return undefined;
  const paths = [output, ...requestedOutputs.map((one) => one.output)].filter((path) => path !== undefined);
  // The error names the file in its text only.
  return paths.find((path) => isStored(path) && error.message.includes(`"${path}"`));
}
