import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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

/** Links on a merged /usr, folders on an older system. */
const ROOT_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * Of /etc only what loading a library or choosing a font needs: Debian's libblas and others are reached through
 * /etc/alternatives. No passwd, no hosts, no certificates.
 */
const ETC_AND_CACHES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig'];

/** Options for bwrap that show `program`, its libraries and the fonts, and a small /dev and /tmp. */
export async function systemView(program: string): Promise<readonly string[]> {
  const root = (await Promise.all(ROOT_FOLDERS.map(rootFolder))).flat();
  const elsewhere = [program, ...(await libraryFolders(program))].filter((path) => !SHOWN.test(path));
  return [
    ...['--dir', '/usr', '--ro-bind', '/usr', '/usr', ...root],
    ...['--dir', '/etc', '--dir', '/var', '--dir', '/var/cache'],
    ...ETC_AND_CACHES.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--dev', '/dev', '--size', `${64 * 1024 * 1024}`, '--tmpfs', '/tmp'],
    // Last, for a program may lie below /tmp, which would hide it.
    ...elsewhere.flatMap((path) => [...parents(path), '--ro-bind', path, path]),
  ];
}

const SHOWN = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32)\//;

async function rootFolder(path: string): Promise<readonly string[]> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path];
}

function parents(path: string): readonly string[] {
  const found: string[] = [];
  for (let up = dirname(path); up !== '/'; up = dirname(up)) found.unshift('--dir', up);
  return found;
}

/**
 * The folders that the loader takes `program`'s libraries from. This is what ldd(1) does: with this variable
 * the loader prints them and ends before the program begins. A static program prints none.
 */
async function libraryFolders(program: string): Promise<readonly string[]> {
  const listing = await new Promise<string>((resolve) => {
    const env = { LD_TRACE_LOADED_OBJECTS: '1' };
    execFile(program, ['-version'], { env, timeout: 10_000 }, (_error, stdout) => resolve(stdout));
  });
  const files = [...listing.matchAll(/^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/gm)].map((m) => m[1] ?? '/');
  return [...new Set(files.map((file) => dirname(file)))].filter((folder) => folder !== '/');
}
