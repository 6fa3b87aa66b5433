import type { MediaPath } from './media-path.ts';

/** What a signed link lets anyone who has it upload: one file, once. */
export interface UploadLink {
  /** Tells links apart that are for the same file. */
  readonly linkId: string;
  /** In the media root of the client that signed the link. */
  readonly path: MediaPath;
  readonly maxBytes: number;
  /** Whether the file may replace another. */
  readonly replace: boolean;
}
