/** A submission that must be refused, and what must be said of it. */
export interface BadInput {
  readonly title: string;
  /** Sent as JSON. Added to a good request, unless it is no object. */
  readonly body?: unknown;
  /** The whole body, byte for byte. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** 400 unless said otherwise. */
  readonly status?: number;
  /** JSON Pointer to the field; of a body that is no JSON at all it is ''. */
  readonly field: string;
  readonly code: string;
  /** What the message, the fix and the list of what is allowed must tell between them. */
  readonly tells: RegExp;
}

/** What the bodies of the cases are added to. */
export const GOOD = { input: 'song.mp3', output: 'out.mka', parameters: { 'c:a': 'copy' } } as const;
