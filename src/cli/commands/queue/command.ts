import type { Command } from 'commander';
import { addServiceOptions } from '../../session/command-options.ts';
import type { JobsFlags } from '../../session/flags.ts';

/** Adds `telecine queue …` to the program. */
export function addQueueCommand(program: Command): void {
  const queue = program.command('queue').description('pause and resume the queue (needs the scope admin)');
  const verb = (usage: string, about: string, isDefault = false): Command =>
    addServiceOptions(queue.command(usage, { isDefault }).description(about));
  const load = () => import('./run.ts');

  verb('status', 'show whether the queue is paused, and how many jobs are queued (the default)', true).action(
    async (flags: JobsFlags) => (await load()).runStatus(flags),
  );
  verb('pause', 'start no more jobs; jobs are still accepted, and running ones go on').action(
    async (flags: JobsFlags) => (await load()).runPause(flags),
  );
  verb('resume', 'start jobs again').action(async (flags: JobsFlags) => (await load()).runResume(flags));
}
