import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, readlink } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** Where system programs are; the service's own PATH is not asked, for it may hold folders that anyone can write. */
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
 * Libraries and fonts, where systems have them: all else of /usr may hold other software's data, or
 * the service's own. Some are links, on a merged /usr those below the root too.
 */
const FOLDERS = [
  ...['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libx32', '/usr/local/lib', '/usr/local/lib64'],
  ...['/lib', '/lib32', '/lib64', '/libx32'],
  ...['/usr/share/fonts', '/usr/local/share/fonts', '/usr/share/fontconfig'],
];

/**
 * Of /etc only what loading a library or choosing a font needs: Debian's libblas and others are reached through
 * /etc/alternatives. No passwd, no hosts, no certificates.
 */
const ETC_AND_CACHES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig'];

const TMP_BYTES = 64 * 1024 * 1024;
/** glibc's semaphores and shared memory lie in /dev/shm; no encoder known here keeps pictures there. */
const SHM_BYTES = 16 * 1024 * 1024;
/** An empty folder needs one page. */
const EMPTY_BYTES = 4096;

/**
 * Options for bwrap that show `programs` and their libraries, the fonts, and a small /dev and /tmp.
 *
 * @param programs Absolute.
 * @param hidden Folders and files that are not shown even where they lie in a folder that is; absolute, links resolved.
 */
export async function systemView(programs: readonly string[], hidden: readonly string[]): Promise<readonly string[]> {
  const all = await Promise.all(FOLDERS.map(async (path) => ({ path, show: await shown(path) })));
  const there = all.filter(({ show }) => show.length > 0);
  const shownPaths = there.map(({ path }) => path);
  const inside = new Set(hidden.filter((path) => isIn(path, shownPaths)));
  const masked = [...inside].filter((path) => !isIn(dirname(path), [...inside]));
  const masks = await Promise.all(masked.map(mask));
  const libraries = (await Promise.all(programs.map(librariesOf))).flat();
  const isElsewhere = (path: string): boolean => !isIn(path, shownPaths) || isIn(path, masked);
  const files = [...new Set([...programs, ...libraries])].filter(isElsewhere);
  const folders = [...new Set(libraries.filter(isElsewhere).map((path) => dirname(path)))];
  return [
    ...there.flatMap(({ show }) => show),
    ...['--dir', '/etc', '--dir', '/var', '--dir', '/var/cache'],
    ...ETC_AND_CACHES.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--dev', '/dev', '--size', `${SHM_BYTES}`, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', `${TMP_BYTES}`, '--tmpfs', '/tmp'],
    ...masks.flatMap(({ cover }) => cover),
    // Last, for a program may lie below /tmp, or below what is hidden.
    ...files.flatMap((path) => [...parents(path), '--ro-bind', path, path]),
    ...masks.flatMap(({ close }) => close),
    // A program that looks for its libraries beside itself asks /proc where it is, which is not shown.
    ...(folders.length > 0 ? ['--setenv', 'LD_LIBRARY_PATH', folders.join(':')] : []),
  ];
}

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Nothing where the system has no such folder. */
async function shown(path: string): Promise<readonly string[]> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return [];
  if (stats.isSymbolicLink()) return [...parents(path), '--symlink', await readlink(path), path];
  return [...parents(path), '--ro-bind', path, path];
}

/** An empty folder over a folder, and a device that cannot be opened there over a file. */
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
 * The files that the loader takes `program`'s libraries from. This is what ldd(1) does: with this variable
 * the loader prints them and ends before the program begins. A static program prints none.
 */
async function librariesOf(program: string): Promise<readonly string[]> {
  const listing = await new Promise<string>((resolve) => {
    const env = { LD_TRACE_LOADED_OBJECTS: '1' };
    execFile(program, ['-version'], { env, timeout: 10_000 }, (_error, stdout) => resolve(stdout));
  });
  return [...listing.matchAll(/^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/gm)].map((m) => normalize(m[1] ?? '/'));
}
