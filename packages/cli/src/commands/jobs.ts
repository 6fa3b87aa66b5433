import { nameOfInput } from '@telecine/contract/domain/conversion.ts';
import type { JobStatus } from '@telecine/contract/domain/states.ts';
import type { JobListView, JobView } from '@telecine/contract/wire/job.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { fixWords } from '../output/fix-words.ts';
import { table } from '../output/format.ts';
import { jobNote, showOutputs, warningText } from '../output/job-text.ts';
import { numberIn } from '../session/command-options.ts';
import { pagesOf } from '../session/pages.ts';
import { addMetadata } from '../session/parameters.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { watchIdOf } from './watch/named-watch.ts';

const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies readonly JobStatus[];
const MAX_LIMIT = 200;

interface ListFlags extends ServiceFlags {
  readonly status?: JobStatus;
  readonly search?: string;
  readonly limit?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The id, the name or the folder of a watch. */
  readonly watch?: string;
}

export function declare(jobs: Command): void {
  addVerb(
    jobs.command('list', { isDefault: true }),
    'list the newest jobs (the default)',
    listJobs,
    ({ jobs: found }) => showJobs(found),
  )
    .option('--search <words>', 'only jobs with all these words in a path, name, client, id, error or metadata')
    .addOption(new Option('--status <status>', `only jobs with this status: ${STATUSES.join(', ')}`).argParser(status))
    .option('--metadata <name=value>', 'only jobs with this metadata, repeatable', addMetadata)
    .option('--watch <watch>', 'only jobs of this watch, by its name, folder or id')
    .option('--limit <count>', `number of jobs, 1 to ${MAX_LIMIT}`, numberIn(1, MAX_LIMIT), 20);
  addVerb(jobs.command('show <id>'), 'show a job', ({ client, signal }, id) => client.get(id, { signal }), showJob);
  addVerb(
    jobs.command('cancel <id>'),
    'cancel a queued or running job',
    ({ client, signal }, id) => client.cancel(id, { signal }),
    ({ status: now }, id) => [now === 'CANCELLED' ? `${id} is cancelled.` : `${id} is being cancelled.`],
  );
  addVerb(
    jobs.command('retry <id>'),
    'submit the same request again and print the id of the new job',
    ({ client, signal }, id) => client.retry(id, { signal }),
    ({ jobId, warnings = [] }) => {
      for (const warning of warnings) console.error(warningText(warning));
      return [jobId];
    },
  );
  addVerb(
    jobs.command('delete <id>'),
    'delete a finished job',
    async ({ client, signal, flags }: Call<ServiceFlags & { readonly outputs?: true }>, id) => {
      await client.remove(id, { outputs: flags.outputs ?? false, signal });
      return { jobId: id };
    },
    (_, id) => [`${id} is deleted.`],
  ).option('--outputs', 'delete its output files too');
  addVerb(
    jobs.command('key <id>'),
    'print the key of encrypted HLS in hex',
    async ({ client, signal }, id) => ({
      jobId: id,
      key: Buffer.from(await client.key(id, { signal })).toString('hex'),
    }),
    ({ key }) => [key],
  );
  addVerb(
    jobs.command('log <id>'),
    'print the ffmpeg log of a job',
    async ({ client, signal }, id) => ({ jobId: id, log: await client.log(id, { signal }) }),
    ({ log }) => log.trimEnd().split('\n'),
  );
}

/** Lists the newest jobs. Reads the pages of a search, which can have few jobs, until there are `limit` jobs. */
async function listJobs({
  client,
  signal,
  flags: { status, search: q, metadata, watch: named, limit = MAX_LIMIT },
}: Call<ListFlags>): Promise<JobListView> {
  const watch = named === undefined ? undefined : await watchIdOf(client, named, signal);
  const jobs: JobView[] = [];
  const read = (cursor: string | undefined) =>
    client.list({ status, q, metadata, watch, limit: limit - jobs.length, cursor, signal });
  let nextCursor: string | undefined;
  for await (const page of pagesOf(read)) {
    jobs.push(...page.jobs);
    ({ nextCursor } = page);
    if (jobs.length >= limit || (q === undefined && metadata === undefined)) break;
  }
  return { jobs, ...(nextCursor !== undefined && { nextCursor }) };
}

/** Reads a job status. Ignores the case of letters. */
function status(text: string): JobStatus {
  const found = STATUSES.find((one) => one === text.toUpperCase());
  if (found === undefined) throw new InvalidArgumentError(`Use one of ${STATUSES.join(', ')}.`);
  return found;
}

const showJobs = (jobs: readonly JobView[]): readonly string[] =>
  jobs.length === 0 ? ['No jobs.'] : table([['JOB', 'STATUS', 'CREATED', 'CONVERSION'], ...jobs.map(row)]);

const row = (job: JobView): readonly string[] => [
  job.jobId,
  job.status === 'PROCESSING' && job.progress !== undefined ? `${job.progress.toFixed(0)} %` : job.status,
  job.createdAt.slice(0, 19).replace('T', ' '),
  `${inputsOf(job).join(', ')} → ${outputsOf(job).join(', ')}`,
];

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

const optionText = (name: string, value: string | readonly string[]): string =>
  typeof value === 'string' ? `${name}=${value}` : value.map((one) => `${name}=${one}`).join('  ');
