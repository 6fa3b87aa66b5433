import { plainText } from '../../../domain/text-validation.ts';
import type { JobView } from '../../../wire/job.ts';
import { fixWords } from '../../output/fix-words.ts';
import { jobNote } from '../../output/job-note.ts';
import { showOutputs } from '../../output/show-outputs.ts';
import { table } from '../../output/table.ts';
import { inputsOf, outputsOf } from './show-jobs.ts';

/** All details of a job, one line each. */
export function showJob(job: JobView): readonly string[] {
  const rows: (readonly [string, string | undefined])[] = [
    ['job', job.jobId],
    ['status', job.status],
    ['progress', job.status === 'PROCESSING' ? `${job.progress ?? '?'} %  ${jobNote(job)}` : undefined],
    ...inputsOf(job).map((path) => ['input', path] as const),
    ...outputsOf(job).map((path) => ['output', path] as const),
    ['format', job.format],
    ...Object.entries(job.parameters ?? {}).map(([name, value]) => ['option', optionText(name, value)] as const),
    ...(job.requestedOutputs ?? []).flatMap(({ output, parameters = {} }) =>
      Object.entries(parameters).map(([name, value]) => [`of ${output}`, optionText(name, value)] as const),
    ),
    ['strict', job.strict === true ? 'yes' : undefined],
    ['llm', job.llmId],
    ...Object.entries(job.metadata ?? {}).map(([name, value]) => ['metadata', `${name}=${value}`] as const),
    ['after', job.after?.join(', ')],
    ['waits for', job.waitingFor?.join(', ')],
    ['retry of', job.retryOf],
    ['attempts', `${job.attempt} of ${job.maxAttempts}`],
    ['created', job.createdAt],
    ['started', job.startedAt],
    ['ended', job.completedAt],
    [job.expired === true ? 'outputs expired' : 'outputs expire', job.expiresAt],
    ['error', job.error && `${job.error.code}: ${job.error.message} ${fixWords(job.error.fix ?? '')}`.trimEnd()],
    ...(job.warnings ?? []).map(
      ({ message, fix }) => ['warning', fix === undefined ? message : `${message} ${fixWords(fix)}`] as const,
    ),
    ...showOutputs(job).map((line) => ['file', line] as const),
  ];
  return table(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))).map(plainText);
}

const optionText = (name: string, value: string | readonly string[]): string =>
  typeof value === 'string' ? `${name}=${value}` : value.map((one) => `${name}=${one}`).join('  ');
