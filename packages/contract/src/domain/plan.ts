import type { AnalysisSpec, Interval } from './analysis.ts';
import type { PlannedChunks } from './chunks.ts';
import type { Parameters } from './conversion.ts';
import type { AbsentStream } from './failure.ts';
import type { Hint } from './hint.ts';
import type { Join } from './join.ts';
import type { MediaInfo } from './media-info.ts';
import type { MediaPath } from './media-path.ts';
import type { PlannedName } from './planned-names.ts';
import type { ChosenBySamples, PlannedSearch } from './sampling.ts';
import type { ThumbnailTrack } from './thumbnail-track.ts';

export interface PlannedInput {
  /** The logical name, relative to the working folder. The name of a sequence has a counter: `in/0/%06d.png`. */
  readonly logical: string;
  readonly path: MediaPath;
  /** Present if the input is a URL. Contains the whole URL with its secrets. The URL is fetched when the job runs. */
  readonly url?: string;
  /** Present if a filtergraph generates the input. `logical` is then this graph, and `path` is the text that the client sent. */
  readonly isSource?: true;
  /** JSON Pointer to the input in the request: `/input`, `/inputs/2`, `/inputs/2/input`. */
  readonly field: string;
  /** Present if `path` has a counter such as `%03d` or, with `glob`, wildcards. If a file has exactly this name, `path` is that file. */
  readonly sequence?: { readonly startNumber?: number; readonly glob?: true };
}

/** The inputs that are files. Inputs from filtergraphs are missing. */
export const fileInputs = <T extends Pick<PlannedInput, 'isSource'>>(inputs: readonly T[]): readonly T[] =>
  inputs.filter(({ isSource }) => isSource !== true);

/** What to find out about an input before the request is planned. An input has several probes if several parts of it matter. */
export interface InputProbe {
  /** The index of the input. */
  readonly input: number;
  /** The `ss` of the input or of an output in seconds. 0: only the file is probed. */
  readonly start: number;
  /** True if an estimated length is not enough. */
  readonly needsLength: boolean;
  /**
   * Present if the file is joined, cut or transcribed. The plan then also depends on the headers of its decoders, and the job needs the probe.
   * For any other file, the run itself reports what is wrong.
   */
  readonly needsHeaders?: true;
  /** Present if the part is copied from a stream without an index, in which a seek would miss the key frame before `start`. */
  readonly needsKey?: true;
  /** The options that name the format of the file. Absent if ffmpeg detects it. */
  readonly parameters?: Parameters;
}

/** The path of an output, and what staging compares with the existing files. */
export type DraftedOutput = Pick<OutputFiles, 'field' | 'path' | 'replace' | 'folder' | 'manifest'>;

/** The first half of a plan: the files that a request names, and what to find out about them before it is planned. */
export interface PlanDraft {
  readonly inputs: readonly PlannedInput[];
  /** Empty for an analysis. */
  readonly outputs: readonly DraftedOutput[];
  readonly probes: readonly InputProbe[];
  /** Present if the request cuts its input. Says whether its parts are copied or encoded. */
  readonly cutMode?: Join;
}

/** How a plan makes its output from parts of the input. */
export interface PlannedCut {
  readonly mode: Join;
  /** The start of each copied part in seconds. Empty if the parts are encoded, or not measured yet. */
  readonly starts: readonly number[];
  /** True if the plan only assumes the content of the input, or what is measured in it. */
  readonly isAssumed: boolean;
  /** What the job measures in the input before it is planned. Absent if the request itself names the parts. */
  readonly measure?: AnalysisSpec;
}

/** How the plan makes captions from the speech in the input. This happens before the passes. */
export interface PlannedTranscript {
  /** The ffmpeg run that writes the captions. The passes read these captions. */
  readonly argv: readonly string[];
}

/** A text file that the service writes into the working folder before the passes. */
export interface WrittenText {
  /** The logical name of the file. It begins with `pass/`. */
  readonly logical: string;
  readonly text: string;
}

/** The files of an output: their names in the argv, and the paths to publish them at. */
export interface OutputFiles {
  /** JSON Pointer to the path of the output in the request: `/output`. */
  readonly field: string;
  /**
   * The logical name. It begins with `out/`. ffmpeg may write more files next to it, such as segments. If the name is a file name pattern
   * (a counter, a date, or `%v` for HLS variants), ffmpeg writes files with the expanded names instead.
   */
  readonly logical: string;
  /** The folder below `out/` that contains only the files of this output. '' if the plan has one output, else such as `1/`. */
  readonly subfolder: string;
  /** Present if `logical` contains a date pattern. */
  readonly dated?: true;
  /** The names in `subfolder` that ffmpeg can write. No file with another name is published. */
  readonly names: readonly PlannedName[];
  /** The folder in the media root for the files of `subfolder`: '' or a path such as `hls/`. */
  readonly folder: string;
  /** The name of the manifest in `subfolder`. The manifest is published last. */
  readonly manifest?: string;
  /** The WebVTT file about the output. The service writes it. `name`: its name in `subfolder`. */
  readonly track?: ThumbnailTrack & { readonly name: string };
  /** Folders to create before ffmpeg starts: `out/seg`. */
  readonly folders?: readonly string[];
  readonly path: MediaPath;
  readonly muxer: string;
  /** Present if the container cannot store the rotation of a video. */
  readonly losesRotation?: true;
  /** Whether the output may replace an existing file, because the request has `"y": ""`. */
  readonly replace: boolean;
}

