import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';

/** File systems by `f_type` of statfs(2). */
const FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x2fc12fc1, 'zfs'],
  [0x794c7630, 'overlayfs'],
  [0x01021994, 'tmpfs'],
]);

const fileSystemOf = (folder: string): string => {
  const { type } = statfsSync(folder);
  return FILE_SYSTEMS.get(type) ?? `file system 0x${type.toString(16)}`;
};

/** Prints the machine and the versions of the measured software. */
export function printMachine(folder: string): void {
  const [ffmpeg = ''] = execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' Copyright');
  const cpu = cpus()[0]?.model.trim() ?? 'unknown processor';
  console.log(
    `${availableParallelism()} cores (${cpu}), Linux ${release()}, node ${process.version}, ${ffmpeg}, ${fileSystemOf(folder)} at ${folder}`,
  );
}

/**
 * Creates a folder on a disk, which is removed when the program ends. Throws if temporary files are in memory (tmpfs),
 * where durability costs nothing.
 */
export function benchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `telecine-bench-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  if (fileSystemOf(folder) === 'tmpfs')
    throw new Error(`${folder} is in memory; set TMPDIR to a folder on a disk and start again.`);
  return folder;
}
