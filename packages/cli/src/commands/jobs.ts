import type { ChangedJobs } from '@telecine/client/api.ts';
import { FOLLOW_BUDGET } from '@telecine/client/retry.ts';
import { nameOfInput, type OptionValue } from '@telecine/contract/domain/conversion.ts';
import type { JobView } from '@telecine/contract/wire/job.ts';
import type { Command } from 'commander';
import { fixWords } from '../output/fix-words.ts';
import { table } from '../output/format.ts';
import { jobNote, showOutputs, warningText } from '../output/job-text.ts';
import { listLines } from '../output/result-lines.ts';
import { usageError } from '../session/command-failed.ts';
import { addOperationVerbs, type Sent } from '../session/operation-verbs.ts';
import { addMetadata } from '../session/parameters.ts';
import { addVerb } from '../session/service-verbs.ts';
import { watchIdOf } from './watch/named-watch.ts';

export function declare(jobs: Command): void {
  addOperationVerbs(jobs, {
    listJobs: {
      add: (list) => list.option('--metadata <name=value>', 'Only jobs with this metadata. Repeatable.', addMetadata),
      read: { watch: watchIdOf },
      send: (sent, { metadata = {} }: { metadata?: Readonly<Record<string, string>> }, { next }) => {
        const selected = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]);
        return next({ ...sent, query: { ...sent.query, ...Object.fromEntries(selected) } });
      },
      show: (reply) => showJobs(reply.jobs),
    },
    changeJobs: {
      // Retries wait for the next minute of the client's limit of submissions.
      budget: FOLLOW_BUDGET,
      send: async (sent, _flags, { next }) => next(requireSelection(sent)),
      show: ({ jobs: changed }) => showChanges(changed),
    },
    getJob: { show: showJob },
    cancelJob: { show: (job) => [`${job.jobId} is ${job.status === 'CANCELLED' ? '' : 'being '}cancelled.`] },
  });
  addVerb(
    jobs.command('retry <job-id>'),
    'Retry a finished job, and print the id of the new one',
    ({ client, signal }, id = '') => client.retry(id, { signal }),
    ({ jobId, warnings = [] }) => {
      for (const warning of warnings) console.error(warningText(warning));
      return [jobId];
    },
  );
}

/** Throws `CommandFailed` if no option selects jobs, because the change would apply to all. */
function requireSelection(sent: Sent): Sent {
  const { action, dryRun, ...selection } = sent.body ?? {};
  if (Object.keys(selection).length > 0 || dryRun === true) return sent;
  throw usageError(
    'NO_SELECTION',
    `"jobs change ${action}" selects no jobs.`,
    'Use --status, --client, --error, --from or --to. To list all jobs: --dry-run.',
  );
}

const showChanges = (jobs: ChangedJobs['jobs']): readonly string[] => [
  ...listLines(
    jobs,
    [
      ...(['jobId', 'client', 'retriedAs'] as const),
      ['ERROR', ({ error }) => error && `${error.code}: ${error.message}`],
    ],
    'No job has these values.',
  ),
  `${jobs.filter(({ error }) => error === undefined).length} of ${jobs.length} jobs`,
];

const showJobs = (jobs: readonly JobView[]): readonly string[] =>
  listLines(
    jobs,
    [
      ['JOB', ({ jobId }) => jobId],
      ['STATUS', ({ status, progress }) => (status === 'PROCESSING' ? `${progress?.toFixed(0) ?? '?'} %` : status)],
      ['CREATED', ({ createdAt }) => createdAt.slice(0, 19).replace('T', ' ')],
      'client',
      ['CONVERSION', (job) => `${inputsOf(job).join(', ')} → ${outputsOf(job).join(', ')}`],
    ],
    'No jobs.',
  );
/** The paths of the outputs that the job's request names. */
const outputsOf = ({ output, requestedOutputs = [] }: JobView): readonly string[] =>
  output === undefined ? requestedOutputs.map((one) => one.output) : [output];

const inputsOf = ({ input, inputs = [] }: JobView): readonly string[] =>
  input === undefined ? inputs.map(nameOfInput) : [input];

function showJob(job: JobView): readonly string[] {
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
    ['retried as', job.retriedAs],
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
  return table(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

const optionText = (name: string, value: OptionValue): string =>
  typeof value === 'object' ? value.map((one) => `${name}=${one}`).join('  ') : `${name}=${value}`;
