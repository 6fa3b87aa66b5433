import type { ClientLimits } from '../../domain/client-limits.ts';
import type { Plan, ProbedInput } from '../../domain/plan.ts';
import type { FieldError } from '../../domain/problem.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

/** The facts that a plan depends on, besides the request. */
export interface PlanFacts {
  readonly catalogue: Catalogue;
  /** The client's limits. Absent if there are none. */
  readonly policy?: ClientLimits;
  /**
   * The number of processors, which determines how many threads encoders start by default. Default: 0, with which no
   * thread limit is added to the argv.
   */
  readonly cores?: number;
  /**
   * What ffprobe found in the inputs, in the order of the request, for plans that join them. undefined for an input that is not
   * a file, and for one that nobody has looked into; its content is assumed.
   */
  readonly media?: readonly (ProbedInput | undefined)[];
}

export type PlanOrErrors =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };
