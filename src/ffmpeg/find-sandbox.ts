import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxed } from './confine.ts';
import { launch } from './launch.ts';
import { defaultLimits } from './limits.ts';
import type { Sandbox, Tools } from './sandbox.ts';
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
 */
export async function findSandbox(mode: SandboxMode, ffmpegPath: string): Promise<Sandbox> {
  const [prlimit, nice, timeout, setpriv, bwrap] = await Promise.all(
    ['prlimit', 'nice', 'timeout', 'setpriv', 'bwrap'].map(findTool),
  );
  const tools: Partial<Tools> = {
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
  const sandbox: Sandbox = {
    kind: 'bubblewrap',
    bwrap,
    tools: { prlimit, nice, timeout },
    program,
    view: await systemView(program),
  };
  const refusal = await trial(sandbox, ffmpegPath);
  return refusal === undefined ? sandbox : none(`bubblewrap was tried and did not run ffmpeg: ${refusal}`, ALLOW);
}

/** Runs `ffmpeg -version` as a job would run; what was said where it failed. */
async function trial(sandbox: Sandbox, ffmpegPath: string): Promise<string | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'telecine-sandbox-'));
  try {
    await Promise.all(['in', 'out', 'pass'].map((name) => mkdir(join(dir, name))));
    const command = sandboxed({
      sandbox,
      ffmpegPath,
      argv: ['-hide_banner', '-version'],
      dir,
      mounts: [],
      limits: defaultLimits(10, 1),
      lastResortSeconds: 10,
    });
    const said: string[] = [];
    const tried = launch(command, { out: () => undefined, err: (line) => said.push(line) });
    const { code } = await tried.ended;
    return code === 0 ? undefined : (said[0] ?? `exit code ${code}`).slice(0, 300);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
