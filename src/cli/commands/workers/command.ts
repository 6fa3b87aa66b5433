import type { Command } from 'commander';
import { addServiceOptions } from '../../session/command-options.ts';
import type { JobsFlags } from '../../session/flags.ts';

/** Adds `telecine workers …` to the program. */
export function addWorkersCommand(program: Command): void {
  const workers = program.command('workers').description('list and drain workers (needs the scope admin)');
  const verb = (usage: string, about: string, isDefault = false): Command =>
    addServiceOptions(workers.command(usage, { isDefault }).description(about));
  const load = () => import('./run.ts');

  verb('list', 'list the workers and the jobs that they run (the default)', true).action(async (flags: JobsFlags) =>
    (await load()).runList(flags),
  );
  verb('drain <id>', 'let a worker take no more jobs; running ones go on').action(
    async (id: string, flags: JobsFlags) => (await load()).runDrain(id, flags),
  );
  verb('resume <id>', 'let a drained worker take jobs again').action(async (id: string, flags: JobsFlags) =>
    (await load()).runResume(id, flags),
  );
}
