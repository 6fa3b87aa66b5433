import { sendValue } from './edit.ts';
import { UPLOAD_FILE } from './hint.ts';
import { lastPart, type MediaPath, type PathError, parseMediaPath, pathError } from './media-path.ts';
import { decodedUri } from './text-validation.ts';

/** Protocols of ffmpeg and shells before a path. */
const PROTOCOL =
  /^(file|pipe|fd|data|subfile|cache|crypto|async|unix|tcp|udp|rtp|rtsp|rtmps?|srt|ftp|sftp|gopher)(?:,[^:]*)?:/i;
const DRIVE = /^[A-Za-z]:[\\/]/;
const HOME = /^~[\\/]/;

/**
 * The error for a path on the machine of the client, or for a path that only ffmpeg or a shell understands. undefined for any other path.
 * If a file of the media root has such a name, the client can send `./` before it.
 */
export function foreignPath(text: string, use: 'read' | 'write' = 'read'): PathError | undefined {
  const [prefix = '', protocol] = PROTOCOL.exec(text) ?? [];
  // Skip `ftp://…`, which is a URL. `parseMediaPath` reports its scheme.
  if (protocol !== undefined && !text.startsWith('//', prefix.length))
    return error(`"${protocol}:" is a protocol, not a path.`, text.slice(prefix.length), {
      isFile: protocol.toLowerCase() === 'file',
      use,
    });
  if (DRIVE.test(text))
    return error(`"${text.slice(0, 3)}" is a drive of another machine.`, text.slice(3), { isFile: true, use });
  if (HOME.test(text)) return error('"~" is a folder of another machine.', text.slice(2), { isFile: true, use });
  return undefined;
}

const FILE_URL = /^file:(?:\/\/(?:localhost)?)?(?=\/)/i;

/** The error of a `file:` URL. undefined for other paths. */
export function fileUrl(text: string, root: string, use: 'read' | 'write'): PathError | undefined {
  const [start] = FILE_URL.exec(text) ?? [];
  if (start === undefined) return undefined;
  const rest = decodedUri(text.slice(start.length));
  const path = parseMediaPath(rest, root);
  if (typeof path !== 'string' || hostPath(rest, path) !== undefined)
    return foreignPath(`file:${rest.replace(/^\/+/, '/')}`, use);
  return pathError(
    'STORAGE_NOT_ALLOWED',
    '"file:" is a protocol, not a path. Paths are relative to your media root.',
    sendValue(path),
  );
}

function error(
  message: string,
  rest: string,
  { isFile, use }: { readonly isFile: boolean; readonly use: 'read' | 'write' },
): PathError {
  const name = lastPart(rest);
  const example = isFile && /^[\w. -]{1,100}$/.test(name) ? name : 'movies/in.mp4';
  return pathError(
    'STORAGE_NOT_ALLOWED',
    `${message} Paths are relative to your media root.`,
    use === 'write'
      ? example === name
        ? { ...sendValue(name), or: 'another path in your media root', isNearest: true }
        : 'Send a path in your media root, such as "movies/out.mp4".'
      : [
          'Upload the file if it is not there (',
          UPLOAD_FILE,
          `), and send its path in your media root, such as "${example}".`,
        ],
  );
}

/** Root folders of other machines. A path that begins with one was probably copied from such a machine. */
const HOST_FOLDERS: ReadonlySet<string> = new Set(
  'home Users root mnt media Volumes tmp private var srv opt usr data app workspace workdir etc run'.split(' '),
);

/** Root folders of other machines that contain one folder for each user or disk. */
const PARENTS: ReadonlySet<string> = new Set(['home', 'Users', 'mnt', 'Volumes']);
/**
 * Root folders whose subfolders may exist in the media root too: `/data/out/a.mp4` is probably `out/a.mp4`. Below other root folders, such
 * as `/var`, only the file name helps to find the file.
 */
const SHALLOW: ReadonlySet<string> = new Set(['root', 'media', 'tmp', 'data', 'app', 'workspace', 'workdir']);

