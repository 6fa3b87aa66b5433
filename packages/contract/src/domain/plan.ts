import type { AnalysisSpec, Interval } from './analysis.ts';
import type { Parameters } from './conversion.ts';
import type { Hint } from './hint.ts';
import type { Join } from './join.ts';
import type { MediaInfo } from './media-info.ts';
import type { MediaPath } from './media-path.ts';
import type { PlannedName } from './planned-names.ts';
import type { ThumbnailTrack } from './thumbnail-track.ts';

export interface PlannedInput {
  /** The logical name, relative to the working folder. A sequence has a counter: `in/0/%06d.png`. */
  readonly logical: string;
  readonly path: MediaPath;
  /** Present if the input is a URL: all of it, with its secrets. It is fetched when the job runs. */
  readonly url?: string;
  /** Present if a filtergraph makes the input. `logical` is then that graph, and `path` the text that the client sent. */
  readonly isSource?: true;
  /** JSON Pointer to the input in the request: `/input`, `/inputs/2`, `/inputs/2/input`. */
  readonly field: string;
  /** Present if `path` has a counter such as `%03d` or, with `glob`, wildcards. It is expanded unless a file has exactly this name. */
  readonly sequence?: { readonly startNumber?: number; readonly glob?: true };
}

/** The inputs that are files: all but sources. */
export const fileInputs = <T extends Pick<PlannedInput, 'isSource'>>(inputs: readonly T[]): readonly T[] =>
  inputs.filter(({ isSource }) => isSource !== true);

/** Inputs that ffprobe has to look into. */
export interface InspectedInputs {
  /** The indexes of these inputs, in their order. Of a join, filters read the others as files. */
  readonly clips: readonly number[];
  /** Where each begins, in seconds, by its `ss`. */
  readonly starts: readonly number[];
  /** The options of each that names its format. Absent if none does. */
  readonly parameters?: readonly (Parameters | undefined)[];
  /** Whether the plan assumes what is in these files. The job then plans again with what ffprobe finds. */
  readonly isAssumed: boolean;
}

/** How a plan joins its inputs to one. */
export interface PlannedJoin extends InspectedInputs {
  readonly mode: Join;
}

/** How a plan makes its output of parts of the input. `clips` has this input, and `starts` the start of each part. */
export interface PlannedCut extends PlannedJoin {
  /** What the job measures in the input before the plan can run. Absent if the request names the parts. */
  readonly measure?: AnalysisSpec;
}

/** How the speech in the input becomes captions, before the passes. */
export interface PlannedTranscript extends InspectedInputs {
  /** The run of ffmpeg that writes the captions, which the passes read. */
  readonly argv: readonly string[];
}

/** The inputs of a plan that the job probes. undefined without such inputs. */
export const inspected = ({
  join,
  cut,
  transcript,
}: Pick<Plan, 'join' | 'cut' | 'transcript'>): InspectedInputs | undefined => join ?? cut ?? transcript;

/** A file that the service writes into the working folder before the passes. */
export interface WrittenText {
  /** The logical name, below `pass/`. */
  readonly logical: string;
  readonly text: string;
}

/** The files of an output: their names in the argv, and where they are published. */
export interface OutputFiles {
  /** JSON Pointer to the path of the output in the request: `/output`. */
  readonly field: string;
  /**
   * The logical name, below `out/`. ffmpeg may write more files next to it, such as segments. If the name is a file
   * name pattern (a counter, a date, or `%v` for HLS variants), ffmpeg writes files with the expanded names instead.
   */
  readonly logical: string;
  /** The folder below `out/` that contains only files of this output: '' if it is the only output, else such as `1/`. */
  readonly subfolder: string;
  /** Present if `logical` contains a date pattern. */
  readonly dated?: true;
  /** The names in `subfolder` that ffmpeg can write. No file with another name is published. */
  readonly names: readonly PlannedName[];
  /** The folder in the media root that gets the files of `subfolder`: '' or a path such as `hls/`. */
  readonly folder: string;
  /** The manifest in `subfolder`, which is published last. */
  readonly manifest?: string;
  /** The WebVTT file about the output that the service writes, by its name in `subfolder`. */
  readonly track?: ThumbnailTrack & { readonly name: string };
  /** Folders to create before ffmpeg starts: `out/seg`. */
  readonly folders?: readonly string[];
  readonly path: MediaPath;
  readonly muxer: string;
  /** Whether an existing output is replaced, because the request has `"y": ""`. */
  readonly replace: boolean;
}

/** One output of a plan. */
export interface PlannedOutput extends OutputFiles {
  readonly span: Span;
  /** The argv that would write this output alone. Present if there are several. */
  readonly argv?: readonly string[];
  /** Where the request has the options of the output: a JSON Pointer for each name in the argv, such as `filter:v`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The possible encoders of each stream type, or `copy`. A type without streams, or with the default encoder of ffmpeg, is absent. */
  readonly encoders: Readonly<Partial<Record<'video' | 'audio' | 'subtitle', readonly string[]>>>;
}

/** The part of the inputs that the output contains, in seconds. Progress is computed from it. */
export interface Span {
  /** The trim options of the inputs, one entry per input. */
  readonly inputs: readonly { readonly start?: number; readonly duration?: number; readonly end?: number }[];
  /** The trim options of the output. */
  readonly output: { readonly start?: number; readonly duration?: number; readonly end?: number };
  /** Whether the output ends with its shortest stream. */
  readonly shortest: boolean;
  /** The seconds of all inputs together, if they are joined and their durations are known. */
  readonly joined?: number;
}

