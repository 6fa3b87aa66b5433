import type { MediaPath } from './media-path.ts';

/**
 * A link that works without an account until its end: to one file, to the outputs of one job, or to upload files into a folder.
 */
export interface Share {
  /** A UUID of version 7. It names the share in lists and is not the secret of its link. */
  readonly shareId: string;
  /** The client that shares. The link ends when this client can no longer read the files. */
  readonly clientId: string;
  /**
   * The shared file, also if it is the only output of the shared job. Absent if a job has several. Of a link for uploads, the folder with a
   * slash at its end.
   */
  readonly path?: MediaPath;
  /** The content of the shared file, so that the link never opens another file at its path. */
  readonly fingerprint?: string;
  readonly jobId?: string;
  /**
   * The folder that all outputs of the shared job have in common: it ends with a slash, or is ''. The names by which the
   * link opens the outputs follow it. It is stored, because reading all outputs at each request would take too long.
   */
  readonly folder?: string;
  /** The size of all shared files together. Of a link for uploads, the size of the largest file that it takes. */
  readonly sizeBytes?: number;
  /** How many files a link for uploads takes. Absent: the link is for downloads. */
  readonly maxFiles?: number;
  readonly note?: string;
  /** ISO 8601, like `expiresAt` and `lastUsedAt`. */
  readonly createdAt: string;
  /** When the link ends, or has ended. If `revokedAt` is set, the link has ended then, and this is at least a minute before the revocation. */
  readonly expiresAt: string;
  /** How many downloads have begun, or how many files the link has taken or is taking. */
  readonly uses: number;
  readonly lastUsedAt?: string;
  /** When the link was revoked. Of a link that had expired before, this is its end. */
  readonly revokedAt?: string;
  /** The client that revoked the link: its own, or an administrator. Absent if the link had expired before. */
  readonly revokedBy?: string;
}

export const SHARE_STATES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

/**
 * Whether the link of a share works at the time `now`, in milliseconds since 1970, or why it does not. A link that was revoked after its end
 * has expired, also by a clock that is late.
 */
export function shareStateOf(
  { revokedAt, revokedBy, expiresAt }: Pick<Share, 'revokedAt' | 'revokedBy' | 'expiresAt'>,
  now: number,
): ShareState {
  if (revokedAt !== undefined) return revokedBy === undefined ? 'EXPIRED' : 'REVOKED';
  return Date.parse(expiresAt) <= now ? 'EXPIRED' : 'ACTIVE';
}

export const SHARE_LIMITS = {
  minSeconds: 60,
  maxSeconds: 30 * 24 * 3600,
  defaultSeconds: 7 * 24 * 3600,
  noteLength: 200,
  /** The most files of one link for uploads. */
  maxFiles: 10_000,
  /** How long the record of a link stays after its end. Until then, the link says that it has ended. */
  endedSeconds: 30 * 24 * 3600,
  /** The most records of links that have ended, for each client. Otherwise, a client that shares and revokes in a loop would fill the database. */
  ended: 1000,
  /** The most outputs of a job whose own links a list of the links of the job has. */
  jobPaths: 100,
} as const;

/** The most files of one zip, and of one share. A ZIP of more would need minutes before its first byte. */
export const MAX_ZIP_FILES = 10_000;

/** The most bytes of a zip of files that a client chooses: a zip cannot be continued, and such a download takes hours. */
export const MAX_ZIP_BYTES = 100_000_000_000;

/** The most files and folders that one request for a zip names. They are in its URL, which is at most 16 KiB long. */
export const MAX_ZIP_PATHS = 100;

/** Matches the secret of a share, which its link contains. Secret scanners find it by its prefix. */
export const SHARE_SECRET = /^tcl_[\w-]{43}$/;
