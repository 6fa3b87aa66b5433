import type { Warning } from '@telecine/contract/domain/plan.ts';

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

export interface RuleFacts {
  /** Such as `crf-bitrate-conflicts`. Clients see it, so it never changes. Unique within a set. Sets share it for the same mistake. */
  readonly id: string;
  /** Completes the sentence "It finds …" in one line: `an input of which nothing gets into the output`. */
  readonly finds: string;
  /** The rule runs only if the request has an option or a filter with one of these names: `['crf', 'scale']`. undefined: it always runs. */
  readonly about?: Iterable<string>;
  /** Ids of rules whose findings are dropped if this rule finds something: those findings say less about the mistake, or follow from it. */
  readonly supersedes?: readonly string[];
}

/** Finds requests that are valid, but probably not meant. `Context`: all data that the check may use. */
export interface Check<Context, Found extends Warning = Warning> extends RuleFacts {
  readonly find: (context: Context) => Found | readonly Found[] | undefined;
}

/** Indexes rules by `about`, so that a request runs only the rules about its own options and filters. */
export function ruleSet<Context, Found extends Warning = Warning>(rules: readonly Check<Context, Found>[]) {
  const about = new Map<string, number[]>();
  for (const [number, rule] of rules.entries())
    for (const name of rule.about ?? []) about.set(name, [...(about.get(name) ?? []), number]);
  const always: readonly boolean[] = rules.map((rule) => rule.about === undefined);
  const superseders = new Map<string, string[]>();
  for (const { id, supersedes = [] } of rules)
    for (const other of supersedes) superseders.set(other, [...(superseders.get(other) ?? []), id]);

  const dueFor = (names: Iterable<string>): readonly boolean[] => {
    const due = always.slice();
    for (const name of names) for (const number of about.get(name) ?? NONE) due[number] = true;
    return due;
  };

  return {
    rules,
    /**
     * Returns the findings in the order of the rules, without superseded ones. Each finding names its rule. A rule that throws finds
     * nothing, and `guard` reports the error.
     *
     * @param names The options and filters of the request. undefined: all rules run.
     */
    find(context: Context, guard: FaultGuard, names?: Iterable<string>): readonly Found[] {
      const due = names && dueFor(names);
      const found = new Map<string, readonly Found[]>();
      for (const [number, rule] of rules.entries()) {
        if (due?.[number] === false) continue;
        const own = guard(() => rule.find(context), undefined);
        const all = isList(own) ? own : own === undefined ? NONE : [own];
        if (all.length > 0) found.set(rule.id, all);
      }
      if (found.size === 0) return NONE;
      const isDropped = (id: string): boolean =>
        superseders.get(id)?.some((other) => found.has(other) && !isDropped(other)) === true;
      return [...found].flatMap(([rule, own]): readonly Found[] =>
        isDropped(rule) ? NONE : own.map((one) => ({ ...one, rule })),
      );
    },
  };
}

const NONE: readonly never[] = [];

const isList = <T>(one: T | readonly T[] | undefined): one is readonly T[] => Array.isArray(one);
