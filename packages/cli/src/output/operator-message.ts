import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import { SandboxMissing } from '@telecine/ffmpeg/sandbox/find-sandbox.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { ConfigError } from '@telecine/service/config/read-settings.ts';
import { ToolchainError } from '@telecine/service/start/find-ffmpeg.ts';
import { FolderLocked } from '@telecine/service/store/data-folder.ts';
import {
  DatabaseMoved,
  DatabaseOfOtherVersion,
  MoveRefused,
  PostgresUnusable,
} from '@telecine/service/store/operator-errors.ts';
import { BackupRefused } from '@telecine/service/store/sqlite/backup.ts';
import { isFullDisk } from '@telecine/service/store/sqlite/group-commit.ts';

/** Returns the message for an error that the operator can fix. Returns undefined for a bug, whose stack trace is needed. */
export function operatorMessage(error: unknown): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof ToolchainError ||
    error instanceof SandboxMissing ||
    error instanceof FolderLocked ||
    error instanceof MoveRefused ||
    error instanceof BackupRefused ||
    error instanceof DatabaseMoved ||
    error instanceof DatabaseOfOtherVersion
  )
    return error.message;
  if (error instanceof StoreFull && configFromEnvironment().databaseUrl !== undefined)
    return 'TELECINE_DATABASE_URL: the disk of the database server is full. Free some space on it.';
  if (error instanceof StoreFull || isFullDisk(error))
    return `The disk of the data folder ${configFromEnvironment().dataDir} is full. Free some space on it, or set TELECINE_DATA_DIR to a folder on another disk.`;
  if (error instanceof PostgresUnusable)
    return `TELECINE_DATABASE_URL: the database cannot be used: ${error.message}. ${error.fix}`;
  const systemError = (error ?? {}) as SystemError;
  return listenMessage(systemError) ?? folderMessage(systemError);
}

interface SystemError {
  readonly code?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
  readonly syscall?: unknown;
  readonly path?: unknown;
  /** The error code of SQLite. */
  readonly errcode?: unknown;
}

function listenMessage({ code, syscall, address, port, hostname }: SystemError): string | undefined {
  if (syscall === 'getaddrinfo' && hostname === configFromEnvironment().host)
    return `TELECINE_HOST: the name ${hostname} has no address. ${OWN_ADDRESSES}`;
  if (syscall !== 'listen') return undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${address} is in use by another program. Stop it, or set TELECINE_PORT to another port.`;
    case 'EADDRNOTAVAIL':
      return `TELECINE_HOST: ${address} is not an address of this machine. ${OWN_ADDRESSES}`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set TELECINE_PORT to a port from 1024 to 65535.`;
    default:
      return undefined;
  }
}

const OWN_ADDRESSES = 'Use 127.0.0.1 for this machine alone, 0.0.0.0 for all its addresses, or one of its addresses.';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'is not a folder',
  ENOENT: 'cannot be created',
  ENOTDIR: 'is not a folder',
  EACCES: 'cannot be used by this user',
  EPERM: 'cannot be used by this user',
  EROFS: 'is on a read-only disk',
};

/** SQLITE_READONLY and SQLITE_CANTOPEN. These errors have no path, so the path of the data folder is used. */
const UNUSABLE_DATABASE: ReadonlySet<unknown> = new Set([8, 14]);

/** Returns the message for an error with the data folder or the media root, or with one of their parents. */
function folderMessage({ code, path, errcode }: SystemError): string | undefined {
  const isDatabase = UNUSABLE_DATABASE.has(errcode);
  const reason = REASONS[isDatabase ? 'EACCES' : String(code)];
  if (reason === undefined) return undefined;
  const { dataDir, mediaRoot } = configFromEnvironment();
  const at = isDatabase ? (unusableFile(dataDir) ?? dataDir) : path;
  if (typeof at !== 'string') return undefined;
  if (dirname(at) === resolve(dataDir) && existsSync(at))
    return `${at} ${reason}. Run the command as the user of the service, or give the file to this user (chown).`;
  for (const [setting, folder] of [
    ['TELECINE_DATA_DIR', dataDir],
    ['TELECINE_MEDIA_ROOT', mediaRoot],
  ] as const)
    if (concerns(at, resolve(folder)))
      return `${at} ${reason}. Make ${folder} a folder that this user can read and write, or set ${setting} to another folder.`;
  return undefined;
}

/** Returns a file of the database that this user cannot read and write. */
const unusableFile = (dataDir: string): string | undefined =>
  ['', '-wal', '-shm'].map((suffix) => resolve(dataDir, `telecine.db${suffix}`)).find(isUnusable);

function isUnusable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return false;
  } catch {
    return existsSync(file);
  }
}

const concerns = (path: string, folder: string): boolean =>
  path === folder || folder.startsWith(`${path}${sep}`) || dirname(path) === folder;
