import { dirname, resolve, sep } from 'node:path';
import { configFromEnvironment } from '../../config/environment.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { SandboxMissing } from '../../ffmpeg/sandbox/find-sandbox.ts';
import { FolderLocked } from '../../store/data-folder.ts';
import { ToolchainError } from '../compose/toolchain.ts';

/** What the operator has to mend, where that is all there is to say; undefined: a fault, whose stack is needed. */
export function operatorMessage(error: unknown): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof ToolchainError ||
    error instanceof SandboxMissing ||
    error instanceof FolderLocked
  )
    return error.message;
  const { code, address, port } = (error ?? {}) as SystemFault;
  if (code === 'EADDRINUSE')
    return `Another program listens on ${address}:${port}. Stop it, or set TELECINE_PORT to another port.`;
  return folderReason((error ?? {}) as SystemFault);
}

/** What Node's own errors may carry. */
interface SystemFault {
  readonly code?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly path?: unknown;
  /** SQLite's. */
  readonly errcode?: unknown;
}

const WHY: Readonly<Record<string, string>> = {
  EEXIST: 'is no folder',
  ENOTDIR: 'is no folder',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EROFS: 'lies on a disk that cannot be written to',
};

/** SQLITE_READONLY and SQLITE_CANTOPEN: they carry no path, and there is one database. */
const UNUSABLE_DATABASE: ReadonlySet<unknown> = new Set([8, 14]);

/** Of a fault with one of the two folders that the service stands on, or on the way to it. */
function folderReason({ code, path, errcode }: SystemFault): string | undefined {
  const isDatabase = UNUSABLE_DATABASE.has(errcode);
  const why = WHY[isDatabase ? 'EACCES' : String(code)];
  if (why === undefined) return undefined;
  const { dataDir, mediaRoot } = configFromEnvironment();
  const at = isDatabase ? dataDir : path;
  if (typeof at !== 'string') return undefined;
  for (const [setting, folder] of [
    ['TELECINE_DATA_DIR', dataDir],
    ['TELECINE_MEDIA_ROOT', mediaRoot],
  ] as const)
    if (concerns(at, resolve(folder)))
      return `${at} ${why}. Make ${folder} a folder that this user may read and write, or set ${setting} to another.`;
  return undefined;
}

const concerns = (path: string, folder: string): boolean =>
  path === folder || folder.startsWith(`${path}${sep}`) || dirname(path) === folder;
