import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { testFolder } from './folders.ts';

const run = promisify(execFile);

/** One folder, and FUSE mounts of it, as each machine of a cluster has one. */
export interface FuseMounts {
  /** The folder itself, with the inode numbers of its disk. */
  readonly source: string;
  readonly mounts: readonly string[];
  /** The path at which each service sees its mount, as machines of a cluster have the same path. */
  readonly mediaRoot: string;
  /** The launcher of a service that sees a mount at `mediaRoot`. */
  launcher(mount: number): readonly string[];
}

/** Without them, the kernel asks the file system at each use of a name, as with the option `noac` of NFS. */
const NO_CACHES = 'cache.attr=0,cache.entry=0,cache.negative_entry=0';

/**
 * Mounts a new folder `count` times by mergerfs, until the current test ends. Each mount numbers the names that are looked up
 * in it, so that inode numbers differ between mounts, and between the hard links of a file. Needs bubblewrap.
 */
export async function mountShared(count: number): Promise<FuseMounts> {
  const folder = await testFolder('shared');
  const source = join(folder, 'source');
  const mounts = Array.from({ length: count }, (_, i) => join(folder, `mount${i}`));
  const mediaRoot = join(folder, 'media');
  for (const each of [source, mediaRoot, ...mounts]) await mkdir(each);
  onTestFinished(async () => {
    // Lazily: a service that was killed may still have files open.
    for (const mount of mounts) await run('fusermount3', ['-u', '-z', mount]).catch(() => undefined);
  });
  for (const mount of mounts) await run('mergerfs', ['-o', `allow_other,cache.files=off,${NO_CACHES}`, source, mount]);
  return {
    source,
    mounts,
    mediaRoot,
    launcher: (mount) => ['bwrap', '--dev-bind', '/', '/', '--bind', mounts[mount] ?? '', mediaRoot],
  };
}
