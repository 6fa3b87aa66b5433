import { type Command, Option } from 'commander';
import type { JobStatus } from '../../../domain/states.ts';
import { addServiceOptions, numberIn } from '../../session/command-options.ts';
import type { DeleteFlags, JobsFlags, ListFlags } from '../../session/flags.ts';

const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies readonly JobStatus[];
const MOST = 200;

/** Adds `telecine jobs …` to the program. */
export function addJobsCommand(program: Command): void {
  const jobs = program.command('jobs').description('jobs of the service: list, show, cancel, retry, delete, log');
  const verb = (usage: string, about: string, isDefault = false): Command =>
    addServiceOptions(jobs.command(usage, { isDefault }).description(about));
  const load = () => import('./run.ts');

  verb('list', 'the newest jobs; what "telecine jobs" does by itself', true)
    .addOption(new Option('--status <status>', 'only those of this status').choices(STATUSES))
    .option('--limit <count>', `how many, 1 to ${MOST}`, numberIn(1, MOST), 20)
    .action(async (flags: ListFlags) => (await load()).runList(flags));
  verb('show <id>', 'a job in full').action(async (id: string, flags: JobsFlags) => (await load()).runShow(id, flags));
  verb('cancel <id>', 'end a job that waits or runs').action(async (id: string, flags: JobsFlags) =>
    (await load()).runCancel(id, flags),
  );
  verb('retry <id>', 'submit the same again, and print the id of the new job').action(
    async (id: string, flags: JobsFlags) => (await load()).runRetry(id, flags),
  );
  verb('delete <id>', 'forget a finished job')
    .option('--outputs', 'delete the files that it made too')
    .action(async (id: string, flags: DeleteFlags) => (await load()).runDelete(id, flags));
  verb('log <id>', "ffmpeg's log of a job").action(async (id: string, flags: JobsFlags) =>
    (await load()).runLog(id, flags),
  );
}
