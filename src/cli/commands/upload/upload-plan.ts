import { basename } from 'node:path';
import { parseMediaPath } from '../../../domain/media-path.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

/** A local file, and its path in the media root. */
export interface PlannedUpload {
  readonly file: string;
  readonly path: string;
}

/** The uploads of a command. Throws `CommandFailed` for an invalid path, and if two files would get one path. Pure. */
export function planUploads(files: readonly string[], to = ''): readonly PlannedUpload[] {
  // As the other commands name files on the service.
  const target = to.replace(/^server:/, '');
  const isFolder = target === '' || target.endsWith('/') || files.length > 1;
  const folder = target === '' || target.endsWith('/') ? target : `${target}/`;
  const uploads = files.map((file) => ({ file, path: readTargetPath(isFolder ? folder + basename(file) : target) }));
  const seen = new Map<string, string>();
  for (const { file, path } of uploads) {
    const other = seen.get(path);
    if (other !== undefined)
      throw new CommandFailed(
        EXIT.refused,
        'UPLOAD_CLASH',
        `${other} and ${file} would both be uploaded to server:${path}.`,
        {
          fix: 'Upload them by two commands, each with its own --to.',
        },
      );
    seen.set(path, file);
  }
  return uploads;
}

/** The path as the service reads it, which would not be found in an address. */
function readTargetPath(text: string): string {
  const path = parseMediaPath(text, '/');
  if (typeof path === 'string') return path;
  throw new CommandFailed(EXIT.refused, path.code, `Invalid path on the service: ${path.message}`, {
    fix: 'Name a path in the media root with --to, such as films/a.mov.',
  });
}
