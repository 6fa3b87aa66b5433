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

/** What names the format of an output: its extension, the field `format`, or the option `f`. */
export type FormatField = '/output' | '/format' | '/parameters/f';

/** The facts that the warnings about an output depend on, in the words of a rule. */
export interface RequestContext {
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly path: MediaPath;
  /** What names the format: the extension of the output, `format`, or the option `f`. */
  readonly formatField: FormatField;
  readonly catalogue: Catalogue;
  readonly twoPass: boolean;
  /** Whether the client requested two passes of an encoder that has no two-pass mode. */
  readonly onePassOnly: boolean;
  /** Every option of the whole request, for inputs too. */
  readonly sharedOptions: readonly ArgvOption[];
  /** Whether an option is for this output alone, and not for all of `outputs`. */
  readonly isOwn: (option: ArgvOption) => boolean;
  readonly opened: readonly ArgvInput[];
  /** The path of an output that is one image, which each frame replaces. undefined for any other output. */
  readonly singlePicture: MediaPath | undefined;
}

export interface RunContext<Pass = FinishedPass> {
  readonly facts: MediaFacts;
  readonly pass: Pass;
  readonly options: OptionFacts;
}

export type FileContext = RunContext<ForeseenPass>;

export interface ForeseenContext extends RunContext<ForeseenPass> {
  /** Whether each stream of the output is made of one stream of an input. It is not known what a filtergraph makes of its inputs. */
  readonly isDirect: boolean;
  /** The fields of the inputs that may have streams which ffmpeg takes or leaves out: that is not known. */
  readonly uncertain: ReadonlySet<string>;
}

export type CutContext = Pick<FileContext, 'facts' | 'pass'>;

type Findings<Found> = Found | readonly Found[] | undefined;

/** A warning before the run. `key` is the option of the argv that it is about, if it has no field of its own. */
export type ForeseenWarning = Warning & Pick<RunWarning, 'key'>;

export type RunFindings = Findings<RunWarning>;

/** A rule, with a finder for each phase in which it can find its mistake. */
export interface Rule extends Omit<RuleFacts, 'id'> {
  /** By the request alone: a format that contradicts the name of the output, from which other mistakes follow. */
  format?(context: RequestContext): Findings<Warning>;
  plan?(context: RequestContext): Findings<Warning>;
  /**
   * The same, of each option of the output that the rule is `about`. A finding is about that option. The outer function looks at the whole
   * request once: a request may have hundreds of such options.
   */
  option?(context: RequestContext): (option: ArgvOption) => Findings<Warning>;
  /** The same, of each filtergraph that a fix can replace. A finding is about its option. */
  writtenGraph?(graph: WrittenGraph, context: RequestContext): Findings<Warning>;
  /** Before the run, by the streams of the inputs. */
  streams?(context: ForeseenContext): Findings<ForeseenWarning>;
  /** Before the run, if the streams of the output are known too. */
  files?(context: ForeseenContext): Findings<ForeseenWarning>;
  run?(context: RunContext): RunFindings;
  filesAndRun?(context: FileContext): RunFindings;
  /** Runs for each filter in `about`, before and after the run. A finding points to the option that contains the graph. */
  filter?(at: PlacedFilter): RunFindings;
  /** Whether `filter` compares times with the lengths of inputs, so that it needs more than estimates of these before the run. */
  readonly comparesLengths?: true;
  /** Instead of `filter` before the run, if the lengths of inputs are estimates. */
  rough?(at: PlacedFilter): RunFindings;
  /** Before the run, of a cut whose parts are not known yet. */
  cut?(context: CutContext): Findings<ForeseenWarning>;
}

/** Rules by their ids. A reply has their findings in this order. */
export type Rules = Readonly<Record<string, Rule>>;
