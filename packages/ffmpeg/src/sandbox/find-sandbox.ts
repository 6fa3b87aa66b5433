import { closeSync, openSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProc } from '../process/process-tree.ts';
import { withTemporaryFolder } from '../process/work-root.ts';
import { type KernelLimits, parseHardLimits } from './limits.ts';
import type { ProcessSettings, Sandbox, SandboxTools } from './sandbox.ts';
import { seccompFilter } from './seccomp/bpf-program.ts';
import { runSelfTest, type SelfTest } from './self-test.ts';
import {
  bubblewrapView,
  findSystemFiles,
  findTool,
  type KnownLibraries,
  landlockView,
  type SystemFiles,
} from './system-view.ts';

/**
 * Which sandbox to use. `auto`: the best that works, or none. `required`: the best that works, or an error. A name: this sandbox, or an
 * error.
 */
export type SandboxMode = 'auto' | 'required' | 'bubblewrap' | 'landlock' | 'off';

const INSTALL =
  'Install bubblewrap, util-linux and coreutils (apt-get install bubblewrap util-linux coreutils). Without bubblewrap, ' +
  'util-linux 2.41 or newer on a kernel with Landlock is enough.';
const ALLOW =
  'Install util-linux 2.41 or newer on a kernel with Landlock, or allow user namespaces: in a container use a seccomp ' +
  'profile that allows unshare and mount; on Ubuntu set sysctl kernel.apparmor_restrict_unprivileged_userns=0; on older ' +
  'Debian set sysctl kernel.unprivileged_userns_clone=1.';
const START_AGAIN = 'Start the service again. If the reason stays, run the program by hand with -version.';
const RAISE_PROCESSES =
  'The user of the service may not start more processes and threads: raise the limit (TasksMax= and LimitNPROC= of the ' +
  'systemd unit, ulimit -u, --pids-limit of the container).';

/** Thrown if a required sandbox does not work. The message has the reason and the fix. */
export class SandboxMissing extends Error {
  override readonly name = 'SandboxMissing';
}

export interface TriedSandbox {
  readonly sandbox: Sandbox;
  /** The output of `ffmpeg -version` in the sandbox. Absent without a sandbox. */
  readonly versionText?: string;
}

interface TrialOptions {
  readonly workRoot?: string | undefined;
  readonly niceness?: number;
  readonly libraries?: KnownLibraries | undefined;
}

/** Like `trySandboxes`, but without the version text of ffmpeg. */
export const findSandbox = async (...args: Parameters<typeof trySandboxes>): Promise<Sandbox> =>
  (await trySandboxes(...args)).sandbox;

/**
 * Finds the sandbox for this machine, by running `ffmpeg -version` in it like a job.
 *
 * @param ffmpegPath Absolute.
 * @param hidden Folders and files that conversions must never see. Absolute, symlinks resolved.
 * @param others More programs that run in the sandbox (ffprobe). Absolute, symlinks resolved.
 * @param options.workRoot An absolute folder for the files of the self-test. Default: the temporary folder of the system. If the command is
 * killed, an empty folder stays there.
 * @param options.niceness The niceness of ffmpeg and ffprobe.
 * @param options.libraries The libraries of some of the programs, if the caller already knows them.
 * @throws SandboxMissing if no sandbox works and `mode` requires one.
 */
export async function trySandboxes(
  mode: SandboxMode,
  ffmpegPath: string,
  hidden: readonly string[] = [],
  others: readonly string[] = [],
  { workRoot = tmpdir(), niceness = 0, libraries }: TrialOptions = {},
): Promise<TriedSandbox> {
  const tools = await findTools();
  const settings = { hardLimits: parseHardLimits(readProc('/proc/self/limits')), niceness };
  const none = (reason: string, fix: string): TriedSandbox => {
    if (mode === 'auto' || mode === 'off') return { sandbox: { kind: 'none', reason, fix, tools, ...settings } };
    const wanted = mode === 'required' ? 'The sandbox is required, but none works.' : `TELECINE_SANDBOX is ${mode}.`;
    throw new SandboxMissing(`${wanted} ${reason} ${fix}`);
  };
  if (mode === 'off') return none('The sandbox is switched off.', 'Set TELECINE_SANDBOX to auto or required.');
  const program = await realpath(ffmpegPath);
  const { prlimit, timeout } = tools;
  const helpers = [prlimit, timeout].filter((path) => path !== undefined);
  const system = await findSystemFiles([program, ...others, ...helpers], hidden, libraries).catch(reasonOf);
  if (typeof system === 'string') return none(system, isOutOfProcesses(system) ? RAISE_PROCESSES : START_AGAIN);
  const search = { tools, settings, system, program, workRoot };
  const failures: string[] = [];
  for (const find of [
    ...(mode === 'landlock' ? [] : [findBubblewrap]),
    ...(mode === 'bubblewrap' ? [] : [findLandlock]),
  ]) {
    const found = await find(search);
    if (typeof found !== 'string') return found;
    failures.push(found);
  }
  const reason = failures.join(' ');
  if (isOutOfProcesses(reason)) return none(reason, RAISE_PROCESSES);
  return none(reason, reason.startsWith('Not installed') ? INSTALL : ALLOW);
}

