import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import type { ArgvOption } from '../plan/request/argv-option.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import type { FinishedPass, ForeseenPass } from './facts/finished-pass.ts';
import type { MediaFacts } from './facts/media-facts.ts';
import type { OptionFacts } from './facts/option-facts.ts';
import type { PlacedFilter } from './facts/placed-filter.ts';
import type { WrittenGraph } from './facts/written-graphs.ts';
import type { RuleFacts } from './rules.ts';

/** The field that names the format of an output: the extension in `output`, the field `format`, or the option `f`. */
export type FormatField = '/output' | '/format' | '/parameters/f';

export interface RequestContext {
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly path: MediaPath;
  readonly formatField: FormatField;
  readonly catalogue: Catalogue;
  readonly twoPass: boolean;
  /** True if the client requested two passes of an encoder that has no two-pass mode. */
  readonly onePassOnly: boolean;
  /** The options of the whole request, including those for inputs. */
  readonly sharedOptions: readonly ArgvOption[];
  /** True if an option belongs to this element of `outputs`. False if the request sends it once for all outputs. */
  readonly isOwn: (option: ArgvOption) => boolean;
  readonly opened: readonly ArgvInput[];
  /** The path of an output that is one image, such as `a.jpg`, which each frame overwrites. undefined: the output is not one image. */
  readonly singleImage: MediaPath | undefined;
}

export interface RunContext<Pass = FinishedPass> {
  readonly facts: MediaFacts;
  readonly pass: Pass;
  readonly options: OptionFacts;
}

export type FileContext = RunContext<ForeseenPass>;

export interface ForeseenContext extends RunContext<ForeseenPass> {
  /** True if the source of each output stream is known. False if a complex graph reads inputs: only the run shows what it writes. */
  readonly isDirect: boolean;
  /** The fields (`/inputs/1`) of inputs with streams besides video and audio. Only the run shows whether ffmpeg uses such streams. */
  readonly uncertain: ReadonlySet<string>;
}

export type CutContext = Pick<FileContext, 'facts' | 'pass'>;

type RequestCode = 'NO_EFFECT' | 'OTHER_VALUE' | 'UNUSUAL_VALUE' | 'UNUSED_INPUT' | 'UNUSED_STREAM' | 'NOT_ENCRYPTED';
type StreamCode = 'EMPTY_STREAM' | 'DECODE_ERRORS' | 'SOUND_LEFT_OUT' | 'COVER_AS_VIDEO' | 'VIDEO_IN_SOUND_FILE';
type TimeCode = 'SHORT_OUTPUT' | 'LONG_OUTPUT' | 'LARGE_OUTPUT' | 'CUT_OFF' | 'UNEQUAL_LENGTHS' | 'OUT_OF_SYNC';
type AudioCode = 'LOUDNESS_MISSED' | 'SAMPLE_RATE_CHANGED' | 'BITS_LOST' | 'CHANNELS_LOST' | 'EXTRA_CHANNELS';
type FrameCode = 'LAST_FRAME' | 'FRAMES_REPEATED' | 'FRAMES_DROPPED' | 'FRAME_RATE_CHANGED' | 'INTERLACED';
type SizeCode = 'SIZE_CHANGED' | 'SQUEEZED' | 'ROTATED_TWICE' | 'ROTATION_LOST' | 'NON_SQUARE_PIXELS';
type ColourCode = 'PIXEL_FORMAT_CHANGED' | 'HDR_LOST' | 'FONT_REPLACED';
type PlayerCode = 'FEW_PLAYERS' | 'UNPLAYABLE_CODEC' | 'LEVEL_EXCEEDED';
type SegmentCode = 'LONG_SEGMENTS' | 'PARTIAL_PLAYLIST' | 'SAME_BANDWIDTH';
type VideoCode = FrameCode | SizeCode | ColourCode | PlayerCode | SegmentCode;

/** The codes of the warnings about a run. docs/api/warnings.md explains them. */
export type RunWarningCode = RequestCode | StreamCode | TimeCode | AudioCode | VideoCode;

export interface RunWarning extends Warning {
  /** The argv option that the warning is about, such as `filter:v`. Set if the warning has no field. */
  readonly key?: string;
  readonly code: RunWarningCode;
}

/** Returns a function that creates warnings with this code. `more`: other members, such as the field or key. */
const findingWith =
  (code: RunWarningCode) =>
  (message: string, fix: Hint, more: Partial<RunWarning> = {}): RunWarning => ({ ...more, code, message, fix });

export const coverAsVideo = findingWith('COVER_AS_VIDEO');
export const emptyStream = findingWith('EMPTY_STREAM');
export const framesRepeated = findingWith('FRAMES_REPEATED');
export const lastFrame = findingWith('LAST_FRAME');
export const noEffect = findingWith('NO_EFFECT');
export const otherValue = findingWith('OTHER_VALUE');
export const outOfSync = findingWith('OUT_OF_SYNC');
export const pixelFormatChanged = findingWith('PIXEL_FORMAT_CHANGED');
export const shortOutput = findingWith('SHORT_OUTPUT');
export const unequalLengths = findingWith('UNEQUAL_LENGTHS');
export const unusedInput = findingWith('UNUSED_INPUT');
export const unusualValue = findingWith('UNUSUAL_VALUE');

type Findings<Found> = Found | readonly Found[] | undefined;

/** A warning before the run. If it has no `field`, `key` names its argv option: `filter:v`. */
export type ForeseenWarning = Warning & Pick<RunWarning, 'key'>;

export type RunFindings = Findings<RunWarning>;

/** Finds one kind of mistake. Each method is a finder for one phase: the check of the request, before the run, or after the run. */
export interface Rule extends Omit<RuleFacts, 'id'> {
  /** Runs on the request. Finds a `format` that contradicts the extension of `output` and may cause other warnings (`withoutEffects`). */
  format?(context: RequestContext): Findings<Warning>;
  plan?(context: RequestContext): Findings<Warning>;
  /**
   * Runs on the request as a whole, and returns a function that runs on each option that `about` names: a request may have hundreds of
   * `metadata` options. A finding without a field gets the field of the option.
   */
  option?(context: RequestContext): (option: ArgvOption) => Findings<Warning>;
  /** Runs on the request, for each option with exactly one filtergraph. A finding without a field gets the field of the option. */
  writtenGraph?(graph: WrittenGraph, context: RequestContext): Findings<Warning>;
  /** Runs before the run, if the streams of the inputs are known. */
  streams?(context: ForeseenContext): Findings<ForeseenWarning>;
  /** Runs before the run, if the streams of the inputs and of the output are known. */
  files?(context: ForeseenContext): Findings<ForeseenWarning>;
  run?(context: RunContext): RunFindings;
  filesAndRun?(context: FileContext): RunFindings;
  /** Runs for each filter that `about` names, before and after the run. A finding points to the option that contains the graph. */
  filter?(at: PlacedFilter): RunFindings;
  /** Like `filter`, but compares times with lengths of inputs, so it does not run before the run if a length is only an estimate. */
  lengths?(at: PlacedFilter): RunFindings;
  /** Runs before the run for each filter that `about` names, if the length of an input is only an estimate. */
  rough?(at: PlacedFilter): RunFindings;
  /** Runs before a job with `cut`, when the parts that the cut keeps are not measured yet. */
  cut?(context: CutContext): Findings<ForeseenWarning>;
}

/** Rules by their ids. A reply lists the findings in the order of the rules. */
export type Rules = Readonly<Record<string, Rule>>;
