import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type StartedQueries, startQueries } from '@telecine/ffmpeg/catalogue/answers.ts';
import { findFfprobe, findProgram } from '@telecine/ffmpeg/catalogue/build.ts';
import { processStart, readProc } from '@telecine/ffmpeg/process/process-tree.ts';
import { KERNEL_CGROUPS, type OwnCgroup } from '@telecine/ffmpeg/sandbox/cgroup/delegated-cgroup.ts';
import { type JobCgroups, type NoJobCgroups, openJobCgroups } from '@telecine/ffmpeg/sandbox/cgroup/job-cgroups.ts';
import { findTool, type KnownLibraries, librariesOf } from '@telecine/ffmpeg/sandbox/system-view.ts';
import type { Config } from '../config/config.ts';

/** The tools that a service finds at its start, before it loads its code and locks its data folder. */
export interface DiscoveredTools {
  /** The cgroups for conversions, or the reason why there are no cgroups. */
  readonly cgroups: JobCgroups | NoJobCgroups;
  /** The absolute path of ffmpeg with symlinks resolved. undefined: ffmpeg was not found. */
  readonly ffmpegPath: string | undefined;
  /** The absolute path of ffprobe with symlinks resolved. undefined: ffprobe was not found. */
  readonly ffprobePath: string | undefined;
  readonly libraries: KnownLibraries;
  /** The first queries of ffmpeg, already running. undefined: the data folder probably has a stored catalogue. */
  readonly queries: StartedQueries | undefined;
}

/** The default folder for stored catalogues. The next start reads them. */
export const cataloguesFolderIn = (dataDir: string): string => join(dataDir, 'catalogues');

/**
 * Finds ffmpeg and the other tools. At the first start with a data folder, also starts the first queries of ffmpeg. They take 0.3 s, as long
 * as loading the code of the service, so both run at the same time.
 */
export async function discoverTools(
  config: Config,
  cataloguesFolder = cataloguesFolderIn(config.dataDir),
): Promise<DiscoveredTools> {
  // Open the cgroups before this process starts other processes: all processes are moved to another cgroup, which can fail while new ones
  // start.
  const cgroups = await openJobCgroups(KERNEL_CGROUPS, ownCgroup(), processStart, config.niceness);
  const ffmpegPath = await findProgram('ffmpeg', config.ffmpegPath, config.searchPath);
  const [ffprobePath, prlimit, timeout] = await Promise.all([
    findFfprobe(config.ffprobePath, ffmpegPath, config.searchPath),
    findTool('prlimit'),
    findTool('timeout'),
  ]);
  const programs = config.sandbox === 'off' ? [] : [ffmpegPath, ffprobePath, prlimit, timeout];
  const libraries = new Map(
    programs.filter((program) => program !== undefined).map((program) => [program, librariesOf(program)] as const),
  );
  // The search for a sandbox handles these errors, but it may never start. Without this line, Node would then report unhandled rejections.
  for (const listing of libraries.values()) listing.catch(() => {});
  const isStored = hasFiles(cataloguesFolder);
  return {
    cgroups,
    ffmpegPath,
    ffprobePath,
    libraries,
    queries: isStored || ffmpegPath === undefined ? undefined : startQueries(ffmpegPath),
  };
}

/** Returns the cgroup of this process, as reported by the kernel. */
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
