import type { ChangedJobs } from '@telecine/client/api.ts';
import { nameOfInput, type OptionValue } from '@telecine/contract/domain/conversion.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { FAILURE_CODES, type FailureCode } from '@telecine/contract/domain/failure.ts';
import { type JobAction, MAX_CHANGED } from '@telecine/contract/domain/job-selection.ts';
import { JOB_STATUSES, type JobStatus } from '@telecine/contract/domain/states.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { JobListView, JobView } from '@telecine/contract/wire/job.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { fixWords } from '../output/fix-words.ts';
import { table } from '../output/format.ts';
import { jobNote, showOutputs, warningText } from '../output/job-text.ts';
import { CommandFailed } from '../session/command-failed.ts';
import { numberIn, timeIn } from '../session/command-options.ts';
import { pagesOf } from '../session/pages.ts';
import { addMetadata } from '../session/parameters.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { watchIdOf } from './watch/named-watch.ts';

const MAX_LIMIT = 200;

interface ListFlags extends ServiceFlags {
  readonly status?: JobStatus;
  readonly client?: string;
  readonly error?: FailureCode;
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
    .addOption(statusOption())
    .addOption(clientOption())
    .addOption(errorOption())
    .option('--metadata <name=value>', 'only jobs with this metadata, repeatable', addMetadata)
    .option('--watch <watch>', 'only jobs of this watch, by its name, folder or id')
    .option('--limit <count>', `number of jobs, 1 to ${MAX_LIMIT}`, numberIn(1, MAX_LIMIT), 20);
  addVerb(jobs.command('show <id>'), 'show a job', ({ client, signal }, id) => client.get(id, { signal }), showJob);
  addSelection(
    addVerb(
      jobs.command('cancel [id]'),
      'cancel a queued or running job, or all that have the values of the options',
      async (call: Call<SelectionFlags>, id?: string) =>
        id === undefined
          ? changeAll(call, 'cancel')
          : call.client.cancel(requireAlone(call, id), { signal: call.signal }),
      (done) => {
        if (!('jobId' in done)) return showChanges(done);
        return [done.status === 'CANCELLED' ? `${done.jobId} is cancelled.` : `${done.jobId} is being cancelled.`];
      },
    ),
  );
  addSelection(
    addVerb(
      jobs.command('retry [id]'),
      'submit the request of a finished job again and print the id of the new job, or those of all that have the values of the options',
      async (call: Call<SelectionFlags>, id?: string) =>
        id === undefined
          ? changeAll(call, 'retry')
          : call.client.retry(requireAlone(call, id), { signal: call.signal }),
      (done) => {
        if (!('jobId' in done)) return showChanges(done);
        for (const warning of done.warnings ?? []) console.error(warningText(warning));
        return [done.jobId];
      },
    ),
  );
  addSelection(
    addVerb(
      jobs.command('expire'),
      'remove the outputs of all complete jobs that have the values of the options',
      (call: Call<SelectionFlags>) => changeAll(call, 'expire'),
      showChanges,
    ),
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
  flags: { status, client: ofClient, error, search: q, metadata, watch: named, limit = MAX_LIMIT },
}: Call<ListFlags>): Promise<JobListView> {
  const watch = named === undefined ? undefined : await watchIdOf(client, named, signal);
  const jobs: JobView[] = [];
  const read = (cursor: string | undefined) =>
    client.list({ status, client: ofClient, error, q, metadata, watch, limit: limit - jobs.length, cursor, signal });
  let nextCursor: string | undefined;
  for await (const page of pagesOf(read)) {
    jobs.push(...page.jobs);
    ({ nextCursor } = page);
    if (jobs.length >= limit || (q === undefined && metadata === undefined && error === undefined)) break;
  }
  return { jobs, ...(nextCursor !== undefined && { nextCursor }) };
}

interface SelectionFlags extends ServiceFlags {
  readonly status?: JobStatus;
  readonly client?: string;
  readonly error?: FailureCode;
  readonly olderThan?: number;
  readonly newerThan?: number;
  readonly dryRun?: true;
}

const statusOption = (): Option =>
  new Option('--status <status>', `only jobs with this status: ${JOB_STATUSES.join(', ')}`).argParser(status);
