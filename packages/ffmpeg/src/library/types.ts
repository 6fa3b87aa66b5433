// The public types of the library. This file imports nothing, so that the declarations of the package are complete.

/**
 * ffmpeg options by their exact names, without the dash: `{ 'c:v': 'libx264', crf: 23, an: true }`. A number counts as its text. `true` sets
 * and `false` omits an option without a value; for a boolean option of a codec or a container, they are `1` and `0`. A list repeats an
 * option, such as `map`.
 */
export type Parameters = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** One input with its own options. It has either `input` or `source`. */
export interface InputSpec {
  /** The path of a file in the media root. */
  readonly input?: string;
  /** A filtergraph that generates the input: `testsrc2=d=5`. */
  readonly source?: string;
  readonly parameters?: Parameters;
  /** How long to show a still image, or how long a `source` lasts, in seconds. */
  readonly duration?: string;
  /** How long an image of a slideshow fades in over the previous one, in seconds. */
  readonly crossfade?: string;
}

/** One of several outputs. Its options replace options of the same name of the request. */
export interface OutputSpec {
  /** The path of the file in the media root. */
  readonly output: string;
  readonly format?: string;
  readonly parameters?: Parameters;
}

/** What to convert. Send either `input` or `inputs`, and either `output` or `outputs`. All paths are in the media root. */
export interface ConversionRequest {
  readonly input?: string;
  readonly inputs?: readonly (string | InputSpec)[];
  readonly output?: string;
  /** Several outputs of one run, which decodes the inputs once. */
  readonly outputs?: readonly OutputSpec[];
  /** Finds the `crf` (`cq`, `qp`) of the encoder with which the video is as small as it can be at this quality. */
  readonly quality?: {
    /** SSIM from 0.5 to 0.999, XPSNR from 20 to 60, or VMAF from 20 to 100. */
    readonly target: number;
    /** Default: `auto`, by the scale of `target`. */
    readonly metric?: 'auto' | 'ssim' | 'xpsnr' | 'vmaf';
    /** Bits per second of the video. */
    readonly maxBitrate?: number;
    /** Bytes of the output. */
    readonly maxSize?: number;
  };
  /** Makes the versions of an HLS output for this video: 2 to 8 rungs at even steps of the bit rate, chosen by samples. */
  readonly ladder?: {
    /** The quality of the best rung: SSIM from 0.5 to 0.999, XPSNR from 20 to 60, or VMAF from 20 to 100. */
    readonly target: number;
    /** Default: `auto`, by the scale of `target`. */
    readonly metric?: 'auto' | 'ssim' | 'xpsnr' | 'vmaf';
    /** From 2 to 8. Default: 8. */
    readonly maxRungs?: number;
    /** Bits per second of the video of the best rung. */
    readonly maxBitrate?: number;
  };
  /**
   * `auto`: scales the video down to the size that is expected to look best at its average bit rate, `b:v`. With libx264 and three minutes
   * or more, samples in several sizes are compared; otherwise it is the usual size for the bit rate.
   */
  readonly frameSize?: 'auto';
  /** A muxer or a file extension. Default: the extension of the output. */
  readonly format?: string;
  /** `"y": ""` replaces existing outputs. */
  readonly parameters?: Parameters;
}

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** What is wrong at one place of a request. */
export interface FieldError {
  /** JSON Pointer into the request: `/parameters/crf`. */
  readonly field: string;
  /** A stable code: `UNKNOWN_OPTION`, `OUT_OF_RANGE`, … */
  readonly code: string;
  readonly message: string;
  /** The allowed values, if they can be listed. */
  readonly allowed?: readonly string[];
  /** What to send instead, as a sentence. */
  readonly fix?: string;
  /** The fix as a JSON Patch of the request. Absent if the fix leaves a choice. */
  readonly apply?: readonly PatchOperation[];
}

/** A note about something in a request that is valid but probably a mistake, or about what a run did. */
export interface Warning extends Omit<FieldError, 'field' | 'allowed'> {
  /** JSON Pointer into the request. Absent if the warning is about the result of a run. */
  readonly field?: string;
  /** The rule that found the mistake. docs/rules.md of Telecine lists all rules. */
  readonly rule?: string;
}

