import { syncBuiltinESMExports } from 'node:module';
import { caller, count } from './counts.ts';
import { isLoading } from './modules.ts';
import { isChild } from './processes.ts';

/**
 * The functions of Node's own binding to the file system, which all forms of `node:fs` call, and the calls that they make.
 * `read`, `fstat` and `close` are left out: they follow an `open`.
 */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  open: ['open'],
  openFileHandle: ['open'],
  readFileUtf8: ['open'],
  writeFileUtf8: ['open', 'write'],
  copyFile: ['copy'],
  access: ['access'],
  existsSync: ['access'],
  stat: ['stat'],
  lstat: ['lstat'],
  statfs: ['statfs'],
  realpath: ['realpath'],
  readdir: ['readdir'],
  readlink: ['readlink'],
  writeBuffer: ['write'],
  writeBuffers: ['write'],
  writeString: ['write'],
  fsync: ['fsync'],
  fdatasync: ['fdatasync'],
  ftruncate: ['truncate'],
  rename: ['rename'],
  link: ['link'],
  symlink: ['symlink'],
  unlink: ['unlink'],
  mkdir: ['mkdir'],
  mkdtemp: ['mkdir'],
  rmdir: ['rmdir'],
  rmSync: ['rm'],
  chmod: ['chmod'],
  fchmod: ['chmod'],
  chown: ['chown'],
  fchown: ['chown'],
  utimes: ['utimes'],
  futimes: ['utimes'],
  lutimes: ['utimes'],
};

/** Counts the calls of `node:fs` and `node:fs/promises`, without those that load modules. */
export function countFileCalls(): void {
  const { binding } = process as unknown as { binding(name: 'fs'): Record<string, (...args: unknown[]) => unknown> };
  const calls = binding('fs');
  for (const [name, kinds] of Object.entries(CALLS)) {
    const call = calls[name];
    if (call === undefined) throw new Error(`Node's binding to the file system has no "${name}" any more.`);
    calls[name] = function (this: unknown, ...args) {
      for (const kind of kinds) countCall(kind, args[0]);
      return Reflect.apply(call, this, args);
    };
  }
  countOpenedFolders();
}

/** `opendir` has a binding of its own, which cannot be reached. */
function countOpenedFolders(): void {
  const fs = process.getBuiltinModule('node:fs');
  for (const [holder, name] of [
    [fs, 'opendirSync'],
    [fs, 'opendir'],
    [fs.promises, 'opendir'],
  ] as const) {
    const open = (holder as unknown as Record<string, (...args: unknown[]) => unknown>)[name];
    Object.assign(holder, {
      [name](this: unknown, ...args: unknown[]) {
        countCall('readdir', args[0]);
        return open && Reflect.apply(open, this, args);
      },
    });
  }
  syncBuiltinESMExports();
}

/** A file below a folder that is open: the same call as with a path. */
const BELOW_OPEN_FOLDER = /^\/proc\/self\/fd\/\d+\/(?=.)/;
const OF_PROCESS = /^\/proc\/(\d+)\//;

/** Where files are counted. How many the system has in other folders depends on the machine. */
const COUNTED = ['/proc', process.env['TELECINE_DATA_DIR'], process.env['TELECINE_MEDIA_ROOT']].filter(
  (folder) => folder !== undefined,
);

function countCall(kind: string, file: unknown): void {
  if (isLoading()) return;
  const path = String(file).replace(`/proc/${process.pid}/`, '/proc/self/').replace(BELOW_OPEN_FOLDER, '');
  const pid = OF_PROCESS.exec(path)?.[1];
  // How many there are depends on the machine. The search through them, `readdir /proc`, is counted.
  if (pid !== undefined && !isChild(Number(pid))) return;
  if (path.startsWith('/') && !COUNTED.some((folder) => path.startsWith(folder))) return;
  const isFsync = kind === 'fsync' || kind === 'fdatasync';
  count(isFsync ? 'fsyncs' : 'file calls', `${kind} ${typeof file === 'number' ? '' : path}${caller()}`);
}