interface Search {
  readonly tools: Partial<SandboxTools & { readonly bwrap: string }>;
  readonly settings: ProcessSettings;
  readonly system: SystemFiles;
  readonly program: string;
  readonly workRoot: string;
}

async function findTools(): Promise<Search['tools']> {
  const names = ['prlimit', 'nice', 'timeout', 'setpriv', 'bwrap'];
  const found = await Promise.all(names.map(async (name) => [name, await findTool(name)] as const));
  return Object.fromEntries(found.filter(([, path]) => path !== undefined));
}

/** Tries bubblewrap. Returns a sentence with the reason if it does not work. */
async function findBubblewrap({ tools, settings, system, program, workRoot }: Search): Promise<TriedSandbox | string> {
  const { bwrap, prlimit, nice, timeout } = tools;
  if (bwrap === undefined || prlimit === undefined || nice === undefined || timeout === undefined)
    return notInstalled({ bwrap, prlimit, nice, timeout });
  const view = await bubblewrapView(system);
  const filter = seccompFilter(process.arch, true);
  let failure = '';
  for (const abilities of ABILITIES) {
    const sandbox: Sandbox = {
      kind: 'bubblewrap',
      bwrap,
      tools: { prlimit, nice, timeout },
      view,
      ...abilities,
      ...(filter === undefined ? {} : { filter }),
      ...settings,
    };
    const test = await tryToRun(sandbox, program, workRoot);
    if (test.failure === undefined) return { sandbox, versionText: test.output };
    failure = test.failure;
  }
  return `bubblewrap could not run ffmpeg: ${sentence(failure)}`;
}

const reasonOf = (error: unknown): string => sentence(error instanceof Error ? error.message : String(error));

const sentence = (text: string): string => text.replace(/\.?$/, '.');

const notInstalled = (programs: Readonly<Record<string, string | undefined>>): string => {
  const missing = Object.entries(programs).filter(([, path]) => path === undefined);
  return `Not installed: ${missing.map(([name]) => name).join(', ')}.`;
};

/** What an installed bwrap may be able to do, best first. Without `disablesUserns`, the system call filter denies namespaces. */
const ABILITIES = [
  { showsOpenFiles: true, disablesUserns: true },
  { showsOpenFiles: false, disablesUserns: true },
  { showsOpenFiles: true, disablesUserns: false },
  { showsOpenFiles: false, disablesUserns: false },
] as const;

/** True if fork or clone failed with EAGAIN: the user has reached the limit of processes and threads. */
const isOutOfProcesses = (failure = ''): boolean => /Resource temporarily unavailable|EAGAIN/.test(failure);

/** Tries setpriv with Landlock and the system call filter. Returns a sentence with the reason if it does not work. */
async function findLandlock({ tools, settings, system, program, workRoot }: Search): Promise<TriedSandbox | string> {
  const { prlimit, nice, timeout, setpriv } = tools;
  if (setpriv === undefined || prlimit === undefined || nice === undefined || timeout === undefined)
    return notInstalled({ setpriv, prlimit, nice, timeout });
  const filter = seccompFilter(process.arch, false);
  if (filter === undefined)
    return `Landlock alone does not block the network, and the filter of system calls does not support ${process.arch}.`;
  const view = await landlockView(system);
  if (view === undefined)
    return 'Landlock cannot hide the folders of the service, because they are in a folder of the libraries of ffmpeg.';
  const filterFd = await openUnlinked(filter, workRoot);
  const sandbox: Sandbox = {
    kind: 'landlock',
    tools: { prlimit, nice, timeout, setpriv },
    view,
    filterFd,
    isRoot: process.getuid?.() === 0,
    ...settings,
  };
  const { failure, output } = await tryToRun(sandbox, program, workRoot);
  if (failure === undefined) return { sandbox, versionText: output };
  closeSync(filterFd);
  return `setpriv could not run ffmpeg with Landlock: ${sentence(failure)}`;
}

/** Opens a file with this content for reading, and removes its name, so that no one can change it. */
const openUnlinked = (content: Uint8Array, workRoot: string): Promise<number> =>
  withTemporaryFolder(workRoot, async (dir) => {
    const path = join(dir, 'filter');
    await writeFile(path, content, { mode: 0o400 });
    // Return a plain descriptor, because garbage collection closes a FileHandle.
    return openSync(path, 'r');
  });

/** The limits of the self-test. `ffmpeg -version` needs less: its libraries take about 200 MiB of address space. */
const SELF_TEST_LIMITS: KernelLimits = {
  addressSpaceBytes: 4 * 1024 ** 3,
  cpuSeconds: 10,
  fileSizeBytes: 1024 ** 2,
  openFiles: 1024,
  threads: 512,
};

/** Runs `ffmpeg -version` like a job, but at the priority of the service, which waits for it. */
export const tryToRun = (sandbox: Sandbox, program: string, workRoot: string): Promise<SelfTest> =>
  runSelfTest({
    sandbox: { ...sandbox, niceness: 0 },
    program,
    argv: ['-version'],
    limits: SELF_TEST_LIMITS,
    workRoot,
    seconds: 10,
  });
