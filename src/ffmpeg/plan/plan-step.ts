import type { ConversionRequest } from '../../domain/conversion.ts';
import type { PathScope } from '../../domain/media-root.ts';
import type { Catalogue, MissingFacts } from '../catalogue/catalogue.ts';
import type { PlanFacts } from './plan-facts.ts';
import { type PlanForBuilds, planForBuilds } from './plan-for-builds.ts';
import { parseRequest } from './request/parse-request.ts';
import { findMissingFacts } from './required-facts.ts';

/** What is planned, as data. */
export interface PlanTask {
  readonly request: ConversionRequest;
  readonly scope: PathScope;
  readonly facts: Omit<PlanFacts, 'catalogue'>;
}

/** The catalogues to plan for. `unknown`: those that lack facts and cannot be queried; see `planForBuilds`. */
export interface PlanCatalogues {
  readonly known: readonly Catalogue[];
  readonly unknown: readonly Catalogue[];
}

/** The plan, or what the catalogues lack for it, by the index in `known`. Then the step is repeated with those facts. */
export type PlanStep =
  | { readonly planned: PlanForBuilds }
  | { readonly missing: readonly { readonly index: number; readonly facts: MissingFacts }[] };

/** Thrown if a plan takes longer, or more memory, than it may. */
export class PlanTooLarge extends Error {
  override readonly name = 'PlanTooLarge';
}

/** Plans a request. The function that it returns can be called again with more facts. All of it is pure. */
export function planSteps({ request, scope, facts }: PlanTask): (catalogues: PlanCatalogues) => PlanStep {
  const parsed = parseRequest(request, scope);
  return ({ known, unknown }) => {
    const missing = known.flatMap((catalogue, index) => {
      const lacks = findMissingFacts(parsed, catalogue);
      return lacks === undefined ? [] : [{ index, facts: lacks }];
    });
    if (missing.length > 0) return { missing };
    return { planned: planForBuilds(parsed, { known, unknown }, facts, { prefersQuiet: request.strict === true }) };
  };
}
