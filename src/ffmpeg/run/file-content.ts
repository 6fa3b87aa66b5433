/** What a file contains instead of media. */
export interface FileContent {
  /** `an HTML page`. */
  readonly what: string;
  readonly fix: string;
}

const EXTRACT = 'Extract it, and send the media file that it contains.';
const DOCUMENT = 'Export it as pictures or as a video first.';

/** The first bytes of files that are sent by mistake. Media files have other ones. */
const SIGNATURES: readonly (readonly [bytes: string, what: string, fix: string])[] = [
  ['PK\x03\x04', 'a ZIP archive, or a document that is one inside (docx, pptx, odt)', EXTRACT],
  ['Rar!', 'a RAR archive', EXTRACT],
  ['7z\xbc\xaf', 'a 7-Zip archive', EXTRACT],
  ['\x1f\x8b', 'a gzip archive', EXTRACT],
  ['BZh', 'a bzip2 archive', EXTRACT],
  ['\xfd7zXZ', 'an xz archive', EXTRACT],
  ['\x28\xb5\x2f\xfd', 'a zstd archive', EXTRACT],
  ['%PDF-', 'a PDF document', DOCUMENT],
  ['%!PS', 'a PostScript document', DOCUMENT],
  ['\xd0\xcf\x11\xe0', 'an old Office document', DOCUMENT],
  ['{\\rtf', 'a text document (RTF)', DOCUMENT],
  ['\x7fELF', 'a program', 'Send a media file.'],
  ['MZ', 'a program for Windows', 'Send a media file.'],
  ['SQLite format 3', 'a database', 'Send a media file.'],
  ['version https://git-lfs', 'a pointer of Git LFS', 'Run "git lfs pull", and send the file itself.'],
  ['#EXTM3U', 'a playlist', 'Send the media file that it names: playlists are not followed.'],
  ['[playlist]', 'a playlist', 'Send the media file that it names: playlists are not followed.'],
  ['bplist', 'a property list of Apple', 'Send a media file.'],
  ['data:', 'a data URL', 'Decode it (base64), and send the file.'],
];

const PAGE = 'It is probably the error page of a download. Download the file again, and check that it plays.';

/**
 * Says what a file contains that is not media, from its first bytes. undefined if that is not clear. The result contains
 * nothing of the file.
 */
export function describeContent(head: Uint8Array): FileContent | undefined {
  if (head.length === 0) return { what: 'empty', fix: 'Send the file again, when it has been written completely.' };
  if (head.every((byte) => byte === 0))
    return { what: 'filled with zeros', fix: 'Send the file again: its content was lost in a download or on a disk.' };
  const text = Buffer.from(head).toString('latin1');
  const signature = SIGNATURES.find(([bytes]) => text.startsWith(bytes));
  if (signature !== undefined) return { what: signature[1], fix: signature[2] };
  const start = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start)) return { what: 'an HTML page', fix: PAGE };
  if (/^<\?xml/.test(start)) return { what: 'an XML document', fix: PAGE };
  if (/^[{[]\s*["{[\]}]/.test(start)) return { what: 'a JSON document', fix: PAGE };
  if (/^[\t\n\r\x20-\x7e\x80-\xff]+$/.test(text))
    return {
      what: 'a text file',
      fix: 'Send the media file itself. For subtitles, send a file that ends in .srt, .ass or .vtt.',
    };
  return undefined;
}

/** Extensions of sound and pictures without a header, with the options that such a file needs. */
const RAW: readonly (readonly [RegExp, what: string, parameters: Readonly<Record<string, string>>])[] = [
  [/\.(?:pcm|raw|s16|sw|s16le|snd)$/i, 'sound', { f: 's16le', ar: '16000', ac: '1' }],
  [
    /\.(?:yuv|rgb|nv12)$/i,
    'video',
    { f: 'rawvideo', video_size: '1280x720', pixel_format: 'yuv420p', framerate: '25' },
  ],
];

/** Says what a file of raw samples needs, from its extension. undefined for other files. */
export function describeRawFile(path: string): FileContent | undefined {
  const raw = RAW.find(([extension]) => extension.test(path));
  if (raw === undefined) return undefined;
  const names = raw[1] === 'sound' ? 'format, sample rate and channels' : 'size, pixel format and frame rate';
  return {
    what: `raw ${raw[1]} without a header, so nothing in it tells its ${names}`,
    fix: `Send them with the input: ${JSON.stringify({ input: path, parameters: raw[2] })}, with the values of this file.`,
  };
}
