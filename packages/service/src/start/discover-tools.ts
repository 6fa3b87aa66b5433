import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '@telecine/ffmpeg/catalogue/build.ts';
import { type StartedQueries, startQueries } from '@telecine/ffmpeg/catalogue/started-queries.ts';
import { processStart, readProc } from '@telecine/ffmpeg/process/process-tree.ts';
import { KERNEL_CGROUPS, type OwnCgroup } from '@telecine/ffmpeg/sandbox/cgroup/delegated-cgroup.ts';
import { type JobCgroups, type NoJobCgroups, openJobCgroups } from '@telecine/ffmpeg/sandbox/cgroup/job-cgroups.ts';
import { findTool, type KnownLibraries, librariesOf } from '@telecine/ffmpeg/sandbox/system-view.ts';
import type { Config } from '../config/config.ts';

/** The tools that a service finds before it has loaded its code and locked its data folder. */
export interface DiscoveredTools {
  /** The cgroups for conversions, or the reason why there are none. */
  readonly cgroups: JobCgroups | NoJobCgroups;
  /** The absolute path of ffmpeg with symlinks resolved; absent if there is no ffmpeg. */
  readonly ffmpegPath: string | undefined;
  /** The absolute path of ffprobe with symlinks resolved; absent if there is no ffprobe. */
  readonly ffprobePath: string | undefined;
  readonly libraries: KnownLibraries;
  /** The initial queries of ffmpeg; absent if a catalogue is probably stored. */
  readonly queries: StartedQueries | undefined;
}

/** The default folder for catalogues that the next start reads. */
export const cataloguesFolderIn = (dataDir: string): string => join(dataDir, 'catalogues');

/** Finds ffmpeg. At the first start with a data folder, also starts to query it, which takes 0.3 s, as long as loading the service. */
export async function discoverTools(
  config: Config,
  cataloguesFolder = cataloguesFolderIn(config.dataDir),
): Promise<DiscoveredTools> {
  // Do this before this process starts other processes.
  const cgroups = await openJobCgroups(KERNEL_CGROUPS, ownCgroup(), processStart, config.niceness);
  const ffmpegPath = await findProgram('ffmpeg', config.ffmpegPath, config.searchPath);
  const [ffprobePath, prlimit, timeout] = await Promise.all([
    findFfprobe(config, ffmpegPath),
    findTool('prlimit'),
    findTool('timeout'),
  ]);
  const programs = config.sandbox === 'off' ? [] : [ffmpegPath, ffprobePath, prlimit, timeout];
  const libraries = new Map(
    programs.filter((program) => program !== undefined).map((program) => [program, librariesOf(program)] as const),
  );
  // The search for a sandbox awaits them, and may never begin.
  for (const listing of libraries.values()) listing.catch(() => {});
  const isStored = config.catalogueDir !== undefined || hasFiles(cataloguesFolder);
  return {
    cgroups,
    ffmpegPath,
    ffprobePath,
    libraries,
    queries: isStored || ffmpegPath === undefined ? undefined : startQueries(ffmpegPath),
  };
}

/** Finds ffprobe: at FFPROBE_PATH, next to ffmpeg (it has the same version), or on PATH. */
export const findFfprobe = async (
  { ffprobePath, searchPath }: Pick<Config, 'ffprobePath' | 'searchPath'>,
  ffmpegPath: string | undefined,
): Promise<string | undefined> => {
  if (ffprobePath !== undefined || ffmpegPath === undefined) return findProgram('ffprobe', ffprobePath, searchPath);
  return (
    (await findProgram('ffprobe', join(dirname(ffmpegPath), 'ffprobe'), '')) ??
    findProgram('ffprobe', undefined, searchPath)
  );
};

/** The cgroup of this process, as the kernel reports it. */
export const ownCgroup = (): OwnCgroup => ({
  cgroup: readProc('/proc/self/cgroup'),
  mountInfo: readProc('/proc/self/mountinfo'),
  uid: process.getuid?.() ?? 0,
  pid: process.pid,
});

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
