import { existsSync, readdirSync } from 'node:fs';
import { sandboxState } from './bubblewrap.ts';
import { lastLines, onPath } from './command.ts';
import { type FfmpegBuild, namedBuild } from './ffmpeg-build.ts';
import { type PackageManager, packageManager, type SystemTool } from './packages.ts';
import { postgresPrograms } from './postgres.ts';
import { busy, ok, type Say, seconds, silent, warn } from './say.ts';

/** The programs that the demo and the tests need besides npm packages. */
export interface Tools extends FfmpegBuild {
  readonly from: 'environment' | 'path' | 'package manager';
  /** Whether bubblewrap is installed and works, so that conversions can run in a sandbox. */
  readonly bubblewrap: boolean;
}

/**
 * Finds ffmpeg, ffprobe and bubblewrap, and installs those that are missing if this user may. Takes about 0.1 s when
 * all are installed. Throws if there is no supported ffmpeg and none can be installed.
 */
export async function ensureTools(say: Say = silent): Promise<Tools> {
  const install = installer(say);
  const build = await ensureFfmpeg(install);
  say(ok('ffmpeg', `${build.version} (${build.ffmpegPath})`));
  return { ...build, bubblewrap: await ensureBubblewrap(build.ffmpegPath, install, say) };
}

/** Programs of the tests, by the tools that have them. */
const PROGRAMS = {
  ffmpeg: 'ffmpeg',
  bubblewrap: 'bwrap',
  prometheus: 'promtool',
  curl: 'curl',
  gcc: 'cc',
  jq: 'jq',
  rsync: 'rsync',
  sqlite3: 'sqlite3',
  chromium: 'chromium',
} as const satisfies Partial<Record<SystemTool, string>>;

/**
 * Installs what is missing for the tests in one run of the package manager, which takes half the time of a run for each tool. If it fails,
 * the tests install each by itself, and say which cannot be installed.
 */
export async function installTestTools(): Promise<void> {
  const tools = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
  const missing: SystemTool[] = tools.filter((tool) => onPath(PROGRAMS[tool]) === undefined);
  if (postgresPrograms() === undefined) missing.push('postgresql');
  if (missing.length === 0) return;
  const manager = await packageManager();
  if (manager !== undefined) await manager.install(...missing);
  else
    console.error(
      `This user may not install ${missing.join(', ')}. Ask an administrator to; until then, tests that need them are skipped, or fail in CI.`,
    );
}

/** Returns a function that installs a tool if its program is missing, and returns whether it is installed now. */
const ensuring =
  (tool: SystemTool, program: string = tool) =>
  async (say: Say = silent): Promise<boolean> => {
    const isInstalled = (): boolean => onPath(program) !== undefined;
    return isInstalled() || ((await installer(say)(tool)) && isInstalled());
  };

export const ensureCurl = ensuring('curl');
export const ensureCompiler = ensuring('gcc', 'cc');
export const ensureJq = ensuring('jq');
export const ensureRsync = ensuring('rsync');
export const ensureSqlite3 = ensuring('sqlite3');
export const ensurePgBouncer = ensuring('pgbouncer');
/** The FUSE file system of the tests of shared disks. */
export const ensureMergerfs = ensuring('mergerfs');

/** Installs the server of PostgreSQL if it is missing. Returns whether it is installed now. */
export async function ensurePostgres(say: Say = silent): Promise<boolean> {
  return postgresPrograms() !== undefined || ((await installer(say)('postgresql')) && postgresPrograms() !== undefined);
}

const RADOSGW = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];

/** Whether the programs of the S3 server of the tests, Ceph's RADOS gateway, are installed. */
export const hasRadosgw = (): boolean => RADOSGW.every((program) => onPath(program) !== undefined);

/** Installs the S3 server of the tests if it is missing. Returns whether it is installed now. */
export async function ensureRadosgw(say: Say = silent): Promise<boolean> {
  return hasRadosgw() || ((await installer(say)('radosgw')) && hasRadosgw());
}

