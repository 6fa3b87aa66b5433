import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Plan, ProbedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

/** What a plan depends on besides the request. */
export interface PlanFacts {
  readonly catalogue: Catalogue;
  readonly policy?: ClientLimits;
  /** The number of processors, which determines how many threads encoders start. Default: 0, so no thread limit is added. */
  readonly cores?: number;
  /** What ffprobe found in the inputs, in the order of the request. undefined: not probed, so the plan assumes its content. */
  readonly media?: readonly (ProbedInput | undefined)[];
  /** True if the plan shall say how it runs in chunks. */
  readonly chunks?: boolean;
}

/** What the first half of planning depends on. */
export type DraftFacts = Omit<PlanFacts, 'media'>;

/** See `PlanFacts`. Empty: nothing was probed. */
export type InputFacts = NonNullable<PlanFacts['media']>;

export type PlanOrErrors =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly errors: readonly FieldError[] };
