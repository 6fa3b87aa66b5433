import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, FILTER_FD, GO_FD, READY_FD } from '../../packages/ffmpeg/src/process/launch.ts';
import { confineCommand } from '../../packages/ffmpeg/src/sandbox/confine.ts';
import { findSandbox } from '../../packages/ffmpeg/src/sandbox/find-sandbox.ts';
import { onPath } from '../../scripts/setup/command.ts';

/** The default niceness of conversions in the service. */
const NICENESS = 19;

/** Limits that no bench reaches. The time in which the kernel sets a limit does not depend on its value. */
const LIMITS = { addressSpaceBytes: 2 ** 36, cpuSeconds: 7200, fileSizeBytes: 2 ** 34, openFiles: 1024, threads: 512 };

const ffmpeg = onPath('ffmpeg') ?? '';
const sandbox = findSandbox('required', ffmpeg, [], [onPath('ffprobe') ?? ffmpeg], { niceness: NICENESS });

/**
 * Wraps an argv of ffmpeg as the service does, in the same programs with the same arguments: nice, bwrap, prlimit, timeout.
 *
 * @param dir The folder with `out/`, which is the folder of the run.
 */
export async function confinedCommand(argv: readonly string[], input: string, dir: string): Promise<Command> {
  const command = confineCommand({
    sandbox: await sandbox,
    program: ffmpeg,
    argv: argv.slice(1),
    dir,
    writable: ['out'],
    mounts: [{ logical: 'in/0.mp4', hostPath: input }],
    limits: LIMITS,
    lastResortSeconds: 7200,
  });
  if (!command.inNamespace) throw new Error('The floor is measured only in bubblewrap.');
  return command;
}

/**
 * `confinedCommand` as an argv: a shell passes bwrap the descriptors that the service would pass. This is the minimum cost of a job in the
 * sandbox.
 */
export async function wrappedCommand(argv: readonly string[], input: string, dir: string): Promise<readonly string[]> {
  const command = await confinedCommand(argv, input, dir);
  const filter = join(dir, 'filter');
  writeFileSync(filter, command.filter ?? '');
  const descriptors = `${READY_FD}</dev/null ${GO_FD}</dev/null ${FILTER_FD}<${filter}`;
  return ['/bin/sh', '-c', `exec "$@" ${descriptors}`, 'sh', command.file, ...command.args];
}
