import type { Command } from 'commander';
import { addServiceOptions } from '../../session/command-options.ts';
import type { ProbeFlags } from '../../session/flags.ts';
import { addParameter } from '../../session/parameters.ts';

/** Adds `telecine probe` to the program. */
export function addProbeCommand(program: Command): void {
  const probe = program
    .command('probe <file>')
    .description('show the format and streams of a file: a local file, which is uploaded, or server:path')
    .option(
      '-i, --input-option <name=value>',
      'an ffmpeg option for reading the file, such as f=s16le; repeatable',
      addParameter,
    )
    .action(async (file: string, flags: ProbeFlags) => (await import('./run.ts')).probeCommand(file, flags));
  addServiceOptions(probe);
}
