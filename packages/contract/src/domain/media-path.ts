import type { Hint } from './hint.ts';
import { badEncoding, controlCharacter } from './text-validation.ts';

declare const mediaPath: unique symbol;

/**
 * A file in the media root of a client: segments joined by `/`. It has no leading `/`, no `.`, `..` or empty segments, and no segments that
 * begin with `.telecine`. Only `parseMediaPath` creates one. With `s3://bucket/` in front, it is an object in another bucket
 * (`bucket-path.ts`). With `https://` in front, it is the part of a URL that may be shown (`url-input.ts`).
 */
export type MediaPath = string & { readonly [mediaPath]: true };

/** Names with this prefix are reserved for the service (scratch folders, temporary files). No request can name them. */
export const RESERVED_PREFIX = '.telecine';

/**
 * The maximum number of bytes (UTF-8) of a path and of a name. The path limit is PATH_MAX minus room for the media root. The name limit is
 * NAME_MAX of ext4, xfs and APFS.
 */
export const MAX_PATH_BYTES = 3072;
export const MAX_NAME_BYTES = 255;

export interface PathError {
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint;
}

export const pathError = (code: string, message: string, fix?: Hint): PathError => ({
  code,
  message,
  ...(fix !== undefined && { fix }),
});

const bytes = (text: string): number => Buffer.byteLength(text);

/** C0 controls, DEL, C1 controls and the two Unicode line separators. No name needs them, and they can forge log lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const ASCII = /^[ -~]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;

/** The end of a path that can only be a folder: `/`, `/.` or `/..`. */
const FOLDER_END = /(^|\/)\.{0,2}$/;

/**
 * Matches nearly every path: up to 255 ASCII characters without a colon, without empty segments, and without segments that begin with a dot.
 * Such a path needs only a check of its start, which takes a sixth of the time of all checks.
 */
const USUAL = /^(?=.{1,255}$)\/?[ -\-0-9;-~](?:[ -.0-9;-~]|\/[ -\-0-9;-~])*$/;

/**
 * Reads a path in a media root. A leading `/` means the media root. If the path begins with `root`, an absolute host path, the rest is the
 * path in the media root. Does no I/O: other code checks symlinks.
 */
export function parseMediaPath(text: string, root: string): MediaPath | PathError {
  if (USUAL.test(text)) {
    if (!text.startsWith('/')) return text as MediaPath;
    const start = startOf(root);
    if (text.startsWith(start)) return text.slice(start.length) as MediaPath;
    if (`${text}/` !== start) return text.slice(1) as MediaPath;
  }
  if (text === '') return pathError('EMPTY', `The path is empty. ${RELATIVE}`);
  if (!text.isWellFormed()) return badEncoding('The path');
  if (CONTROL.test(text)) return controlCharacter('The path');
  const protocol = protocolError(text);
  if (protocol !== undefined) return protocol;
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme !== undefined)
    return pathError('STORAGE_NOT_ALLOWED', `${scheme}:// is not a supported storage. ${RELATIVE}`);
  if (bytes(text) > MAX_PATH_BYTES) return pathError('TOO_LONG', `The path is longer than ${MAX_PATH_BYTES} bytes.`);
  const segments: string[] = [];
  for (const segment of belowRoot(text, root)) {
    if (segment === '..') {
      if (segments.pop() === undefined)
        return pathError('OUTSIDE_ROOT', `The path leaves the media root through "..". ${RELATIVE}`);
      continue;
    }
    if (bytes(segment) > MAX_NAME_BYTES)
      return pathError(
        'TOO_LONG',
        `A name in the path is longer than ${MAX_NAME_BYTES} bytes. A character outside ASCII takes two to four bytes.`,
      );
    if (isReserved(segment))
      return pathError('RESERVED_NAME', `Names that begin with "${RESERVED_PREFIX}" belong to the service.`);
    segments.push(segment);
  }
  if (segments.length === 0 || FOLDER_END.test(text))
    return pathError('IS_DIRECTORY', 'The path names a folder, not a file.');
  const path = segments.join('/') as MediaPath;
  // Without the prefix, a path may begin like a protocol: `/srv/media/lavfi:a` becomes `lavfi:a`. Reject it now, because the service stores
  // this path and later parses it again.
  return protocolError(path) ?? path;
}

/** Whether a client can send `text` as a path. (The root `/` has no effect, because `text` has no leading slash.) */
export const isMediaPath = (text: string): text is MediaPath => parseMediaPath(text, '/') === text;

