import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { readPinned } from '../sandbox/pinned-files.ts';

/** A file that is not media: what it is, and what to send instead. */
interface FileContent {
  /** The end of a message: `an HTML page`. */
  readonly what: string;
  readonly fix: Hint;
  /** Present if the file is media in a form that this ffmpeg cannot read. */
  readonly isMedia?: true;
}

const EXTRACT = 'Extract it, and send the media file that it contains.';
const DOCUMENT = 'Export it as images or as a video first.';

const NOT_FOLLOWED =
  'Only a preview accepts a playlist. To probe, measure or convert, send the file from which the playlist was made.';
const SEGMENT: FileContent = {
  what: 'a segment of HLS or DASH, without the init segment, which states its codecs',
  fix: 'For a preview, name its playlist or manifest (.m3u8, .mpd). To probe, measure or convert, send the file from which the segment was made.',
};

/** Files that clients send by mistake, by their first bytes. */
const SIGNATURES: readonly (readonly [bytes: string, what: string, fix: Hint])[] = [
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
  ['#EXTM3U', 'a playlist', NOT_FOLLOWED],
  ['[playlist]', 'a playlist', NOT_FOLLOWED],
  ['ffconcat version', 'a playlist', NOT_FOLLOWED],
  ['bplist', 'a property list of Apple', 'Send a media file.'],
  ['data:', 'a data URL', 'Decode it (base64), and send the file.'],
];

const PICTURE_FIX = 'Export it as JPEG or PNG, and send that.';

/** Media that ffmpeg reads only in some forms or releases, by their first bytes. */
const MEDIA: readonly (readonly [head: RegExp, what: string, fix: string])[] = [
  [
    /^.{4}ftyp(?:he[iv][cmsx]|mif[12]|msf1)/s,
    'a HEIC or HEIF image',
    'Export it as JPEG (on an iPhone: Settings, Camera, Formats, "Most Compatible"). ffmpeg reads such images from release 7.1 on.',
  ],
  [/^.{4}ftypavi[fs]/s, 'an AVIF image', PICTURE_FIX],
  [/^.{4}jP {2}|^ÿOÿQ/s, 'a JPEG 2000 image', PICTURE_FIX],
  [/^.{4}JXL /s, 'a JPEG XL image', PICTURE_FIX],
  [/^.{4}ftypcrx |^FUJIFILMCCD-RAW|^II(?:\*|U|R[OS])|^MM.\*/s, 'a raw photo or a TIFF image', PICTURE_FIX],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?<(?:\w{1,20}:)?tt[\s>]/,
    'a subtitle file in TTML',
    'Save it as .srt or .vtt, and send that.',
  ],
  [
    /^(?:\d{1,3}:)?\d\d:\d\d[.,]\d{3}\s*-->/,
    'a subtitle file without numbers before its times and without the header "WEBVTT"',
    'Write a number above each time, or save it as .vtt with the line "WEBVTT" and an empty line at the top.',
  ],
];

const PAGE = 'It is probably the error page of a download. Download the file again, and check that it plays.';

/** How to send chapters. */
const FFMETADATA =
  'Chapters are ffmetadata: the line ";FFMETADATA1", then for each chapter the lines "[CHAPTER]", "TIMEBASE=1/1000", "START=0", "END=4000" (milliseconds) and "title=Intro". Send such a file.';

const CHAPTERS: FileContent = { what: 'a list of chapters (CHAPTER01=…), which ffmpeg does not read', fix: FFMETADATA };

/** For a text file from which the request takes metadata or chapters. */
export const TEXT_OF_METADATA: FileContent = { what: 'a text file that is not ffmetadata', fix: FFMETADATA };

