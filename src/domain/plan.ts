import type { MediaPath } from './media-path.ts';

/** An input: its name in the argv and its media path. */
export interface PlannedInput {
  /** The logical name, relative to the working folder. A sequence has a counter: `in/0/%06d.png`. */
  readonly logical: string;
  readonly path: MediaPath;
  /** JSON Pointer to the input in the request: `/input`, `/inputs/2`, `/inputs/2/input`. */
  readonly field: string;
  /**
   * Set if `path` is a pattern for several files: a counter such as `%03d`, or with `glob` the characters `*`, `?` and
   * `[…]` in the file name. The pattern is expanded unless a file has exactly this name.
   */
  readonly sequence?: { readonly startNumber?: number; readonly glob?: true };
}

export interface PlannedOutput {
  /**
   * The logical name, below `out/`. ffmpeg may write more files next to it, such as segments. If the name is a file
   * name pattern (a counter, a date, or `%v` for HLS variants), ffmpeg writes files with the expanded names instead.
   */
  readonly logical: string;
  /** `logical` contains a date pattern. */
  readonly dated?: true;
  /** The folder of `out/` in the media root: '' or a path such as `hls/`. */
  readonly folder: string;
  /** The manifest below `out/`, which is published last. */
  readonly manifest?: string;
  /** Folders below `out/` to create before ffmpeg starts: `out/seg`. */
  readonly folders?: readonly string[];
  readonly path: MediaPath;
  readonly muxer: string;
  /** The request has `"y": ""`: an existing output is replaced. */
  readonly replace: boolean;
}

/** The part of the inputs that reaches the output, in seconds. Used for the progress. */
export interface Span {
  /** Trim options of the inputs, one entry per input. */
  readonly inputs: readonly { readonly start?: number; readonly duration?: number; readonly end?: number }[];
  /** Trim options of the output. */
  readonly output: { readonly start?: number; readonly duration?: number; readonly end?: number };
  /** The output ends with its shortest stream. */
  readonly shortest: boolean;
}

/** A valid but probably unintended part of a request: where it is, what it does, what to send instead. */
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
   * ffmpeg runs before the passes; the job fails if one fails. They open, with the limits of inputs, the files that a
   * filter opens without limits.
   */
  readonly checks?: readonly (readonly string[])[];
  /** One argv per pass, without the program name. Logical names only, no host paths. */
  readonly passes: readonly (readonly string[])[];
  readonly span: Span;
  /**
   * The possible encoders of each stream type, or `copy`. A type is missing if the output has no such stream, or if
   * ffmpeg chooses the encoder and was not queried.
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
