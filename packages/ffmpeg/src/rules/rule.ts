import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import type { ArgvOption } from '../plan/request/argv-option.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import type { MediaFacts } from './facts/media-facts.ts';
import type { ComparedPass } from './facts/pass.ts';

/** A request for one output, as the planner has read it. No file was opened. */
export interface RequestContext {
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly path: MediaPath;
  /** The field that names the format. undefined: only the extension of the output does. */
  readonly formatField: string | undefined;
  readonly catalogue: Catalogue;
  readonly twoPass: boolean;
  /** True if the client requested two passes of an encoder that has no two-pass mode. */
  readonly onePassOnly: boolean;
  /** The options of the whole request, including those for inputs. */
  readonly sharedOptions: readonly ArgvOption[];
  readonly opened: readonly ArgvInput[];
  /** The path of an output that is one image, such as `a.jpg`, which each frame overwrites. undefined: the output is not one image. */
  readonly singleImage: MediaPath | undefined;
}

/** The sources, the request and its result, which a dry run predicts. */
export interface ResultContext {
  readonly facts: MediaFacts;
  readonly pass: ComparedPass;
  /** True before the run: everything about the result is then predicted, and of its streams only video and audio. */
  readonly isPredicted: boolean;
}

/** A warning before its field is known. `key`: the option of the argv that it is about, such as `filter:v`, if it has no `field`. */
export type Finding = Warning & { readonly key?: string };

/** The result of a row: one finding, or a list of findings, which may be empty. */
export type Found = Finding | readonly Finding[];

/** A row of the table: what one look at a request, or one comparison of a result with its source, can find. */
export interface Rule {
  /** Completes the sentence "It finds …" in one line: `an input of which nothing gets into the output`. */
  readonly finds: string;
  /** The names of the options without which `plan` finds nothing. Absent: it also looks at what has no option. */
  readonly about?: readonly string[];
  /** Looks at a request, for what no result shows, or shows only after a long run. */
  readonly plan?: (context: RequestContext) => Found;
  /** Compares a result with its sources and the request. A dry run calls it with a prediction. */
  readonly result?: (context: ResultContext) => Found;
}

/** Rows by their ids. A reply lists the findings in the order of the rows. */
export type Rules = Readonly<Record<string, Rule>>;

/** Runs code that only explains a result, and returns `instead` if it throws: an explanation must not fail a successful job. */
export type FaultGuard = <T>(explain: () => T, instead: T) => T;

/** The maximum number of errors that one conversion reports: if one log line causes an error, many similar lines may follow. */
const MAX_REPORTS = 5;

/** Creates the guard of one conversion. It reports the first errors to `onFault`. */
export function faultGuard(onFault: (error: unknown) => void = () => undefined): FaultGuard {
  let faults = 0;
  return (explain, instead) => {
    try {
      return explain();
    } catch (error) {
      faults += 1;
      if (faults <= MAX_REPORTS) onFault(error);
      return instead;
    }
  };
}

type Place = Partial<Pick<Finding, 'field' | 'key' | 'options' | 'failsWith' | 'withoutVideo' | 'askedBy'>>;

/** Returns a function that creates findings with this code. */
const findingWith =
  (code: string) =>
  (message: string, fix: Hint, place: Place = {}): Finding => ({ ...place, code, message, fix });

export const noEffect = findingWith('NO_EFFECT');
export const unusualValue = findingWith('UNUSUAL_VALUE');
export const unusedInput = findingWith('UNUSED_INPUT');

/** What a result has instead of what its source has and the request asks for. */
interface Loss extends Place {
  /** What is lost or changed, in one or two words: `chapters`, `frame rate`. */
  readonly lost: string;
  readonly code: string;
  /** What the source has, or the request asks for. */
  readonly expected: string | number;
  /** What the result has. */
  readonly actual: string | number;
  readonly message: string;
  readonly fix?: Hint;
}

export const loss = (found: Loss): Finding => found;