/** The parts of a path that probably belongs to another machine. */
export interface HostPath {
  /** The first folder of the path: `media` for `/media/out/a.mp4`. */
  readonly folder: MediaPath;
  /** The path in the media root that the client probably means: `out/a.mp4`. */
  readonly guess: string;
}

/**
 * Reads an absolute path of another machine: `/home/anna/a.mp4`. `text`: the path as the client sent it. `path`: the parsed path in the
 * media root.
 */
export function hostPath(text: string, path: MediaPath): HostPath | undefined {
  if (!text.startsWith('/') || !HOST_FOLDERS.has(path.slice(0, Math.max(path.indexOf('/'), 0)))) return undefined;
  const [folder = '', ...rest] = path.split('/');
  // If `text` does not begin with this folder, `parseMediaPath` has removed the path prefix from it, and the path is right.
  if (!text.replace(/^\/+/, '').startsWith(`${folder}/`)) return undefined;
  const name = rest.at(-1) ?? '';
  const below = SHALLOW.has(folder) ? rest : PARENTS.has(folder) ? rest.slice(1) : [];
  return { folder: folder as MediaPath, guess: below.length === 0 ? name : below.join('/') };
}

/** The maximum number of spellings of one path. The service looks up each spelling. */
const MAX_SPELLINGS = 8;

/**
 * Other spellings of a path that a client may mean, likeliest first: slashes for backslashes, other cases, or without a drive, a home
 * folder, quotes, `%20` or the first folders. A file with such a name need not exist.
 */
export function otherSpellings(path: MediaPath): readonly MediaPath[] {
  const [bucket] = BUCKET.exec(path) ?? [];
  if (bucket === undefined) return spellingsInRoot(path);
  return spellingsInRoot(path.slice(bucket.length)).map((one) => `${bucket}${one}` as MediaPath);
}

const BUCKET = /^s3:\/\/[^/]+\//;

function spellingsInRoot(path: string): readonly MediaPath[] {
  const plain = decodedUri(path)
    .replaceAll('\\', '/')
    .replace(/^["']|["']$/g, '')
    .replace(/^(?:file:|[A-Za-z]:|~(?=\/))\/*/i, '')
    .trim();
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  // A path from another machine often begins with one or two folders that the media root does not have.
  const below = [1, 2].map((count) => plain.split('/').slice(count).join('/'));
  const texts = [plain, ...cases(plain), ...below, name, ...cases(name)];
  const paths = texts.map((text) => parseMediaPath(text, '/')).filter((one) => typeof one === 'string');
  return [...new Set(paths)].filter((one) => one !== path).slice(0, MAX_SPELLINGS);
}

function cases(text: string): readonly string[] {
  const dot = text.lastIndexOf('.');
  const [stem, end] = dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot)];
  return [text.toLowerCase(), stem + end.toLowerCase(), stem + end.toUpperCase()];
}

/** The maximum length of a list of files in characters. Nobody writes longer lists by hand. */
const MAX_LENGTH = 4000;

/** The separators of paths in a text. A space separates paths only after a media extension, because many names contain spaces. */
const SEPARATOR = /[,;|\n]/;
const SEPARATOR_OR_BLANK =
  /[,;|\n]|(?<=\.(?:mp[34]|m4[av]|mkv|mov|webm|avi|mpe?g|ts|gif|wav|flac|ogg|opus|aac|jpe?g|png|webp)) +/i;

/** A path with a file extension. A title with a comma, such as `Hello, world.mp4`, is not a list: its first part has no extension. */
const FILE = /^[^"'[\]]*[^"'[\]/.]\.(?=\w*[a-z])\w{2,6}$/i;

/** The paths in a text such as `a.mp4,b.mp4` or `a.mp4 b.mp4`. `blanks`: whether spaces separate paths. undefined: fewer than two paths. */
export function pathsInText(text: string, { blanks = true } = {}): readonly string[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const paths = text.split(blanks ? SEPARATOR_OR_BLANK : SEPARATOR).map((path) => path.trim());
  return paths.length > 1 && paths.every((path) => FILE.test(path)) ? paths : undefined;
}