/** A request without errors. `run` runs it. */
export interface Plan {
  readonly ok: true;
  /** The arguments of ffmpeg for each pass, without the program. Files have logical names: `file:in/0.mp4`, `file:out/small.mp4`. */
  readonly argv: readonly (readonly string[])[];
  readonly errors: readonly [];
  readonly warnings: readonly Warning[];
}

/** A request with errors. */
export interface RejectedRequest {
  readonly ok: false;
  readonly argv: readonly [];
  /** One to 50 errors. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly [];
}

export interface Progress {
  /** 0 to 100. Absent: the length of the output is unknown. */
  readonly percent?: number;
  /** Seconds of media per second. */
  readonly speed?: number;
  /** Frames per second. */
  readonly fps?: number;
  readonly etaSeconds?: number;
  /** How many samples were tried, while they choose a frame size, a quality or a ladder. `total` is what this usually takes. */
  readonly samples?: {
    readonly choose: 'frameSize' | 'quality' | 'ladder';
    readonly done: number;
    readonly total: number;
  };
}

/** A written file. */
export interface OutputFile {
  /** The path in the media root. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Present for the outputs that the request names, if ffmpeg reports it. */
  readonly durationSeconds?: number;
  readonly streams?: readonly OutputStream[];
  /** Present if the request has `quality`. */
  readonly quality?: OutputQuality;
  /** Present if the request has `ladder`. */
  readonly ladder?: OutputLadder;
  /** Present if the request has `frameSize`. */
  readonly frameSize?: OutputFrameSize;
}

/** The frame size that was chosen for a bit rate. */
export interface OutputFrameSize {
  readonly width: number;
  readonly height: number;
  /** The average bit rate for which the size was chosen. */
  readonly bitsPerSecond: number;
  /** Why it has this size: a sentence. */
  readonly reason: string;
  /** The sizes that samples compared, the largest first, and the SSIM after scaling up. Absent: there were no samples. */
  readonly compared?: readonly { readonly width: number; readonly height: number; readonly score: number }[];
}

/** The rungs of an HLS output, and what was tried to find them. */
export interface OutputLadder {
  readonly metric: 'ssim' | 'xpsnr' | 'vmaf';
  readonly target: number;
  /** The option of the encoder, such as `crf`. */
  readonly option: string;
  /** The versions, the best first. `score`: as expected from samples. The bit rates are those of the master playlist. */
  readonly rungs: readonly (LadderValue & { readonly bandwidth: number; readonly averageBandwidth: number })[];
  readonly tried: readonly (LadderValue & { readonly bitsPerSecond: number })[];
}

/** A value of the encoder's option at a frame size, and the quality compared with the source after scaling up. */
export interface LadderValue {
  readonly width: number;
  readonly height: number;
  readonly value: number;
  readonly score: number;
}

/** The quality of a video, and what was tried to reach the target. */
export interface OutputQuality {
  readonly metric: 'ssim' | 'xpsnr' | 'vmaf';
  readonly target: number;
  /** The quality of the whole output. Absent if ffmpeg could not measure it. */
  readonly reached?: number;
  /** Whether the output has the target, but for 0.002 of SSIM, 0.3 dB of XPSNR or 1 of VMAF. */
  readonly isReached?: boolean;
  /** The option of the encoder, such as `crf`, and its value. */
  readonly option: string;
  readonly value: number;
  readonly tried: readonly {
    readonly value: number;
    readonly score: number;
    readonly bitsPerSecond: number;
    /** The full video was encoded with this value. Absent: only samples. */
    readonly isWhole?: boolean;
  }[];
}

/** One stream of an output, as ffmpeg reports it. */
export interface OutputStream {
  readonly index: number;
  readonly type: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  readonly codec: string;
  readonly profile?: string;
  readonly language?: string;
  readonly disposition?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  readonly pixelFormat?: string;
  readonly sampleRate?: number;
  readonly channels?: string;
}

