import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import type { ArgvOption } from '../plan/request/argv-option.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './facts/finished-pass.ts';
import type { MediaFacts } from './facts/media-facts.ts';
import type { OptionFacts } from './facts/option-facts.ts';
import type { PlacedFilter } from './facts/placed-filter.ts';
import type { WrittenGraph } from './facts/written-graphs.ts';
import type { RuleFacts } from './rules.ts';

/** The field that names the format of an output: the extension in `output`, the field `format`, or the option `f`. */
export type FormatField = '/output' | '/format' | '/parameters/f';

/** All facts about a request that a rule may use to warn about an output. */
export interface RequestContext {
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly path: MediaPath;
  /** The field that names the format of the output. */
  readonly formatField: FormatField;
  readonly catalogue: Catalogue;
  readonly twoPass: boolean;
  /** True if the client requested two passes of an encoder that has no two-pass mode. */
  readonly onePassOnly: boolean;
  /** Every option of the whole request. Includes the options of inputs. */
  readonly sharedOptions: readonly ArgvOption[];
  /** True if an option is for this output only, and not for all `outputs`. */
  readonly isOwn: (option: ArgvOption) => boolean;
  readonly opened: readonly ArgvInput[];
  /** The path of an output that is one image. Each frame replaces this image. undefined: the output is not one image. */
  readonly singleImage: MediaPath | undefined;
}

export interface RunContext<Pass = FinishedPass> {
  readonly facts: MediaFacts;
  readonly pass: Pass;
  readonly options: OptionFacts;
}

export type FileContext = RunContext<ForeseenPass>;

export interface ForeseenContext extends RunContext<ForeseenPass> {
  /** True if each known output stream comes from one input stream. False if a filtergraph reads a stream: its output is not predictable. */
  readonly isDirect: boolean;
  /** The fields of the inputs from which ffmpeg may or may not use streams. This is unknown before the run. */
  readonly uncertain: ReadonlySet<string>;
}

export type CutContext = Pick<FileContext, 'facts' | 'pass'>;

type Findings<Found> = Found | readonly Found[] | undefined;

/** A warning before the run. `key` is the option of the argv that the warning is about. It is set if the warning has no field. */
export type ForeseenWarning = Warning & Pick<RunWarning, 'key'>;

export type RunFindings = Findings<RunWarning>;

/** A rule that finds one kind of mistake. It has a finder for each phase in which it can find this mistake. */
export interface Rule extends Omit<RuleFacts, 'id'> {
  /** Runs on the request alone. Finds a format that contradicts the name of the output. Other mistakes follow from this one. */
  format?(context: RequestContext): Findings<Warning>;
  plan?(context: RequestContext): Findings<Warning>;
  /**
   * Runs on the request, for each option of the output in `about`. A finding points to that option. The outer function looks at the whole
   * request only one time, because a request may have hundreds of such options.
   */
  option?(context: RequestContext): (option: ArgvOption) => Findings<Warning>;
  /** Runs on the request, for each filtergraph that a fix can replace. A finding points to the option that contains the graph. */
  writtenGraph?(graph: WrittenGraph, context: RequestContext): Findings<Warning>;
  /** Runs before the run, if the streams of the inputs are known. */
  streams?(context: ForeseenContext): Findings<ForeseenWarning>;
  /** Runs before the run, if the streams of the inputs and of the output are known. */
  files?(context: ForeseenContext): Findings<ForeseenWarning>;
  run?(context: RunContext): RunFindings;
  filesAndRun?(context: FileContext): RunFindings;
  /** Runs for each filter in `about`, before and after the run. A finding points to the option that contains the graph. */
  filter?(at: PlacedFilter): RunFindings;
  /** True if `filter` compares times with the lengths of inputs. Before the run, `filter` then needs exact lengths, not estimates. */
  readonly comparesLengths?: true;
  /** Replaces `filter` before the run, if the lengths of inputs are estimates. */
  rough?(at: PlacedFilter): RunFindings;
  /** Runs before the run of a cut, while the parts that the cut keeps are unknown. */
  cut?(context: CutContext): Findings<ForeseenWarning>;
}

/** Rules by their ids. A reply lists the findings in the order of the rules. */
export type Rules = Readonly<Record<string, Rule>>;
