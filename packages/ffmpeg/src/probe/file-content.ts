import type { Failure } from '@telecine/contract/domain/failure.ts';
import { type Hint, withAdvice } from '@telecine/contract/domain/hint.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
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

/** Options that the request sends for the output, by name, although the raw input needs them. */
export type SentForOutput = Readonly<Record<string, string>>;

/** By option of a raw input: the option of an output with the same meaning. */
const OUTPUT_NAMES: Readonly<Record<string, string>> = { video_size: 's', pixel_format: 'pix_fmt', framerate: 'r' };

/** The extensions of audio and video without a header, with the options that such a file needs. */
const RAW: readonly (readonly [RegExp, what: string, parameters: Readonly<Record<string, string>>])[] = [
  [/\.(?:pcm|raw|s16|sw|s16le|snd)$/i, 'audio', { f: 's16le', ar: '16000', ac: '1' }],
  [
    /\.(?:yuv|rgb|nv12)$/i,
    'video',
    { f: 'rawvideo', video_size: '1280x720', pixel_format: 'yuv420p', framerate: '25' },
  ],
];

/** Extensions that are the name of a raw format, such as `.s16le`. */
export const RAW_FORMAT = /\.((?:[fs](?:8|16|24|32|64)|u(?:8|16|24|32))(?:le|be)?|alaw|mulaw|g722)$/i;

/** Names and extensions that say nothing about the content. */
const NO_FORMAT = /^[^.]*$|\.(?:bin|dat|data|audio|sound|out|tmp)$/i;

/**
 * Describes a file of raw samples and the options that it needs. undefined: another file.
 *
 * @param head The first bytes, which show whether the samples are floating point numbers.
 * @param sent The options of the output that describe this file.
 */
function describeRawFile(path: string, head?: Uint8Array, sent: SentForOutput = {}): FileContent | undefined {
  const named = RAW_FORMAT.exec(path)?.[1]?.toLowerCase();
  const raw = RAW.find(([extension]) => extension.test(path));
  if (raw === undefined && named === undefined) return undefined;
  const [, kind = 'audio', example = { f: 's16le', ar: '44100', ac: '1' }] = raw ?? [];
  const f = named ?? (kind === 'audio' && head !== undefined && hasFloats(head) ? 'f32le' : example['f']);
  const names = kind === 'audio' ? 'format, sample rate and channels' : 'size, pixel format and frame rate';
  const known = { ...example, ...(f === undefined || f === 's16' ? {} : { f }) };
  const moved = Object.keys(known).filter((name) => sent[OUTPUT_NAMES[name] ?? name] !== undefined);
  const parameters = { ...known, ...Object.fromEntries(moved.map((name) => [name, sent[OUTPUT_NAMES[name] ?? name]])) };
  const outside = moved.map((name) => `"${OUTPUT_NAMES[name] ?? name}"`);
  return {
    what: `raw ${kind} without a header, so its ${names} are unknown`,
    fix: `Send them with the input: ${JSON.stringify({ input: path, parameters })}, with the values of this file${outside.length === 0 ? '' : `, and leave ${andList(outside)} out of "parameters" of the request`}.`,
  };
}

/** The advice how to send raw audio, for a file whose name says nothing about its content. undefined: the name says more. */
function rawAudioAdvice(path: string, head?: Uint8Array): string | undefined {
  if (!NO_FORMAT.test(path.replace(/^.*\//, ''))) return undefined;
  const f = head !== undefined && hasFloats(head) ? 'f32le' : 's16le';
  const input = { input: path, parameters: { f, ar: '44100', ac: '1' } };
  return `If the file is raw audio, which has no header, send its format too: ${JSON.stringify(input)}.`;
}

/** True if bytes look like 32-bit floating point samples from -1 to 1. Integers read as such numbers have random exponents. */
function hasFloats(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const samples = Array.from({ length: Math.floor(head.length / 4) }, (_, at) =>
    Math.abs(view.getFloat32(at * 4, true)),
  );
  const loud = samples.filter((sample) => sample > 0);
  return loud.length > 8 && loud.every((sample) => sample > 1e-12 && sample <= 2);
}

/** A file that ffmpeg or ffprobe could not read. */
interface UnreadableFile {
  readonly mount: Mount;
  /** The name in the argv. The message contains it. */
  readonly logical: string;
  /** Its path for the client. */
  readonly path: string;
  /** The options of the output that describe this file. */
  readonly sent?: SentForOutput;
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
  const { mount, logical, path, sent, textIs } = file;
  const head = await readPinned(mount, HEAD_BYTES).catch(() => undefined);
  const content = head && describeContent(head);
  const raw = describeRawFile(path, head, sent);
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
  if (raw !== undefined) return { ...failure, message: `The input ${logical} is ${raw.what}.`, fix: raw.fix };
  const advice = rawAudioAdvice(path, head);
  return advice === undefined ? failure : { ...failure, fix: withAdvice(failure.fix, advice) };
}
