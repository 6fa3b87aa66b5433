import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from '../process/launch.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { withTemporaryFolder } from '../process/temporary-folder.ts';
import { confineCommand } from './confine.ts';
import type { KernelLimits } from './limits.ts';
import { pinInputs } from './pinned-inputs.ts';
import type { Sandbox, SandboxTools } from './sandbox.ts';
import { findTool, systemView } from './system-view.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

const INSTALL = 'Install bubblewrap, util-linux and coreutils (apt-get install bubblewrap util-linux coreutils).';
const ALLOW =
  'Let the service make user namespaces: in a container a seccomp profile that allows unshare and mount; on ' +
  'Ubuntu sysctl kernel.apparmor_restrict_unprivileged_userns=0; on older Debian sysctl kernel.unprivileged_userns_clone=1.';

/** The sandbox is required, and there is none; the message says why and how to mend it. */
export class SandboxMissing extends Error {
  override readonly name = 'SandboxMissing';
}

/**
 * Finds out what can hold ffmpeg here, by running it in the sandbox that jobs will run in. Throws
 * `SandboxMissing` where `required` meets none.
 *
 * @param ffmpegPath Absolute.
 * @param hidden Folders and files that a conversion must not see wherever they lie; absolute, symlinks resolved.
 * @param others Programs that are to run in it too: ffprobe; absolute, symlinks resolved.
 */
export async function findSandbox(
  mode: SandboxMode,
  ffmpegPath: string,
  hidden: readonly string[] = [],
  others: readonly string[] = [],
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
  const none = (reason: string, fix: string): Sandbox => {
    if (mode === 'required') throw new SandboxMissing(`The sandbox is required, but there is none. ${reason} ${fix}`);
    return { kind: 'none', reason, fix, tools };
  };
  if (mode === 'off') return none('The sandbox is switched off.', 'Set TELECINE_SANDBOX to auto or required.');
  if (bwrap === undefined || prlimit === undefined || nice === undefined || timeout === undefined) {
    const missing = Object.entries({ bwrap, prlimit, nice, timeout }).filter(([, path]) => path === undefined);
    return none(`Not installed: ${missing.map(([name]) => name).join(', ')}.`, INSTALL);
  }
  const program = await realpath(ffmpegPath);
  const view = await systemView([program, ...others, prlimit, timeout], hidden);
  let refusal: string | undefined;
  for (const showsOpenFiles of [true, false]) {
    const sandbox = {
      kind: 'bubblewrap',
      bwrap,
      tools: { prlimit, nice, timeout },
      view,
      showsOpenFiles,
    } as const;
    refusal = await trial(sandbox, program);
    if (refusal === undefined) return sandbox;
  }
  return none(`bubblewrap was tried and did not run ffmpeg: ${refusal}`, ALLOW);
}

/** `ffmpeg -version` takes some 200 MiB of address space, by its libraries. */
const TRIAL_LIMITS: KernelLimits = {
  addressSpaceBytes: 4 * 1024 ** 3,
  cpuSeconds: 10,
  fileSizeBytes: 1024 ** 2,
  openFiles: 1024,
  threads: 512,
};

/** Runs `ffmpeg -version` as a job would run, with an input; what was said where it failed. */
async function trial(sandbox: Sandbox, program: string): Promise<string | undefined> {
  try {
    return await withTemporaryFolder(async (dir) => {
      await Promise.all(['in', 'out', 'pass'].map((name) => mkdir(join(dir, name))));
      const hostPath = join(dir, 'input');
      await writeFile(hostPath, 'input');
      const { dev, ino } = await stat(hostPath, { bigint: true });
      const inputs = await pinInputs(dir, [{ logical: 'in/0', hostPath, identities: [`${dev}:${ino}`] }], sandbox);
      const command = confineCommand({
        sandbox,
        program,
        argv: ['-hide_banner', '-version'],
        dir,
        mounts: inputs.mounts,
        limits: TRIAL_LIMITS,
        lastResortSeconds: 10,
      });
      const said: string[] = [];
      const tried = launch(command, {
        out: new LineSplitter(() => undefined),
        err: new LineSplitter((line) => said.push(line)),
      });
      const { code } = await tried.ended.finally(inputs.close);
      return code === 0 ? undefined : (said[0] ?? `exit code ${code}`).slice(0, 300);
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
