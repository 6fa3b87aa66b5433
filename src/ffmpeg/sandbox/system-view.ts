import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, readlink } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** Folders of system programs. The service's PATH is not used: it may contain folders that others can write to. */
const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'];

export async function findTool(name: string): Promise<string | undefined> {
  for (const folder of PROGRAM_FOLDERS) {
    const path = join(folder, name);
    if (await canRun(path)) return path;
  }
  return undefined;
}

const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Folders of libraries and fonts. The rest of /usr may contain data of other software or of the service. Some of these
 * folders are symlinks. On a system with a merged /usr, so are those directly below the root.
 */
const FOLDERS = [
  ...['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libx32', '/usr/local/lib', '/usr/local/lib64'],
  ...['/lib', '/lib32', '/lib64', '/libx32'],
  ...['/usr/share/fonts', '/usr/local/share/fonts', '/usr/share/fontconfig'],
];

/**
 * The files and folders needed to load a library or choose a font. For example, Debian links libblas through
 * /etc/alternatives. passwd, hosts and certificates stay hidden.
 */
const ETC_AND_CACHES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig'];

/** The memory of each processor. Without it libx265 starts no thread pool, which changes its output and its speed. */
const NUMA_NODES = '/sys/devices/system/node';

const TMP_BYTES = 64 * 1024 * 1024;
/** The size of /dev/shm. glibc creates semaphores and shared memory there; no known encoder stores frames there. */
const SHM_BYTES = 16 * 1024 * 1024;
/** The size of a tmpfs that only hides a folder: one page. */
const EMPTY_BYTES = 4096;

/**
 * bwrap options that mount `programs` with their libraries, the fonts, and a small /dev and /tmp.
 *
 * @param programs Absolute.
 * @param hidden Folders and files to hide even inside a mounted folder; absolute, symlinks resolved.
 */
export async function systemView(programs: readonly string[], hidden: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(FOLDERS.map(async (path) => ({ path, options: await mountOptions(path) })));
  const existing = all.filter(({ options }) => options.length > 0);
  const mountedPaths = existing.map(({ path }) => path);
  const inside = new Set(hidden.filter((path) => isIn(path, mountedPaths)));
  const masked = [...inside].filter((path) => !isIn(dirname(path), [...inside]));
  const masks = await Promise.all(masked.map(mask));
  const libraries = (await Promise.all(programs.map(librariesOf))).flat();
  const isElsewhere = (path: string): boolean => !isIn(path, mountedPaths) || isIn(path, masked);
  const files = [...new Set([...programs, ...libraries])].filter(isElsewhere);
  const folders = [...new Set(libraries.filter(isElsewhere).map((path) => dirname(path)))];
  return [
    ...existing.flatMap(({ options }) => options),
    ...['--dir', '/etc', '--dir', '/var', '--dir', '/var/cache'],
    ...ETC_AND_CACHES.flatMap((path) => ['--ro-bind-try', path, path]),
    ...[...parents(NUMA_NODES), '--ro-bind-try', NUMA_NODES, NUMA_NODES],
    ...['--dev', '/dev', '--size', `${SHM_BYTES}`, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', `${TMP_BYTES}`, '--tmpfs', '/tmp'],
    ...masks.flatMap(({ cover }) => cover),
    // After the masks, because a program may be below /tmp or below a hidden folder.
    ...files.flatMap((path) => [...parents(path), '--ro-bind', path, path]),
    ...masks.flatMap(({ close }) => close),
    // A program that searches for libraries next to itself needs /proc, which is not mounted.
    ...(folders.length > 0 ? ['--setenv', 'LD_LIBRARY_PATH', folders.join(':')] : []),
  ];
}

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Returns the options that mount a folder, or none if the system has no such folder. */
async function mountOptions(path: string): Promise<readonly string[]> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return [];
  if (stats.isSymbolicLink()) return [...parents(path), '--symlink', await readlink(path), path];
  return [...parents(path), '--ro-bind', path, path];
}

/** Hides a folder behind an empty one, and a file behind a device that cannot be opened inside the sandbox. */
async function mask(path: string): Promise<{ readonly cover: readonly string[]; readonly close: readonly string[] }> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return { cover: [], close: [] };
  if (!stats.isDirectory()) return { cover: ['--ro-bind', '/dev/null', path], close: [] };
  return { cover: ['--size', `${EMPTY_BYTES}`, '--tmpfs', path], close: ['--remount-ro', path] };
}

function parents(path: string): readonly string[] {
  const found: string[] = [];
  for (let up = dirname(path); up !== '/'; up = dirname(up)) found.unshift('--dir', up);
  return found;
}

/**
 * Returns the library files that the loader uses for `program`. Works like ldd(1): with LD_TRACE_LOADED_OBJECTS set,
 * the loader prints them and exits before the program starts. A static program has none.
 */
async function librariesOf(program: string): Promise<readonly string[]> {
  const listing = await new Promise<string>((resolve) => {
    const env = { LD_TRACE_LOADED_OBJECTS: '1' };
    execFile(program, ['-version'], { env, timeout: 10_000 }, (_error, stdout) => resolve(stdout));
  });
  return [...listing.matchAll(/^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/gm)].map((m) => normalize(m[1] ?? '/'));
}
