/** A submission that must be rejected, and its expected error. */
export interface BadInput {
  readonly title: string;
  /** Sent as JSON. An object is merged into `GOOD`; anything else is the whole body. */
  readonly body?: unknown;
  /** The whole body, byte for byte. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Default: 400. */
  readonly status?: number;
  /** The JSON Pointer of the field. '' means the whole body. */
  readonly field: string;
  readonly code: string;
  /** Matches the message, the fix and the allowed values, joined by spaces. */
  readonly text: RegExp;
}

/** A valid request, which the bodies of the cases change. */
export const GOOD = { input: 'song.mp3', output: 'out.mka', parameters: { 'c:a': 'copy' } } as const;
