import { mkdir, realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaStore } from '../../jobs/ports.ts';
import { storageFault } from './errors.ts';
import type { At } from './failpoints.ts';
import type { MediaLog } from './log.ts';
import { offLimits } from './paths/root-boundary.ts';
import { createLook } from './paths/stat-paths.ts';
import { prepare } from './publish/prepare.ts';
import { publish } from './publish/publish.ts';
import { remove } from './publish/remove-outputs.ts';
import { groundOf } from './publish/target.ts';
import { withdraw } from './publish/unpublish.ts';
import { discard, findScratchRooms, openScratch } from './scratch/scratch.ts';
import { used } from './scratch/scratch-usage.ts';
import { sweep } from './scratch/sweep.ts';
import { stage, stageFile } from './staging/stage.ts';

export interface LocalMediaOptions {
  /** The service's media root; made where it is missing. Scratch lies on its disk. */
  readonly mediaRoot: string;
  /** Takes the scratch folders where the media root cannot. */
  readonly dataDir: string;
  /** Folders and files of the service that no client may reach; absolute, symlinks resolved. */
  readonly own: readonly string[];
  /** Called with the folder that scratch lies in before anything is done there; throws to keep out of it. */
  readonly hold?: (scratchRoot: string) => void;
  /** Ends all processes that work in folders of `scratchRoot`, and resolves when they are gone. */
  readonly endProcessesIn: (scratchRoot: string) => Promise<unknown>;
  readonly log: MediaLog;
  /** Called at the steps of publishing, for tests that end the process there. */
  readonly at?: At;
}

/**
 * Media on local disks, or on disks that look local. One service that runs jobs a media root: another with a store of
 * its own would sweep this one's scratch. `hold` is to see to that.
 */
export async function localMedia(options: LocalMediaOptions): Promise<MediaStore> {
  const { endProcessesIn, hold, log, at = () => {} } = options;
  await mkdir(options.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(options.mediaRoot);
  const { rooms, fallback } = await findScratchRooms(mediaRoot, options.dataDir);
  if (fallback !== undefined)
    log.warn(
      { err: fallback, scratch: rooms[0] },
      'Scratch cannot lie in the media root; finished files may have to be copied to their place.',
    );
  hold?.(rooms[0]);
  const off = offLimits(options.own, mediaRoot);
  const fileMode = 0o666 & ~process.umask();
  const open = new Set<string>();

  return {
    look: createLook(off),
    openScratch: async (_root, jobId, fence) => {
      const name = `${jobId}.${fence}`;
      const dir = join(rooms[0], name);
      open.add(dir);
      try {
        return await openScratch(rooms[0], name);
      } catch (error) {
        await discard(rooms, dir).catch(() => undefined);
        open.delete(dir);
        throw error;
      }
    },
    find: async (root, path, logical) => stageFile(await groundOf(root, off), { path, logical }),
    stage: async (root, scratch, inputs, output) => stage(await groundOf(root, off), scratch, inputs, output),
    prepare: (root, scratch, output, main, inputs) =>
      prepare({ offLimits: off, fileMode, at }, root, scratch, output, main, inputs),
    publish: (intent) => publish(at, intent),
    withdraw,
    discard: async ({ dir }) => {
      try {
        await discard(rooms, dir);
      } finally {
        open.delete(dir);
      }
    },
    sweep: (live) => sweep({ rooms, open, endProcessesIn, log }, live),
    freeBytes: async () => {
      try {
        const disks = await Promise.all([mediaRoot, rooms[0]].map((path) => statfs(path)));
        return Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
      } catch (error) {
        throw storageFault('asking for free space', error);
      }
    },
    used,
    remove: (root, outputs) => remove(off, root, outputs),
  };
}
