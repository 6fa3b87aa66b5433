import { sandboxState } from './bubblewrap.ts';
import { lastLines } from './command.ts';
import { type FfmpegBuild, namedBuild } from './ffmpeg-build.ts';
import { type PackageManager, packageManager, type SystemTool } from './packages.ts';
import { busy, ok, type Say, seconds, silent, warn } from './say.ts';
import { cachedStaticBuild, fetchStaticBuild } from './static-build.ts';

/** The programs that demo and tests need besides npm's. */
export interface Tools extends FfmpegBuild {
  readonly from: 'environment' | 'path' | 'package manager' | 'static build';
  /** bubblewrap is there and works: conversions can run in a sandbox. */
  readonly bubblewrap: boolean;
}

/**
 * Makes sure of ffmpeg, ffprobe and, where it may, bubblewrap: finds them, else installs them. Run again it
 * only looks (some 0.1 s). Throws when no ffmpeg can be had.
 */
export async function ensureTools(say: Say = silent): Promise<Tools> {
  let manager: Promise<PackageManager | undefined> | undefined;
  const install = async (tool: SystemTool): Promise<boolean> => {
    manager ??= packageManager();
    const it = await manager;
    return it !== undefined && installed(it, tool, say);
  };
  const build = await ensureFfmpeg(install, say);
  say(ok('ffmpeg', `${build.version} (${build.ffmpegPath})`));
  if (!build.supported)
    say(warn('', 'That is no release from 5.1 on: good enough to try things out, not to serve with.'));
  return { ...build, bubblewrap: await ensureBubblewrap(build.ffmpegPath, install, say) };
}

type Install = (tool: SystemTool) => Promise<boolean>;

async function installed(manager: PackageManager, tool: SystemTool, say: Say): Promise<boolean> {
  say(busy(tool, `installing with ${manager.name}; this may take a minute`));
  const from = performance.now();
  const outcome = await manager.install(tool);
  say(
    outcome.ok
      ? ok(tool, `installed in ${seconds(from)}`)
      : warn(tool, `${manager.name} could not install it:\n  ${lastLines(outcome.text)}`),
  );
  return outcome.ok;
}

async function ensureFfmpeg(install: Install, say: Say): Promise<Omit<Tools, 'bubblewrap'>> {
  const here = await namedBuild();
  if (here !== undefined) return here;
  if (await install('ffmpeg')) {
    const build = await namedBuild();
    if (build !== undefined) return { ...build, from: 'package manager' };
  }
  const cached = await cachedStaticBuild();
  if (cached !== undefined) return { ...cached, from: 'static build' };
  say(busy('ffmpeg', 'nothing here and no right to install: fetching a static build from npm'));
  const from = performance.now();
  const build = await fetchStaticBuild();
  say(ok('ffmpeg', `fetched in ${seconds(from)}`));
  return { ...build, from: 'static build' };
}

async function ensureBubblewrap(ffmpegPath: string, install: Install, say: Say): Promise<boolean> {
  let sandbox = await sandboxState(ffmpegPath);
  if (sandbox.missing && process.platform === 'linux' && (await install('bubblewrap')))
    sandbox = await sandboxState(ffmpegPath);
  if (sandbox.works) say(ok('bubblewrap', 'works: conversions run in a sandbox'));
  else {
    say(warn('bubblewrap', 'none: conversions run UNSANDBOXED, and options that reach files are refused'));
    say(warn('', sandbox.says));
  }
  return sandbox.works;
}
