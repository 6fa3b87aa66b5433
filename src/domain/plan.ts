import type { MediaPath } from './media-path.ts';

/** An input as the argv names it (`in/0.mp4`) and where it comes from. */
export interface PlannedInput {
  /** The name in the argv, relative to the working folder. A sequence has a counter: `in/0/%06d.png`. */
  readonly logical: string;
  readonly path: MediaPath;
  /** JSON Pointer to where the client named it: `/input`, `/inputs/2`, `/inputs/2/input`. */
  readonly field: string;
  /**
   * Set where `path` stands for several files, by a counter such as `%03d` or (`glob`) by `*`, `?` and `[…]` in its
   * last name, and is to be expanded unless a file has exactly that name.
   */
  readonly sequence?: { readonly startNumber?: number; readonly glob?: true };
}

export interface PlannedOutput {
  /**
   * The name in the argv, below `out/`. ffmpeg may write siblings beside it (segments), and instead of it where it holds
   * a mark that ffmpeg fills in: a counter, a date, or `%v` for the variants of HLS, `out/v%v/index.m3u8`.
   */
  readonly logical: string;
  /** ffmpeg fills `logical` in by the date. */
  readonly dated?: true;
  /** What `out/` stands for in the media root: '' or a folder such as `hls/`. */
  readonly folder: string;
  /** A playlist or list below `out/` that names the other files, so it appears last. */
  readonly manifest?: string;
  /** Folders below `out/` that are to be there before ffmpeg starts: `out/seg`. */
  readonly folders?: readonly string[];
  readonly path: MediaPath;
  readonly muxer: string;
  /** The caller sent `"y": ""`: an existing output is replaced. */
  readonly replace: boolean;
}

/** What part of an input reaches the output, in seconds; for the percentage. */
export interface Span {
  /** Trimmed on the inputs, one entry an input. */
  readonly inputs: readonly { readonly start?: number; readonly duration?: number; readonly end?: number }[];
  /** Trimmed on the output. */
  readonly output: { readonly start?: number; readonly duration?: number; readonly end?: number };
  /** The output ends with its shortest stream. */
  readonly shortest: boolean;
}

/** What is legal but probably not meant: where, what will come of it, and what to send instead. */
export interface Warning {
  /** JSON Pointer into the request body. */
  readonly field: string;
  /** Short and stable, for programs: `NO_EFFECT`, `ODD_SIZE`, … */
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** A conversion, ready to run: a pure function of the request, the catalogue and the policy. */
export interface Plan {
  readonly inputs: readonly PlannedInput[];
  readonly output: PlannedOutput;
  /**
   * Run before the passes, each to a good end or the job fails: they open, as inputs are opened, files that a filter
   * will open without such bounds.
   */
  readonly checks?: readonly (readonly string[])[];
  /** One argv a pass, without the program's name. Logical names only: no host path. */
  readonly passes: readonly (readonly string[])[];
  readonly span: Span;
  /**
   * By kind of stream, the encoders that may make one, or `copy`; a kind is absent where the output has none of it, or
   * ffmpeg chooses and was not asked what.
   */
  readonly encoders: Readonly<Partial<Record<'video' | 'audio' | 'subtitle', readonly string[]>>>;
  readonly warnings: readonly Warning[];
}

/** A file or folder on this machine, made visible to ffmpeg under a logical name. */
export interface Mount {
  readonly logical: string;
  /** Absolute, symlinks resolved. */
  readonly hostPath: string;
  /** `dev:ino` of the file that was checked, or of each frame in a folder of frames. */
  readonly identities?: readonly string[];
}
