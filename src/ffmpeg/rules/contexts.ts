import type { MediaPath } from '../../domain/media-path.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import type { ArgvOption } from '../plan/request/argv-option.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './facts/finished-pass.ts';
import type { ArgvGraph, MediaFacts } from './facts/media-facts.ts';
import type { OptionFacts } from './facts/option-facts.ts';

/** What names the format of an output: its extension, the field `format`, or the option `f`. */
export type FormatField = '/output' | '/format' | '/parameters/f';

/** The facts that the warnings about an output depend on, in the words of a rule. */
export interface WarningContext {
  /** The options of the output. */
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  /** The path of the output. */
  readonly path: MediaPath;
  /** What names the format: the extension of the output, `format`, or the option `f`. */
  readonly formatField: FormatField;
  readonly catalogue: Catalogue;
  readonly twoPass: boolean;
  /** Whether the client requested two passes of an encoder that has no two-pass mode. */
  readonly onePassOnly: boolean;
  /** Every option of the whole request, those for inputs too. */
  readonly sharedOptions: readonly ArgvOption[];
  /** Whether an option is for this output alone, and not for all of `outputs`. */
  readonly isOwn: (option: ArgvOption) => boolean;
  /** The inputs that ffmpeg opens. */
  readonly opened: readonly ArgvInput[];
  /** The path of an output that is one picture, which each frame replaces. undefined for any other output. */
  readonly singlePicture: MediaPath | undefined;
}

/** What the rules about a run look at. */
export interface RunContext<Pass = FinishedPass> {
  readonly facts: MediaFacts;
  readonly pass: Pass;
  readonly options: OptionFacts;
}

/** What the rules about a run that has not started look at. */
export interface ForeseenContext extends RunContext<ForeseenPass> {
  /** Whether each stream of the output is made of one stream of an input. Of what a filtergraph reads, it is not known what becomes of it. */
  readonly isDirect: boolean;
  /** The fields of the inputs that may have streams of which it is not known whether ffmpeg takes them. */
  readonly uncertain: ReadonlySet<string>;
}

type Filter = ArgvGraph['filters'][number];
/** Returns the warning about one filter, without its field. */
export type FilterCheck = (facts: MediaFacts, graph: ArgvGraph, filter: Filter) => RunWarning | undefined;