/** Installs Prometheus if it is missing. Returns the path of its promtool, or undefined if it cannot be installed. */
export async function ensurePromtool(say: Say = silent): Promise<string | undefined> {
  return onPath('promtool') ?? ((await installer(say)('prometheus')) ? onPath('promtool') : undefined);
}

/** Installs libfaketime if it is missing. Returns its path, or undefined if it cannot be installed. */
export async function ensureFaketime(say: Say = silent): Promise<string | undefined> {
  return findFaketime() ?? ((await installer(say)('libfaketime')) ? findFaketime() : undefined);
}

/** Debian has a folder for each architecture. */
const findFaketime = (): string | undefined =>
  readdirSync('/usr/lib')
    .map((name) => `/usr/lib/${name}/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path));

/** Installs Chromium if it is missing. Returns its path, or undefined if it cannot be installed. */
export async function ensureChromium(say: Say = silent): Promise<string | undefined> {
  return onPath('chromium') ?? ((await installer(say)('chromium')) ? onPath('chromium') : undefined);
}

/** Where Debian's package ffmpeg-doc has the HTML pages. */
const MANUAL = '/usr/share/doc/ffmpeg/manual';

/** Installs ffmpeg's manual if it is missing. Returns its folder; undefined if it cannot be installed. */
export async function ensureManual(say: Say = silent): Promise<string | undefined> {
  const isInstalled = (): boolean => existsSync(`${MANUAL}/ffmpeg-filters.html`);
  return isInstalled() || ((await installer(say)('ffmpeg-doc')) && isInstalled()) ? MANUAL : undefined;
}

type Install = (tool: SystemTool) => Promise<boolean>;

/** Returns a function that installs a tool. It looks for a package manager at the first call. */
function installer(say: Say): Install {
  let manager: Promise<PackageManager | undefined> | undefined;
  return async (tool) => {
    manager ??= packageManager();
    const found = await manager;
    return found !== undefined && installWith(found, tool, say);
  };
}

async function installWith(manager: PackageManager, tool: SystemTool, say: Say): Promise<boolean> {
  say(busy(tool, `installing with ${manager.name}; this may take a minute`));
  const from = performance.now();
  const outcome = await manager.install(tool);
  say(
    outcome.ok
      ? ok(tool, `installed in ${seconds(from)}`)
      : warn(tool, `${manager.name} failed to install it:\n  ${lastLines(outcome.text)}`),
  );
  return outcome.ok;
}

const HOW_TO_INSTALL =
  'Ask an administrator to run "apt-get install ffmpeg bubblewrap", or set FFMPEG_PATH and FFPROBE_PATH to a build of your own.';

/** Throws for a build that the service would reject: a set-up must not report "Ready" if the service cannot start. */
function requireSupported<T extends FfmpegBuild>(build: T): T {
  if (build.supported) return build;
  throw new Error(
    `${build.ffmpegPath} is version ${build.version}; Telecine needs ffmpeg 5.1 or newer. ${HOW_TO_INSTALL}`,
  );
}

async function ensureFfmpeg(install: Install): Promise<Omit<Tools, 'bubblewrap'>> {
  const here = await namedBuild();
  if (here !== undefined) return requireSupported(here);
  if (await install('ffmpeg')) {
    const build = await namedBuild();
    if (build !== undefined) return { ...requireSupported(build), from: 'package manager' };
  }
  throw new Error(`ffmpeg is not installed, and it could not be installed here. ${HOW_TO_INSTALL}`);
}

async function ensureBubblewrap(ffmpegPath: string, install: Install, say: Say): Promise<boolean> {
  let sandbox = await sandboxState(ffmpegPath);
  if (sandbox.missing && process.platform === 'linux' && (await install('bubblewrap')))
    sandbox = await sandboxState(ffmpegPath);
  if (sandbox.works) say(ok('bubblewrap', 'works: conversions run in a sandbox'));
  else {
    say(warn('bubblewrap', 'not available: the sandbox is weaker, or there is none. Requests are still checked'));
    say(warn('', sandbox.advice));
  }
  return sandbox.works;
}
