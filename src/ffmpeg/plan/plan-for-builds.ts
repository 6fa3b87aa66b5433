import { releaseOrder } from '../catalogue/build.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { offerOf } from '../catalogue/with-devices.ts';
import { deviceNeeds, needsOf, requirementsOf } from './needs.ts';
import type { PlanFacts, PlanOrErrors } from './plan-facts.ts';
import { plan } from './planner.ts';
import type { ParsedRequest } from './request/parse-request.ts';

/** The plan of a request for one of several builds, or the errors in the request. */
export interface PlanForBuilds {
  readonly result: PlanOrErrors;
  /** What the job needs of its worker: see `needsOf`. Empty if no build runs it. */
  readonly needs: readonly string[];
}

/**
 * Plans a request for several builds, any of which may run it. The request is valid if at least one build runs all of it;
 * then the plan is that of the newest such build. Otherwise the errors are those of the build with the fewest, and of
 * several such builds of the newest. With `prefersQuiet`, a build whose plan has no warnings comes before newer ones.
 *
 * @param catalogues `known`: those with all facts that the request needs; at least one. `unknown`: others, whose builds
 *   count as if they rejected the request.
 */
export function planForBuilds(
  request: ParsedRequest,
  { known, unknown }: { readonly known: readonly Catalogue[]; readonly unknown: readonly Catalogue[] },
  facts: Omit<PlanFacts, 'catalogue'>,
  { prefersQuiet = false } = {},
): PlanForBuilds {
  const plans = known
    .toSorted((a, b) => releaseOrder(b.build, a.build))
    .map((catalogue) => ({ catalogue, result: plan(request, { ...facts, catalogue }) }));
  const accepting = plans.flatMap(({ catalogue, result }) =>
    result.ok ? [{ catalogue, result, warnings: result.plan.warnings.length }] : [],
  );
  const chosen = (prefersQuiet ? accepting.find(({ warnings }) => warnings === 0) : undefined) ?? accepting[0];
  if (chosen === undefined) return { result: fewestErrors(plans.map(({ result }) => result)), needs: [] };
  // Two versions of Telecine may know one build differently. Its workers meet the same needs.
  const offers = new Set(accepting.map(({ catalogue }) => offerOf(catalogue)));
  const rejecting = [...plans.filter(({ result }) => !result.ok).map(({ catalogue }) => catalogue), ...unknown].filter(
    (catalogue) => !offers.has(offerOf(catalogue)),
  );
  const onDevice = deviceNeeds(chosen.result.plan);
  if (rejecting.length === 0) return { result: chosen.result, needs: onDevice };
  const requirements = requirementsOf(request, chosen.result.plan, chosen.catalogue);
  return {
    result: chosen.result,
    needs: [
      ...new Set([
        ...onDevice,
        ...needsOf(
          requirements,
          accepting.map(({ catalogue }) => catalogue),
          rejecting,
        ),
      ]),
    ].sort(),
  };
}

function fewestErrors(results: readonly PlanOrErrors[]): PlanOrErrors {
  const [first, ...others] = results;
  if (first === undefined) throw new Error('There is no build to plan for.');
  return others.reduce((best, one) => (errorsIn(one) < errorsIn(best) ? one : best), first);
}

const errorsIn = (result: PlanOrErrors): number => (result.ok ? 0 : result.errors.length);
