/** A wrong call of a tool, as a model sends it. */
export interface Mistake {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the answer must say, so that the next call is right at the first reading. */
  readonly says: RegExp;
  /** What it must not say. */
  readonly never?: RegExp;
  /** The release of ffmpeg from which on the call is right. */
  readonly rightFrom?: number;
}

/** `says` and `never` are about the whole answer as text: the JSON of a result or error, or the message of a protocol error. */
export const mistake = (tool: string, args: Mistake['args'], says: RegExp, never?: RegExp): Mistake => ({
  tool,
  args,
  says,
  ...(never !== undefined && { never }),
});

/** The same for a conversion of `film.mp4` that is only checked. */
export const conversion = (args: Mistake['args'], says: RegExp, never?: RegExp): Mistake =>
  mistake('convert_media', { input: 'film.mp4', output: 'out.mp4', dryRun: true, ...args }, says, never);