export interface PlannedOutput extends OutputFiles {
  readonly span: Span;
  /** The argv that would write only this output. Present if there are several outputs. */
  readonly argv?: readonly string[];
  /** Present if ffmpeg's log says all that is needed about the output, so that ffprobe does not read it. */
  readonly needsNoProbe?: true;
  /** Which options of the request became the options of the output: a JSON Pointer for each name in the argv, such as `filter:v`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The possible encoders for each stream type, or `copy`. A type is absent if it has no streams or uses ffmpeg's default encoder. */
  readonly encoders: Readonly<Partial<Record<'video' | 'audio' | 'subtitle', readonly string[]>>>;
}

/** The part of the inputs that the output contains, in seconds. The progress of a job is computed from it. */
export interface Span {
  /** The trim options of each input. `loops`: how often the input is repeated after the first time, by `stream_loop`. -1: for ever. */
  readonly inputs: readonly {
    readonly start?: number;
    readonly duration?: number;
    readonly end?: number;
    readonly loops?: number;
  }[];
  /** The trim options of the output. */
  readonly output: { readonly start?: number; readonly duration?: number; readonly end?: number };
  /** Whether the output ends with its shortest stream. */
  readonly shortest: boolean;
  /** The total seconds of all inputs. Present if the inputs are joined and their durations are known. */
  readonly joined?: number;
}

/** A warning about something valid that is probably a mistake: a part of a request, or the effect of that part in a run. */
export interface Warning {
  /** JSON Pointer into the request body. Absent if the warning is about the result, not about one field. */
  readonly field?: string;
  /** A short and stable code for programs: `NO_EFFECT`, `HDR_LOST`, … */
  readonly code: string;
  /** The rule that found the warning, with its name in the documentation. Absent if no rule found it. */
  readonly rule?: string;
  readonly message: string;
  readonly fix?: Hint;
  /** What of a source the result lacks or has changed: `chapters`, `frame rate`. Present if a result was compared with its source. */
  readonly lost?: string;
  /** What the source has or the request asks for, and what the result has. Present with `lost`. */
  readonly expected?: string | number;
  readonly actual?: string | number;
  /** For INPUT_NOT_FOUND: existing files whose names are similar to that of the missing one, the most similar first. */
  readonly near?: readonly string[];
  /** For INPUT_NOT_READ: seconds after which the same dry run may read the input. Absent: waiting does not help. */
  readonly retryAfterSeconds?: number;
  /** JSON Pointers to the options in the message, if `field` is not one of them. Hidden from clients. */
  readonly options?: readonly string[];
  /** JSON Pointers to options with which the client asks for what is lost. A recipe that sets them does not. Hidden from clients. */
  readonly askedBy?: readonly string[];
  /** Present if no input has video for the options at these JSON Pointers. `files`: the inputs. Hidden from clients. */
  readonly withoutVideo?: { readonly files: string; readonly options: readonly string[] };
  /** Present if the job fails because an input lacks a stream. Hidden from clients. */
  readonly absent?: AbsentStream;
  /** Present if the job fails as soon as the output has an encoded stream of this kind. Hidden from clients. */
  readonly failsWith?: 'video' | 'audio';
}

/** The values that the first of two passes measures for filters of the second pass. */
export interface MeasuringPass {
  /**
   * JSON Pointers to the options with a `loudnorm` that gets measured values, one pointer for each `loudnorm`, in the order of the argv.
   */
  readonly loudnorm: readonly string[];
  /** JSON Pointers to the options with a `vidstabtransform`, one for each. The filter reads the motion that the first pass detected. */
  readonly stabilized: readonly string[];
  /** JSON Pointers to the options with a `crop` after `cropdetect`, one for each. The `crop` gets the measured rectangle. */
  readonly cropped: readonly string[];
  /** The gain in dB that corrects an encoder which lowers the volume. Absent: no correction. */
  readonly encoderGain?: number;
}

