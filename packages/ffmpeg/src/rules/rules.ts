import type { Warning } from '@telecine/contract/domain/plan.ts';

/**
 * Runs code that only explains a result. If that code throws, its result is `instead`: a fault there must not end a job whose
 * conversion succeeded, or hide the true reason of one that failed.
 */
export type FaultGuard = <T>(explain: () => T, instead: T) => T;

/** A line that cannot be read may be followed by many of its kind. */
const MAX_REPORTS = 5;

/** Creates the guard of one conversion. It reports its first faults to `onFault`. */
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
  /**
   * Unique in a rule set, and stable: `crf-bitrate-conflicts`. Warnings, metrics and the documentation name the rule by it. Rules of
   * several sets with the same id find the same mistake.
   */
  readonly id: string;
  /** What the rule finds, in one line, as the end of "It finds …": `an input of which nothing gets into the output`. */
  readonly finds: string;
  /**
   * Names of options and filters: without one of them, the rule finds nothing, and is not run. Absent if it depends on something else.
   * An option and a filter with the same name count as one.
   */
  readonly about?: Iterable<string>;
  /** The rules whose findings are dropped if this one finds something: they say less about the same mistake, or follow from it. */
  readonly supersedes?: readonly string[];
}

/** A check that finds what is valid, but probably not meant. `Context` has all that it may look at. */
export interface Check<Context, Found extends Warning = Warning> extends RuleFacts {
  readonly find: (context: Context) => Found | readonly Found[] | undefined;
}

export interface RuleSet<Context, Found extends Warning = Warning> {
  readonly rules: readonly RuleFacts[];
  /**
   * What the rules find, in their order, without what others supersede. Each finding names its rule. A rule that throws finds nothing, and
   * `guard` reports it.
   *
   * @param names The options and filters of the request. Without them, all rules are run.
   */
  find(context: Context, guard: FaultGuard, names?: Iterable<string>): readonly Found[];
}

/** Indexes rules by what they are about. A request then runs only the rules that concern it. */
export function ruleSet<Context, Found extends Warning = Warning>(
  rules: readonly Check<Context, Found>[],
): RuleSet<Context, Found> {
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
    find(context, guard, names) {
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
