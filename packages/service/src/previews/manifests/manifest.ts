import { Problem } from '@telecine/contract/domain/problem.ts';

/** What a preview can show of a rendition. */
export type MediaKind = 'video' | 'audio';

/** The maximum number of files of one rendition. They are more than two hours in segments of four seconds. */
export const MAX_PARTS = 2000;

/** The maximum number of renditions and playlists of one manifest. Real manifests have about ten. */
export const MAX_RENDITIONS = 200;

/** The maximum length of the address of a file, in characters. Real ones are shorter. */
const MAX_ADDRESS = 4096;

/** One version of the content that a manifest offers. */
export interface Rendition {
  /** Bits per second, by the manifest. 0: the manifest does not say. */
  readonly bandwidth: number;
  /** What the rendition may contain. */
  readonly kinds: ReadonlySet<MediaKind>;
  /**
   * Lists the addresses of the files in order, first the init segment. Joined, they are one file. At most one more than
   * `MAX_PARTS`. A function, because one line of a manifest can name thousands of files. Throws for an invalid address.
   */
  readonly listParts: () => readonly string[];
  readonly isEncrypted: boolean;
}

/** A rendition that is described by another playlist, which the manifest names. */
export interface NamedPlaylist extends Pick<Rendition, 'bandwidth' | 'kinds'> {
  readonly address: string;
}

/** The content of an HLS or DASH manifest, with at most `MAX_RENDITIONS` items. Addresses are absolute URLs. */
export interface Manifest {
  readonly playlists: readonly NamedPlaylist[];
  readonly renditions: readonly Rendition[];
}

export const BOTH: ReadonlySet<MediaKind> = new Set(['video', 'audio']);
export const ONLY: Readonly<Record<MediaKind, ReadonlySet<MediaKind>>> = {
  video: new Set(['video']),
  audio: new Set(['audio']),
};

/**
 * Returns the absolute address of a file. Throws if the address is invalid or too long: thousands of files can share a
 * long base.
 */
export function addressOf(uri: string, base: string): string {
  const { href } = new URL(uri, base);
  if (href.length > MAX_ADDRESS) throw new Error('The address is too long.');
  return href;
}

/** Removes repeated addresses: a file with several segments in a row is listed once. */
export function withoutRepetitions(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address, at) => address !== addresses[at - 1]).slice(0, MAX_PARTS + 1);
}

type Code = 'UNSUPPORTED' | 'INPUT_INVALID';

const problem = (code: Code, message: string, fix: string): Problem =>
  new Problem(code, message, { errors: [{ field: '/path', code, message, fix }] });

const SOURCE = 'Send the file from which it was made.';

/** The errors for manifests that a preview cannot show. `path`: the path of the manifest. */
export const unusable = {
  unreadable: (path: string) =>
    problem('INPUT_INVALID', `"${path}" is not a readable manifest of HLS or DASH.`, SOURCE),
  empty: (path: string) => problem('INPUT_INVALID', `"${path}" names no segment.`, SOURCE),
  encrypted: (path: string) =>
    problem('UNSUPPORTED', `The segments of "${path}" are encrypted, so they cannot be shown.`, SOURCE),
  remote: (path: string, host: string) =>
    problem(
      'UNSUPPORTED',
      `"${path}" names files at "${host}", and only files of the media root are read.`,
      'Send a playlist with relative addresses, or the file from which it was made.',
    ),
  missing: (path: string, file: string) =>
    problem(
      'INPUT_INVALID',
      `"${path}" names "${file}", which is missing or is not of the same job.`,
      'Upload all files of the stream, or send the file from which it was made.',
    ),
  otherKind: (path: string, has: MediaKind) =>
    problem(
      'UNSUPPORTED',
      has === 'audio' ? `"${path}" has no video stream.` : `"${path}" has no audio stream.`,
      has === 'audio' ? 'Send the view "waveform" or "spectrogram".' : 'Send the view "frame" or "sheet".',
    ),
  tooMany: (path: string, most: number) =>
    problem('UNSUPPORTED', `"${path}" names more than ${most} segments, the most that a preview reads.`, SOURCE),
  tooLong: (path: string, most: string) =>
    problem('UNSUPPORTED', `"${path}" is larger than ${most}, the most that is read of a manifest.`, SOURCE),
  tooManyMarks: (path: string) =>
    problem(
      'UNSUPPORTED',
      `"${path}" has too many tags or attributes: the service does not read such a manifest.`,
      SOURCE,
    ),
  tooLarge: (path: string, size: string, most: string) =>
    problem('UNSUPPORTED', `The segments of "${path}" are ${size} together. A preview reads at most ${most}.`, SOURCE),
} as const;
