import { nameOfInput } from '../../../domain/conversion.ts';
import { plainText } from '../../../domain/text-validation.ts';
import type { JobView } from '../../../wire/job.ts';
import { table } from '../../output/table.ts';

/** A table of jobs, one line each. */
export const showJobs = (jobs: readonly JobView[]): readonly string[] =>
  jobs.length === 0
    ? ['No jobs.']
    : table([['JOB', 'STATUS', 'CREATED', 'CONVERSION'], ...jobs.map(row)]).map(plainText);

const row = (job: JobView): readonly string[] => [
  job.jobId,
  job.status === 'PROCESSING' && job.progress !== undefined ? `${job.progress.toFixed(0)} %` : job.status,
  job.createdAt.slice(0, 19).replace('T', ' '),
  `${inputsOf(job).join(', ')} → ${outputsOf(job).join(', ')}`,
];

/** The paths of the outputs that the request of a job named. */
export const outputsOf = ({ output, requestedOutputs = [] }: JobView): readonly string[] =>
  output === undefined ? requestedOutputs.map((one) => one.output) : [output];

/** The paths of a job's inputs. */
export const inputsOf = ({ input, inputs = [] }: JobView): readonly string[] =>
  input === undefined ? inputs.map(nameOfInput) : [input];
