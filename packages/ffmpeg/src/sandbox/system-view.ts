import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** Folders of system programs. They replace the PATH of the service, because other users may be able to write to its folders. */
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
 * Where distributions keep libraries. The sandbox shows only the folders that have libraries of its programs, because other folders may
 * have data of other software or of the service. On a system with a merged /usr, some folders are symlinks.
 */
const LIBRARY_ROOTS = [
  ...['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libx32', '/usr/local/lib', '/usr/local/lib64'],
  ...['/lib', '/lib32', '/lib64', '/libx32'],
];

/**
 * Fonts, and the files that loading a library or choosing a font needs: Debian links libblas through /etc/alternatives. passwd, hosts and
 * certificates stay hidden.
 */
const FIXED = [
  ...['/usr/share/fonts', '/usr/local/share/fonts', '/usr/share/fontconfig', '/usr/lib/locale'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig'],
  // Which memory belongs to which processor. Without this, libx265 starts no thread pool: its output and speed change.
  '/sys/devices/system/node',
];

const TMP_BYTES = 64 * 1024 * 1024;
/** The size of /dev/shm, where glibc makes semaphores and shared memory. No known encoder keeps frames there. */
const SHM_BYTES = 16 * 1024 * 1024;
/** The size of a tmpfs that only hides a folder: one page. */
const EMPTY_BYTES = 4096;

/** The results of `librariesOf`, by program. */
export type KnownLibraries = ReadonlyMap<string, Promise<readonly string[]>>;

/** The files of the system that programs may read. All paths are absolute. */
export interface SystemFiles {
  /** Folders and files, symlinks resolved. */
  readonly paths: readonly string[];
  /** The symlinks above `paths`, with their targets. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Programs and libraries that `paths` does not show, because they are elsewhere or in a hidden folder. */
  readonly files: readonly string[];
  /** Folders and files to hide inside `paths`. */
  readonly hidden: readonly string[];
}

/**
 * Finds the system files that `programs` need: libraries, fonts and the files of the loader.
 *
 * @param programs Absolute.
 * @param hidden Folders and files to hide even inside a folder of libraries. Absolute, symlinks resolved.
 */
export async function findSystemFiles(
  programs: readonly string[],
  hidden: readonly string[],
  known: KnownLibraries = new Map(),
): Promise<SystemFiles> {
  const lists = programs.map((program) => known.get(program) ?? librariesOf(program));
  const libraries = [...new Set((await Promise.all(lists)).flat())];
  const links = (
    await Promise.all(
      LIBRARY_ROOTS.map(async (path): Promise<readonly (readonly [string, string])[]> => {
        const target = await readlink(path).catch(() => undefined);
        return target === undefined ? [] : [[path, target]];
      }),
    )
  ).flat();
  const folders = await Promise.all(
    libraries.flatMap((path) => [resolved(dirname(path)), resolved(path).then((target) => dirname(target))]),
  );
  const existing = await Promise.all(FIXED.map((path) => realpath(path).catch(() => undefined)));
  const wanted = new Set([
    ...folders.filter((path) => isIn(path, LIBRARY_ROOTS)),
    ...existing.filter((p) => p !== undefined),
  ]);
  const paths = [...wanted].filter((path) => !isIn(dirname(path), [...wanted])).sort();
  const inside = new Set(hidden.filter((path) => isIn(path, paths)));
  const outermost = [...inside].filter((path) => !isIn(dirname(path), [...inside]));
  const shown = [...paths, ...links.map(([path]) => path)];
  const isElsewhere = (path: string): boolean => !isIn(path, shown) || isIn(path, outermost);
  return { paths, links, files: [...new Set([...programs, ...libraries])].filter(isElsewhere), hidden: outermost };
}

/** The bwrap options that mount a small /dev. `devices`: the options that add hardware devices. */
export const deviceFolder = (devices: readonly string[] = []): readonly string[] => [
  ...['--dev', '/dev', '--size', `${SHM_BYTES}`, '--tmpfs', '/dev/shm', ...devices, '--remount-ro', '/dev'],
];

/** The bwrap options that mount the system files read-only, and a small /tmp. */
export async function bubblewrapView({ paths, links, files, hidden }: SystemFiles): Promise<readonly string[]> {
  const masks = await Promise.all(hidden.map(mask));
  // Name the folders of libraries, because without /proc, a program cannot find libraries next to itself.
  const folders = [...new Set(files.filter((path) => /\.so(?:\.|$)/.test(path)).map((path) => dirname(path)))];
  return [
    ...links.flatMap(([path, target]) => [...parents(path), '--symlink', target, path]),
    ...paths.flatMap((path) => [...parents(path), '--ro-bind', path, path]),
    ...['--dir', '/etc'],
    ...['--size', `${TMP_BYTES}`, '--tmpfs', '/tmp'],
    ...masks.flatMap(({ cover }) => cover),
    // These mounts follow the masks, because a program may be below /tmp or a hidden folder.
    ...files.flatMap((path) => [...parents(path), '--ro-bind', path, path]),
    ...masks.flatMap(({ close }) => close),
    ...(folders.length > 0 ? ['--setenv', 'LD_LIBRARY_PATH', folders.join(':')] : []),
  ];
}

/** Returns the setpriv options that allow only the system files. undefined: Landlock cannot hide a part of a shown folder. */
export async function landlockView({ paths, files, hidden }: SystemFiles): Promise<readonly string[] | undefined> {
  if (hidden.length > 0) return undefined;
  // Give files other rights than folders: the kernel rejects `read-dir` for a file.
  const rights = await Promise.all(
    paths.map(async (path) => ((await stat(path)).isDirectory() ? 'execute,read-file,read-dir' : 'execute,read-file')),
  );
  return [
    ...['--landlock-access', 'fs'],
    // One of the files is the loader, which needs `execute`.
    ...paths.flatMap((path, i) => landlockRule(rights[i] ?? '', path)),
    ...files.flatMap((path) => landlockRule('execute,read-file', path)),
    ...landlockRule('read-file,write-file', '/dev/null'),
    ...['/dev/zero', '/dev/urandom'].flatMap((path) => landlockRule('read-file', path)),
  ];
}

/** A setpriv(1) rule that allows `rights` on `path` and everything below it. */
export const landlockRule = (rights: string, path: string): readonly string[] => [
  '--landlock-rule',
  `path-beneath:${rights}:${path}`,
];

const resolved = (path: string): Promise<string> => realpath(path).catch(() => path);

const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Hides a folder behind an empty one, and a file behind a device that cannot be opened in the sandbox. */
async function mask(path: string): Promise<{ readonly cover: readonly string[]; readonly close: readonly string[] }> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return { cover: [], close: [] };
  if (!stats.isDirectory()) return { cover: ['--ro-bind', '/dev/null', path], close: [] };
  return { cover: ['--size', `${EMPTY_BYTES}`, '--tmpfs', path], close: ['--remount-ro', path] };
}