/** Why a run failed. */
export interface Failure {
  /** A stable code: `INPUT_NOT_FOUND`, `INPUT_INVALID`, `OUTPUT_EXISTS`, `LIMIT_EXCEEDED`, `CANCELLED`, `FFMPEG_FAILED`, … */
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

export type RunResult =
  | {
      readonly ok: true;
      /** First the outputs that the request names, then further files, such as segments. */
      readonly outputs: readonly OutputFile[];
      readonly warnings: readonly Warning[];
      /** What ffmpeg printed, without host paths. */
      readonly log: string;
    }
  | { readonly ok: false; readonly failure: Failure; readonly log: string };

export interface RunOptions {
  /** Called about twice a second. */
  readonly onProgress?: (progress: Progress) => void;
  /** An abort ends ffmpeg, and the run fails with CANCELLED. */
  readonly signal?: AbortSignal;
}

/** The limits of one run. null: no limit. Absent: the default, which is the same as in a Telecine service. */
export interface RunLimits {
  /** Seconds for all passes together. Default: two hours. */
  readonly time?: number;
  /** Seconds of processor time of all threads. Default: no limit besides `time` on all cores. */
  readonly cpu?: number | null;
  /** Bytes of address space of each process. Default: 4 GiB, plus 256 MiB for each core. */
  readonly memory?: number | null;
  /** Processes and threads at the same time. Default: 512, plus 64 for each core. */
  readonly processes?: number | null;
  /** Bytes of one written file. Default: 100 GiB. */
  readonly output?: number | null;
  /** Seconds of one output. Default: 48 hours. */
  readonly duration?: number | null;
  /** Pixels of one frame of an input or output. Default: 16384×8192. */
  readonly pixels?: number | null;
  /** Streams of one input or output. Default: 256. */
  readonly streams?: number | null;
  /** Threads that a request may set for one encoder, decoder or filtergraph. Default: 64. */
  readonly threads?: number | null;
}

export interface OpenOptions {
  /** The folder in which all paths of requests are. It must exist. */
  readonly mediaRoot: string;
  /** The ffmpeg program. Default: the first `ffmpeg` in the folders of `searchPath`. */
  readonly path?: string | undefined;
  /** Folders with programs, as in PATH: pass `process.env.PATH`. ffprobe is found next to ffmpeg or here. */
  readonly searchPath?: string | undefined;
  /** What to do if no sandbox works. `required` (default): throw an error. `auto`: run without a sandbox. `off`: never use a sandbox. */
  readonly sandbox?: 'required' | 'auto' | 'off';
  /** The folder to save what ffmpeg offers (a query takes 0.3 s). No other user may write to it. Default: not saved. */
  readonly cacheFolder?: string;
  readonly limits?: RunLimits;
  /** A run fails with STALLED after this many seconds without progress. Default: 120. */
  readonly stallSeconds?: number;
  /** 0 to 19: with 19, ffmpeg uses the processor time that other programs leave. Default: 0. */
  readonly niceness?: number;
  /** Called with errors that change no result: the cache folder cannot be written, or the code of a warning throws. */
  readonly onFault?: (error: unknown) => void;
}

/** An installed ffmpeg that plans, checks and runs requests. */
export interface Ffmpeg {
  /** `5.1.9-0+deb12u1`, `n7.1`. */
  readonly version: string;
  /** What confines ffmpeg. `weakness`: what it does not protect against. Absent: it protects completely. */
  readonly sandbox: { readonly kind: 'bubblewrap' | 'landlock' | 'none'; readonly weakness?: string };
  /**
   * Checks a request, of any content, against what this ffmpeg offers, and returns its commands or its errors. Does not look at files.
   * Takes some milliseconds, and 0.1 s for options that ffmpeg was not asked about before. Throws if ffmpeg does not answer.
   */
  plan(request: ConversionRequest): Promise<Plan | RejectedRequest>;
  /** Runs a plan of this object, confined. Throws only if the machine fails: ffmpeg was removed, or the disk cannot be written. */
  run(plan: Plan, options?: RunOptions): Promise<RunResult>;
  /** Saves the cache. Call it when no run is active. */
  close(): Promise<void>;
}
