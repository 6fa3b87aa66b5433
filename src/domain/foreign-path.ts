import type { PathError } from './media-path.ts';

/** Protocols of ffmpeg and shells that people put before a path, and what they are for. */
const PROTOCOL =
  /^(file|pipe|fd|data|subfile|cache|crypto|async|unix|tcp|udp|rtp|rtsp|rtmps?|srt|ftp|sftp|gopher)(?:,[^:]*)?:/i;
const DRIVE = /^[A-Za-z]:[\\/]/;
const HOME = /^~[\\/]/;

/**
 * The error of a path on the machine of the client, or of one that only ffmpeg or a shell would understand. Undefined for
 * any other path. A file of the media root with such a name is reached by `./` before it.
 */
export function foreignPath(text: string): PathError | undefined {
  const [prefix = '', protocol] = PROTOCOL.exec(text) ?? [];
  // Paths with a scheme have an error of their own.
  if (protocol !== undefined && !text.startsWith('//', prefix.length))
    return error(
      `"${protocol}:" is a protocol, not a path.`,
      text.slice(prefix.length),
      protocol.toLowerCase() === 'file',
    );
  if (DRIVE.test(text)) return error(`"${text.slice(0, 3)}" is a drive of another machine.`, text.slice(3), true);
  if (HOME.test(text)) return error('"~" is a folder of another machine.', text.slice(2), true);
  return undefined;
}

function error(message: string, rest: string, isFile: boolean): PathError {
  const name = rest.slice(Math.max(rest.lastIndexOf('/'), rest.lastIndexOf('\\')) + 1);
  const example = isFile && /^[\w. -]{1,100}$/.test(name) ? name : 'movies/in.mp4';
  return {
    code: 'STORAGE_NOT_ALLOWED',
    message: `${message} Paths are relative to your media root.`,
    fix: `Upload the file to the service if it is not there, and send its path in your media root, such as "${example}".`,
  };
}
