import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JobStatus } from '../../../domain/states.ts';
import { addServiceOptions, numberIn } from '../../session/command-options.ts';
import type { DeleteFlags, JobsFlags, ListFlags } from '../../session/flags.ts';
import { addMetadata } from '../../session/parameters.ts';

const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies readonly JobStatus[];
const MAX_LIMIT = 200;

/** Adds `telecine jobs …` to the program. */
export function addJobsCommand(program: Command): void {
  const jobs = program.command('jobs').description('list, show, cancel, retry and delete jobs, and print their logs');
  const verb = (usage: string, about: string, isDefault = false): Command =>
    addServiceOptions(jobs.command(usage, { isDefault }).description(about));
  const load = () => import('./run.ts');

  verb('list', 'list the newest jobs (the default)', true)
    .addOption(new Option('--status <status>', `only jobs with this status: ${STATUSES.join(', ')}`).argParser(status))
    .option('--metadata <name=value>', 'only jobs with this metadata, repeatable', addMetadata)
    .option('--limit <count>', `number of jobs, 1 to ${MAX_LIMIT}`, numberIn(1, MAX_LIMIT), 20)
    .action(async (flags: ListFlags) => (await load()).runList(flags));
  verb('show <id>', 'show a job').action(async (id: string, flags: JobsFlags) => (await load()).runShow(id, flags));
  verb('cancel <id>', 'cancel a queued or running job').action(async (id: string, flags: JobsFlags) =>
    (await load()).runCancel(id, flags),
  );
  verb('retry <id>', 'submit the same request again and print the id of the new job').action(
    async (id: string, flags: JobsFlags) => (await load()).runRetry(id, flags),
  );
  verb('delete <id>', 'delete a finished job')
    .option('--outputs', 'delete its output files too')
    .action(async (id: string, flags: DeleteFlags) => (await load()).runDelete(id, flags));
  verb('key <id>', 'print the key of encrypted HLS in hex').action(async (id: string, flags: JobsFlags) =>
    (await load()).runKey(id, flags),
  );
  verb('log <id>', 'print the ffmpeg log of a job').action(async (id: string, flags: JobsFlags) =>
    (await load()).runLog(id, flags),
  );
}

/** Reads a status, in capitals or not. */
function status(text: string): JobStatus {
  const found = STATUSES.find((one) => one === text.toUpperCase());
  if (found === undefined) throw new InvalidArgumentError(`Use one of ${STATUSES.join(', ')}.`);
  return found;
}