/** Protocols of ffmpeg that clients send as a path, to join inputs (`concat:`) or to generate one (`lavfi:`). No file has such a name. */
const PROTOCOL = /^(?:(concatf?):.*\||(lavfi):)/is;

function protocolError(text: string): PathError | undefined {
  const [, concat, lavfi] = PROTOCOL.exec(text) ?? [];
  const name = concat ?? lavfi;
  if (name === undefined) return undefined;
  return pathError(
    'STORAGE_NOT_ALLOWED',
    `"${name}:" is not the path of a file. ${lavfi === undefined ? '"join" joins the files in "inputs".' : '"source" in an element of "inputs" is a generated input.'}`,
  );
}

const segmentsOf = (text: string): readonly string[] =>
  text.split('/').filter((segment) => segment !== '' && segment !== '.');

/** Splits a path into segments relative to the media root. */
function belowRoot(text: string, root: string): readonly string[] {
  const segments = segmentsOf(text);
  if (!text.startsWith('/')) return segments;
  const rootSegments = segmentsOf(root);
  return rootSegments.every((segment, i) => segment === segments[i]) ? segments.slice(rootSegments.length) : segments;
}

/** The maximum length of a path that a fix repeats. */
const MAX_SHOWN_LENGTH = 200;

/**
 * The fix for a path that is a folder. `folder`: the path without the last `/`; '' is the media root. `file`: an example of a file name.
 */
export const fileInFolder = (folder: string, file = 'movie.mp4'): string =>
  folder.length > MAX_SHOWN_LENGTH
    ? 'Name a file in it.'
    : `Name a file in it, such as ${JSON.stringify(folder === '' ? file : `${folder}/${file}`)}.`;

let knownStart = { root: '/', start: '/' };

/** The prefix of paths below a root: `/srv/media/`. Caches the last result. */
function startOf(root: string): string {
  if (root !== knownStart.root) knownStart = { root, start: `/${[...segmentsOf(root), ''].join('/')}` };
  return knownStart.start;
}

/**
 * Whether a name is reserved, in any spelling that file systems treat as equal (other cases, compatibility forms, invisible characters).
 */
function isReserved(segment: string): boolean {
  const plain = ASCII.test(segment) ? segment : segment.normalize('NFKC').replace(IGNORABLE, '');
  return plain.slice(0, RESERVED_PREFIX.length).toLowerCase() === RESERVED_PREFIX;
}

export const baseName = (path: MediaPath): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder of a path, with a slash at its end. '' for the media root. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The last segment of a path of any operating system, including Windows. */
export const lastPart = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** A path in the media root without a leading `/` or `./`: `./a.mp4` and `/a.mp4` name the same file. */
export const relativeToRoot = (path: string): string => path.replace(/^(?:\.?\/)+/, '');

export const withExtension = (path: MediaPath, other: string): MediaPath =>
  path.replace(/(?:\.[^./]*)?$/, `.${other}`) as MediaPath;

/** The end of messages about paths of other machines and storages. */
export const RELATIVE = 'Paths are relative to your media root.';

/** The extension in lower case, without the dot. '' if there is none. */
export function extension(path: MediaPath): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

const AUDIO_FILES = /^(?:wav|mp[23]|flac|m4a|og[ga]|opus|aac|aiff?|wma)$/i;
const VIDEO_FILES = /^(?:mp4|m4v|mov|mkv|webm|avi|flv|m?ts|m2ts|mpe?g|vob|wmv|3gp|ogv|mxf)$/i;

/** Whether files with this extension contain only audio. `extension`: without the dot. */
export const isAudioExtension = (extension: string): boolean => AUDIO_FILES.test(extension);

/** Whether files with this extension contain only video, audio or both. `extension`: without the dot. */
export const isMediaExtension = (extension: string): boolean =>
  AUDIO_FILES.test(extension) || VIDEO_FILES.test(extension);

/** The folder of input fonts, as the argv names it. It contains only fonts, because libass reads every file in `fontsdir`. */
export const FONTS_FOLDER = 'in/fonts';

const FONTS: ReadonlySet<string> = new Set(['ttf', 'otf', 'ttc', 'otc', 'pfb', 'woff', 'woff2']);

export const isFontFile = (path: MediaPath): boolean => FONTS.has(extension(path).toLowerCase());

/** Whether the extension belongs to a manifest or playlist. Such a file names other files for players. */
export const isManifest = (path: string): boolean => /\.(?:m3u8?|mpd)$/i.test(path);

/** The path of a folder with a slash at its end. */
export const withSlash = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);