/** Recognises a file by its first bytes. undefined: unclear. The result never contains text of the file. */
function describeContent(head: Uint8Array): FileContent | undefined {
  if (head.length === 0) return { what: 'empty', fix: 'Send the file again, when it has been written completely.' };
  if (head.every((byte) => byte === 0))
    return { what: 'filled with zeros', fix: 'Send the file again: its content was lost in a download or on a disk.' };
  const text = Buffer.from(head).toString('latin1');
  const signature = SIGNATURES.find(([bytes]) => text.startsWith(bytes));
  if (signature !== undefined) return { what: signature[1], fix: signature[2] };
  if (/^.{4}(?:styp|moof|sidx)/s.test(text)) return SEGMENT;
  const start = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  const media = MEDIA.find(([bytes]) => bytes.test(text) || bytes.test(start));
  if (media !== undefined) return { what: media[1], fix: media[2], isMedia: true };
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start)) return { what: 'an HTML page', fix: PAGE };
  if (/^<(?:\?xml.*<)?MPD\b/s.test(start)) return { what: 'a manifest of DASH', fix: NOT_FOLLOWED };
  if (/^<\?xml/.test(start)) return { what: 'an XML document', fix: PAGE };
  if (/^[{[]\s*["{[\]}]/.test(start)) return { what: 'a JSON document', fix: PAGE };
  if (/^CHAPTER\d{1,3}(?:NAME)?=/.test(start)) return CHAPTERS;
  if (/^[\t\n\r\x20-\x7e\x80-\xff]+$/.test(text))
    return {
      what: 'a text file',
      fix: 'Send the media file itself. Subtitles must be SRT, ASS or WebVTT, in a file that ends in .srt, .ass or .vtt.',
    };
  return undefined;
}

/** The extensions of audio and video without a header, with options that such a file needs. */
const RAW: readonly (readonly [RegExp, what: string, parameters: Readonly<Record<string, string>>])[] = [
  [
    /\.(?:pcm|raw|sw|snd|alaw|mulaw|g722|[fsu](?:8|16|24|32|64)(?:le|be)?)$/i,
    'audio without a header, so its format, sample rate and channels are unknown',
    { f: 's16le', ar: '16000', ac: '1' },
  ],
  [
    /\.(?:yuv|rgb|nv12)$/i,
    'video without a header, so its size, pixel format and frame rate are unknown',
    { f: 'rawvideo', video_size: '1280x720', pixel_format: 'yuv420p', framerate: '25' },
  ],
];

/** Describes a file of raw samples by its extension, and the options that it needs. undefined: another file. */
function describeRawFile(path: string): FileContent | undefined {
  const raw = RAW.find(([extension]) => extension.test(path));
  if (raw === undefined) return undefined;
  const [, what, parameters] = raw;
  const example = JSON.stringify({ input: path, parameters });
  return { what: `raw ${what}`, fix: `Send them with the input: ${example}, with the values of this file.` };
}

/** A file that ffmpeg or ffprobe could not read. */
interface UnreadableFile {
  readonly mount: Mount;
  /** The name in the argv. The message contains it. */
  readonly logical: string;
  /** Its path for the client. */
  readonly path: string;
  /** What to say about a text file if the request takes metadata or chapters from it. */
  readonly textIs?: FileContent;
}

/** The number of bytes to read from the start of a file, enough to recognise it. */
const HEAD_BYTES = 512;

/** True if the failure is about a file that cannot be read. */
export const isUnreadable = ({ code, about }: Failure): boolean =>
  code === 'INPUT_INVALID' || about?.isNotOpened === true;

/** Adds to the message of a failure what the file is. If that is unclear, returns the failure unchanged. */
export async function explainUnreadable(failure: Failure, file: UnreadableFile): Promise<Failure> {
  const { mount, logical, path, textIs } = file;
  const head = await readPinned(mount, HEAD_BYTES).catch(() => undefined);
  const content = head && describeContent(head);
  const raw = describeRawFile(path);
  // A file that begins with zeros may be raw audio that begins with silence.
  if (content !== undefined && !(content.what === 'filled with zeros' && raw !== undefined)) {
    const { what, fix, isMedia } = (content.what === 'a text file' ? textIs : undefined) ?? content;
    if (isMedia)
      return {
        ...failure,
        code: 'UNSUPPORTED',
        message: `The input ${logical} is ${what} that this ffmpeg cannot read.`,
        fix,
      };
    return { ...failure, message: `The input ${logical} is not a media file: it is ${what}.`, fix };
  }
  return raw === undefined ? failure : { ...failure, message: `The input ${logical} is ${raw.what}.`, fix: raw.fix };
}

/** Completes a failure about text that is not UTF-8: names the file, and says whether its byte order mark is that of UTF-16. */
export async function explainText(failure: Failure, mount: Mount, path: string): Promise<Failure> {
  const mark = await readPinned(mount, 2).catch(() => undefined);
  if (mark === undefined || !/^(?:fffe|feff)$/.test(Buffer.from(mark).toString('hex')))
    return { ...failure, message: `The subtitles in "${path}" are not UTF-8.` };
  return {
    ...failure,
    message: `The subtitles in "${path}" are UTF-16, which ffmpeg reads with errors.`,
    fix: 'Save the file as UTF-8, and send it without "sub_charenc".',
  };
}