/** What an analysis measures. Filters in its ffmpeg command print their values into files of the scratch folder. */
export interface PlannedAnalysis extends AnalysisSpec {
  /** The arguments of ffprobe that list the packets of the input. */
  readonly packets: readonly string[];
  /** The arguments of ffprobe to decode the input, and to list its packets and frames. */
  readonly frames: readonly string[];
}

/** A conversion that is ready to run. The planner makes it from the request, the catalogue and the client limits. */
export interface Plan {
  readonly inputs: readonly PlannedInput[];
  /** The outputs: at least one, unless the plan is an analysis. One run of ffmpeg writes all, and the service publishes them together. */
  readonly outputs: readonly PlannedOutput[];
  /**
   * The argv of ffmpeg runs before the passes. The runs check files that a filter opens against the limits for inputs. If one fails, the
   * job fails.
   */
  readonly checks?: readonly (readonly string[])[];
  /** Present if the inputs are joined into one. */
  readonly join?: { readonly mode: Join };
  readonly cut?: PlannedCut;
  readonly transcript?: PlannedTranscript;
  /** Text files that ffmpeg reads in addition to its inputs. */
  readonly texts?: readonly WrittenText[];
  /** One argv for each pass, without the program name. Contains logical names only, no host paths. */
  readonly passes: readonly (readonly string[])[];
  /** What the run needs of a hardware device: its type and encoders, sorted. Absent: the run uses no device. */
  readonly devices?: readonly string[];
  /** Present if the first pass measures values for filters. The second pass then contains placeholders: `measured_I=INPUT_I`. */
  readonly measuring?: MeasuringPass;
  /** What the job chooses by samples. The passes and the chunks then contain placeholders for these choices. Absent: nothing. */
  readonly search?: PlannedSearch;
  /** What samples let choose, which the passes already have. Absent: there was no choice. */
  readonly chosen?: ChosenBySamples;
  /** Present if the output is one file that must not be larger than this, in bytes. If it is, the last pass runs again with fewer bits. */
  readonly maxBytes?: number;
  /** Present if the plan only measures its inputs. It has no passes if nothing needs decoding. */
  readonly analysis?: PlannedAnalysis;
  /** How the plan runs in chunks, or why it runs whole. Absent: the caller did not ask. */
  readonly chunks?: PlannedChunks;
  readonly warnings: readonly Warning[];
  /** Those of `warnings` that are about the content of inputs which are joined or cut. Absent: none. */
  readonly inputWarnings?: readonly Warning[];
  /** Errors that warning rules threw, for the operator. The plan is right, but a warning may be missing. Absent: no rule threw. */
  readonly faults?: readonly string[];
}

/** A plan reduced to one of its outputs. */
export interface OutputPlan extends Omit<Plan, 'outputs'>, Omit<PlannedOutput, keyof OutputFiles | 'argv'> {
  readonly output: OutputFiles;
}

export function outputOf({ outputs }: Plan, index: number): PlannedOutput {
  const output = outputs[index];
  if (output === undefined) throw new RangeError(`The plan has no output ${index}.`);
  return output;
}

/** Returns the plan reduced to the output with this index. Its argv writes only this output. */
export function planOfOutput(whole: Plan, index: number): OutputPlan {
  const { outputs: _, ...plan } = whole;
  const output = outputOf(whole, index);
  const { span, encoders, fields, argv } = output;
  return { ...plan, output, span, encoders, ...(fields && { fields }), ...(argv && { passes: [argv] }) };
}

/** A file or folder on this machine, made visible to ffmpeg under a logical name. */
export interface Mount {
  readonly logical: string;
  /** An absolute path with symlinks resolved. */
  readonly hostPath: string;
  /** `dev:ino` of the file that was checked. For a folder of frames: of each frame. */
  readonly identities?: readonly string[];
}

/** What ffprobe found in an input of a join, a cut or a transcript. */
export interface ProbedInput
  extends Pick<MediaInfo, 'format' | 'streams'>,
    Partial<Pick<MediaInfo, 'chapters' | 'leftOut'>> {
  /** Present if the job has checked the length. The length is then exact, or missing because the file does not tell it. */
  readonly hasExactLength?: true;
  /**
   * The time of the first video packet if reading begins at the `ss` of the input, or at its start. This is the key frame at or before that
   * point. In seconds of the file's own timestamps, which may begin before 0. Absent if unknown.
   */
  readonly keySeconds?: number;
  /** The starts, in seconds, at which the frame on screen began earlier, and the next frame begins noticeably later. */
  readonly heldStarts?: readonly number[];
  /** `keySeconds` for each copied part of a cut, in the order of the parts. */
  readonly keys?: readonly (number | undefined)[];
  /** The parts that a cut measured. Absent before the measurement. */
  readonly measured?: readonly Interval[];
  /** A hash of the extradata that the decoder of each stream gets before the first packet, by stream index. Absent if unknown. */
  readonly headers?: ReadonlyMap<number, string>;
}
