import { type MediaPath, type PathError, pathError, RELATIVE } from './media-path.ts';

/** Protocols of ffmpeg and shells before a path. */
const PROTOCOL =
  /^(file|pipe|fd|data|subfile|cache|crypto|async|unix|tcp|udp|rtp|rtsp|rtmps?|srt|ftp|sftp|gopher)(?:,[^:]*)?:/i;
const FILE_URL = /^file:\/\/(?:localhost)?\//i;
const DRIVE = /^[A-Za-z]:[\\/]/;
const HOME = /^~[\\/]/;

/**
 * The error for a path on the machine of the client, or for a path that only ffmpeg or a shell understands. undefined for any other path.
 * If a file of the media root has such a name, the client can send `./` before it.
 */
export function foreignPath(text: string): PathError | undefined {
  const [prefix = '', protocol] = PROTOCOL.exec(text) ?? [];
  // Skip `ftp://…`, which is a URL. `parseMediaPath` reports its scheme.
  if (protocol !== undefined && (FILE_URL.test(text) || !text.startsWith('//', prefix.length)))
    return error(`"${protocol}:" is a protocol, not a path.`);
  if (DRIVE.test(text)) return error(`"${text.slice(0, 3)}" is a drive of another machine.`);
  return HOME.test(text) ? error('"~" is a folder of another machine.') : undefined;
}

const error = (message: string): PathError => pathError('STORAGE_NOT_ALLOWED', `${message} ${RELATIVE}`);

/** Root folders of other machines. A path that begins with one was probably copied from such a machine. */
const HOST_FOLDERS: ReadonlySet<string> = new Set(
  'home Users root mnt media Volumes tmp private var srv opt usr data app workspace workdir etc run'.split(' '),
);

/**
 * The first folder of an absolute path that probably belongs to another machine, such as `/home/anna/a.mp4`. `text`: the path as the client
 * sent it. `path`: the parsed path in the media root.
 */
export function hostFolder(text: string, path: MediaPath): MediaPath | undefined {
  const folder = path.slice(0, Math.max(path.indexOf('/'), 0));
  // If `text` does not begin with this folder, `parseMediaPath` has removed the path prefix from it, and the path is right.
  const isAbsolute = text.startsWith('/') && text.replace(/^\/+/, '').startsWith(`${folder}/`);
  return isAbsolute && HOST_FOLDERS.has(folder) ? (folder as MediaPath) : undefined;
}