const clientOption = (): Option => new Option('--client <client>', 'only jobs of this client, for administrators');
const errorOption = (): Option =>
  new Option('--error <code>', 'only jobs whose error has this code, such as NO_SPACE').choices(FAILURE_CODES);

const addSelection = (verb: Command): Command =>
  verb
    .addOption(statusOption())
    .addOption(clientOption())
    .addOption(errorOption())
    .option(
      '--older-than <time>',
      'only jobs that were created longer ago than this, such as 90m, 48h or 30d',
      timeIn('1s', '3650d'),
    )
    .option('--newer-than <time>', 'only jobs that were created within this time', timeIn('1s', '3650d'))
    .option('--dry-run', 'only say how many jobs these are, and which');

/** Throws if a job is named together with a selection. */
function requireAlone(
  { flags: { status, client, error, olderThan, newerThan, dryRun } }: Call<SelectionFlags>,
  id: string,
): string {
  if ([status, client, error, olderThan, newerThan, dryRun].every((value) => value === undefined)) return id;
  throw new CommandFailed(
    EXIT.refused,
    'ID_AND_SELECTION',
    `Name the job ${id}, or select jobs by options, but not both.`,
  );
}

/** Changes all selected jobs, and prints each page, because a later one can fail. A repetition after an error changes none twice. */
async function changeAll(
  {
    client,
    signal,
    flags: { status, client: ofClient, error, olderThan, newerThan, dryRun, json },
  }: Call<SelectionFlags>,
  action: JobAction,
): Promise<Changes> {
  const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
  const selection = defined({
    ...{ status, client: ofClient, error },
    from: newerThan === undefined ? undefined : ago(newerThan),
    to: olderThan === undefined ? undefined : ago(olderThan),
  });
  if (Object.keys(selection).length === 0)
    throw new CommandFailed(EXIT.refused, 'NO_SELECTION', 'No job is named, and none are selected.', {
      fix: 'Name a job, or use --status, --client, --error, --older-than or --newer-than.',
    });
  const jobs: ChangedJobs['jobs'] = [];
  const body = { ...selection, action, limit: MAX_CHANGED, ...(dryRun && { dryRun }) };
  const read = (cursor: string | undefined) =>
    client.changeJobs({ ...body, ...(cursor !== undefined && { cursor }) }, { signal });
  for await (const page of pagesOf(read)) {
    jobs.push(...page.jobs);
    if (!json && (dryRun || action === 'retry'))
      for (const line of changeLines(page.jobs)) console.log(plainText(line));
  }
  return { action, dryRun: dryRun ?? false, jobs };
}

interface Changes extends Pick<ChangedJobs, 'jobs'> {
  readonly action: JobAction;
  readonly dryRun: boolean;
}

function showChanges({ action, dryRun, jobs }: Changes): readonly string[] {
  const failed = jobs.filter(({ error }) => error !== undefined).length;
  return [`${jobs.length - failed} of ${jobs.length} jobs: ${action}${dryRun ? ' (dry run, nothing is changed)' : ''}`];
}

const changeLines = (jobs: ChangedJobs['jobs']): readonly string[] =>
  table(
    jobs.map(({ jobId, client, retriedAs, error }) => [
      ...[jobId, client],
      error === undefined ? (retriedAs ?? '') : `${error.code}: ${error.message}`,
    ]),
  );

/** Reads a job status. Ignores the case of letters. */
function status(text: string): JobStatus {
  const found = JOB_STATUSES.find((one) => one === text.toUpperCase());
  if (found === undefined) throw new InvalidArgumentError(`Use one of ${JOB_STATUSES.join(', ')}.`);
  return found;
}

const showJobs = (jobs: readonly JobView[]): readonly string[] =>
  jobs.length === 0 ? ['No jobs.'] : table([['JOB', 'STATUS', 'CREATED', 'CLIENT', 'CONVERSION'], ...jobs.map(row)]);

const row = (job: JobView): readonly string[] => [
  job.jobId,
  job.status === 'PROCESSING' && job.progress !== undefined ? `${job.progress.toFixed(0)} %` : job.status,
  job.createdAt.slice(0, 19).replace('T', ' '),
  job.client,
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

const optionText = (name: string, value: OptionValue): string =>
  typeof value === 'object' ? value.map((one) => `${name}=${one}`).join('  ') : `${name}=${value}`;
