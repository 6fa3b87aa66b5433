import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { readProc } from '../process/process-tree.ts';
import { withTemporaryFolder } from '../process/work-root.ts';
import { confineCommand } from './confine.ts';
import { type KernelLimits, parseHardLimits } from './limits.ts';
import { pinFolders } from './pinned-folders.ts';
import { pinInputs } from './pinned-inputs.ts';
import type { Sandbox, SandboxTools } from './sandbox.ts';
import { seccompFilter } from './seccomp/bpf-program.ts';
import { findTool, systemView } from './system-view.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

const INSTALL = 'Install bubblewrap, util-linux and coreutils (apt-get install bubblewrap util-linux coreutils).';
const ALLOW =
  'Allow user namespaces: in a container use a seccomp profile that allows unshare and mount; on Ubuntu set sysctl ' +
  'kernel.apparmor_restrict_unprivileged_userns=0; on older Debian set sysctl kernel.unprivileged_userns_clone=1.';
const RAISE_PROCESSES =
  'The user of the service may not start more processes and threads: raise the limit (TasksMax= and LimitNPROC= of the ' +
  'systemd unit, ulimit -u, --pids-limit of the container).';

/** A sandbox is required but not available; the message gives the reason and the fix. */
export class SandboxMissing extends Error {
  override readonly name = 'SandboxMissing';
}

/**
 * Determines whether a sandbox works on this machine, by running ffmpeg in the sandbox that jobs would use.
 *
 * @param ffmpegPath Absolute.
 * @param hidden Folders and files that conversions must never see; absolute, symlinks resolved.
 * @param others More programs to run in the sandbox (ffprobe); absolute, symlinks resolved.
 * @param workRoot The absolute path of a folder for the files of the trial. By default the system's temporary folder,
 *   in which a command that is killed leaves an empty folder.
 * @throws SandboxMissing if `mode` is `required` and no sandbox works.
 */
export async function findSandbox(
  mode: SandboxMode,
  ffmpegPath: string,
  hidden: readonly string[] = [],
  others: readonly string[] = [],
  workRoot = tmpdir(),
): Promise<Sandbox> {
  const [prlimit, nice, timeout, setpriv, bwrap] = await Promise.all(
    ['prlimit', 'nice', 'timeout', 'setpriv', 'bwrap'].map(findTool),
  );
  const tools: Partial<SandboxTools> = {
    ...(prlimit === undefined ? {} : { prlimit }),
    ...(nice === undefined ? {} : { nice }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(setpriv === undefined ? {} : { setpriv }),
  };
  const hardLimits = parseHardLimits(readProc('/proc/self/limits'));
  const none = (reason: string, fix: string): Sandbox => {
    if (mode === 'required') throw new SandboxMissing(`The sandbox is required, but none works. ${reason} ${fix}`);
    return { kind: 'none', reason, fix, tools, hardLimits };
  };
  if (mode === 'off') return none('The sandbox is switched off.', 'Set TELECINE_SANDBOX to auto or required.');
  if (bwrap === undefined || prlimit === undefined || nice === undefined || timeout === undefined) {
    const missing = Object.entries({ bwrap, prlimit, nice, timeout }).filter(([, path]) => path === undefined);
    return none(`Not installed: ${missing.map(([name]) => name).join(', ')}.`, INSTALL);
  }
  const program = await realpath(ffmpegPath);
  const view = await systemView([program, ...others, prlimit, timeout], hidden);
  const filter = seccompFilter(process.arch, true);
  let failure: string | undefined;
  for (const { showsOpenFiles, disablesUserns } of ABILITIES) {
    const sandbox: Sandbox = {
      kind: 'bubblewrap',
      bwrap,
      tools: { prlimit, nice, timeout },
      view,
      showsOpenFiles,
      disablesUserns,
      ...(filter === undefined ? {} : { filter }),
      hardLimits,
    };
    failure = await tryToRun(sandbox, program, workRoot);
    if (failure === undefined) return sandbox;
  }
  return none(`bubblewrap could not run ffmpeg: ${failure}`, isOutOfProcesses(failure) ? RAISE_PROCESSES : ALLOW);
}

/**
 * What bwrap may lack on this machine, the best first. Without `disablesUserns` the filter of system calls alone keeps
 * ffmpeg from creating namespaces.
 */
const ABILITIES = [
  { showsOpenFiles: true, disablesUserns: true },
  { showsOpenFiles: false, disablesUserns: true },
  { showsOpenFiles: true, disablesUserns: false },
  { showsOpenFiles: false, disablesUserns: false },
] as const;

/** EAGAIN of fork or clone: the user already has as many processes and threads as it may. */
const isOutOfProcesses = (failure = ''): boolean => /Resource temporarily unavailable|EAGAIN/.test(failure);

/** Ample for `ffmpeg -version`, which takes about 200 MiB of address space for its libraries. */
const TRIAL_LIMITS: KernelLimits = {
  addressSpaceBytes: 4 * 1024 ** 3,
  cpuSeconds: 10,
  fileSizeBytes: 1024 ** 2,
  openFiles: 1024,
  threads: 512,
};

/** Runs `ffmpeg -version` like a job, with an input. Returns the first error line, or undefined if it succeeds. */
async function tryToRun(sandbox: Sandbox, program: string, workRoot: string): Promise<string | undefined> {
  try {
    return await withTemporaryFolder(workRoot, async (dir) => {
      await Promise.all(['in', 'out', 'pass'].map((name) => mkdir(join(dir, name))));
      const hostPath = join(dir, 'input');
      await writeFile(hostPath, 'input');
      const { dev, ino } = await stat(hostPath, { bigint: true });
      const mounts = [{ logical: 'in/0', hostPath, identities: [`${dev}:${ino}`] }];
      const { folders, close } = await pinFolders(dir, mounts, sandbox);
      const inputs = await pinInputs(dir, mounts, sandbox);
      const command = confineCommand({
        sandbox,
        program,
        argv: ['-hide_banner', '-version'],
        dir,
        mounts: inputs.mounts,
        ...(folders === undefined ? {} : { folders }),
        limits: TRIAL_LIMITS,
        lastResortSeconds: 10,
      });
      const errorLines: string[] = [];
      const child = launch(command, {
        out: new LineSplitter(() => undefined),
        err: new LineSplitter((line) => errorLines.push(line)),
      });
      const { code } = await child.ended.finally(inputs.close).finally(close);
      return code === 0 ? undefined : (errorLines[0] ?? `exit code ${code}`).slice(0, 300);
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