/** A warning about something that is valid, but probably a mistake: a part of a request, or what a run did with it. */
export interface Warning {
  /** JSON Pointer into the request body. Absent if the warning is about the result, not about one field. */
  readonly field?: string;
  /** Short and stable, for programs: `NO_EFFECT`, `ODD_SIZE`, … */
  readonly code: string;
  /** The rule that found it, as the documentation names it. Absent if no rule did. */
  readonly rule?: string;
  readonly message: string;
  readonly fix?: Hint;
  /** JSON Pointers to the options that the message names, if `field` is not among them. Clients do not get it. */
  readonly options?: readonly string[];
  /** JSON Pointers to the options that make the option at `field` ineffective. Clients do not get it. */
  readonly causes?: readonly string[];
  /** The inputs, if none has video for the options at these JSON Pointers. Clients do not get it. */
  readonly withoutPicture?: { readonly files: string; readonly options: readonly string[] };
  /** Present if the job fails as soon as the output has an encoded stream of this kind. Clients do not get it. */
  readonly failsWith?: 'video' | 'audio';
  /** The numbers that the fix changes, which arguments of a recipe can set. Clients do not get it. */
  readonly numbers?: readonly WrongNumber[];
}

/** A number in the option of a warning, and the one to send instead. */
export interface WrongNumber {
  readonly sent: number;
  readonly meant: number;
  /** What arguments of it are called, if others can have the same value. */
  readonly names?: readonly string[];
}

/** What the first of two passes finds out for filters of the second one. */
export interface MeasuringPass {
  /** JSON Pointers to the options with a `loudnorm` that gets measured values: one for each, in the order of the argv. */
  readonly loudnorm: readonly string[];
  /** The same for each `vidstabtransform`, which reads the motion that the first pass detected. */
  readonly stabilized: readonly string[];
  /** The same for each `crop` after `cropdetect`, which gets the measured rectangle. */
  readonly cropped: readonly string[];
  /** The gain that makes up for an encoder which lowers the volume, in dB. Absent for none. */
  readonly encoderGain?: number;
}

/** What an analysis measures. Filters in its ffmpeg command print their values into files of the scratch folder. */
export interface PlannedAnalysis extends AnalysisSpec {
  /** The arguments of ffprobe that list the packets of the input. */
  readonly packets: readonly string[];
  /** The arguments of ffprobe that decode the input, and list its packets and frames. */
  readonly frames: readonly string[];
}

/** A conversion that is ready to run. The planner derives it from the request, the catalogue and the client limits. */
export interface Plan {
  readonly inputs: readonly PlannedInput[];
  /** At least one, unless the plan is an analysis. All of them are written by one run of ffmpeg, and published together. */
  readonly outputs: readonly PlannedOutput[];
  /** Runs of ffmpeg before the passes, which check the files that a filter opens by the limits of inputs. If one fails, the job fails. */
  readonly checks?: readonly (readonly string[])[];
  /** Present if the inputs are joined. */
  readonly join?: PlannedJoin;
  /** Present if the output has parts of the input. */
  readonly cut?: PlannedCut;
  /** Present if the request asks for captions of its speech. */
  readonly transcript?: PlannedTranscript;
  /** Files that ffmpeg reads besides its inputs. */
  readonly texts?: readonly WrittenText[];
  /** One argv per pass, without the program name. Logical names only, no host paths. */
  readonly passes: readonly (readonly string[])[];
  /** What the run needs of a hardware device: its type and encoders, sorted. Absent if it uses none. */
  readonly devices?: readonly string[];
  /** Present if the first pass measures for filters. The second pass then contains placeholders: `measured_I=INPUT_I`. */
  readonly measuring?: MeasuringPass;
  /** Present if the plan only measures its inputs. It has no pass if nothing needs decoding. */
  readonly analysis?: PlannedAnalysis;
  readonly warnings: readonly Warning[];
  /** What rules threw that look for warnings. It is for the operator: the plan is right, and may lack a warning. Absent if nothing. */
  readonly faults?: readonly string[];
}

/** A plan as it concerns one of its outputs. */
export interface OutputPlan extends Omit<Plan, 'outputs'>, Omit<PlannedOutput, keyof OutputFiles | 'argv'> {
  readonly output: OutputFiles;
}

/** Returns the output with this index. */
export function outputOf({ outputs }: Plan, index: number): PlannedOutput {
  const output = outputs[index];
  if (output === undefined) throw new RangeError(`The plan has no output ${index}.`);
  return output;
}

/** Returns the plan as it concerns the output with this index: with the argv that would write only this output. */
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
  /** `dev:ino` of the file that was checked, or of each frame in a folder of frames. */
  readonly identities?: readonly string[];
}

/** What ffprobe found in an input that is joined with others. */
export interface ProbedInput extends Pick<MediaInfo, 'format' | 'streams'> {
  /** Whether the job has made sure of the length: it is exact, or missing because nothing tells it. */
  readonly hasExactLength?: true;
  /**
   * The time of the first packet of the video if reading begins at the `ss` of the input, or at its start: that of a key
   * frame at or before it. In seconds of the file's own timestamps, which may begin before 0. Absent if it is not known.
   */
  readonly keySeconds?: number;
  /** `keySeconds` of each copied part of a cut, in the order of the parts. */
  readonly keys?: readonly (number | undefined)[];
  /** What was measured for a cut. Absent before. */
  readonly measured?: readonly Interval[];
  /** Hashes of what decoders of the streams get before the first packet, by the index of the stream. Absent if they are not known. */
  readonly headers?: ReadonlyMap<number, string>;
}