/** The bwrap options that create the folders above a path. */
export function parents(path: string): readonly string[] {
  const found: string[] = [];
  for (let up = dirname(path); up !== '/'; up = dirname(up)) found.unshift('--dir', up);
  return found;
}

/** The timeout for listing libraries, in milliseconds. Listing takes milliseconds, but on a busy machine many seconds. */
const LISTING_MS = 60_000;

const OUT_OF_RESOURCES: ReadonlySet<string> = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']);

/**
 * Returns the libraries that the loader uses for `program`, like ldd(1): with LD_TRACE_LOADED_OBJECTS, the loader prints them and exits
 * before the program starts. Empty for a static program, and for a file that is not a program.
 *
 * @throws Error if the machine has no free processes, or at a timeout. An empty list would then be wrong: without its libraries, the
 * program would run in no sandbox.
 */
export async function librariesOf(program: string): Promise<readonly string[]> {
  const listing = await new Promise<string>((resolve, reject) => {
    const env = { LD_TRACE_LOADED_OBJECTS: '1' };
    execFile(program, ['-version'], { env, timeout: LISTING_MS }, (error, stdout) => {
      const isLost = error !== null && (error.signal != null || OUT_OF_RESOURCES.has(String(error.code)));
      if (isLost) reject(new Error(`The libraries of ${program} cannot be listed: ${error.signal ?? error.message}`));
      else resolve(stdout);
    });
  });
  return [...listing.matchAll(/^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/gm)].map((m) => normalize(m[1] ?? '/'));
}
