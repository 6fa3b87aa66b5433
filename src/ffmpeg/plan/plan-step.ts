import type { ConversionRequest, OptionValue, Parameters } from '../../domain/conversion.ts';
import type { PathScope } from '../../domain/media-root.ts';
import { releaseOrder } from '../catalogue/build.ts';
import type { Catalogue, MissingFacts } from '../catalogue/catalogue.ts';
import { offerOf } from '../catalogue/changed-source.ts';
import { deviceNeeds, needsOf, requirementsOf } from './needs.ts';
import type { PlanFacts, PlanOrErrors } from './plan-facts.ts';
import { plan } from './planner.ts';
import { type ParsedRequest, parseRequest } from './request/parse-request.ts';
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

/** What an option, an input or an output costs besides its characters, in characters. */
const EACH = 50;

/**
 * Estimates the work of planning a request, in characters that are checked: each output is planned with all options that it
 * shares, and with all inputs.
 */
export function planningWork({ inputs = [], outputs, parameters, fallback }: ConversionRequest): number {
  let shared = workOf(parameters) + workOf(fallback);
  for (const one of inputs) {
    shared += EACH;
    if (typeof one === 'string') shared += one.length;
    else shared += workOf(one.parameters) + (one.input ?? one.source ?? '').length;
  }
  if (outputs === undefined) return shared;
  let work = 0;
  for (const { parameters: own, fallback: other } of outputs) work += EACH + shared + workOf(own) + workOf(other);
  return work;
}

function workOf(parameters: Parameters | undefined): number {
  let work = 0;
  for (const name in parameters) work += EACH + name.length + lengthOf(parameters[name] ?? '');
  return work;
}

function lengthOf(value: OptionValue): number {
  if (typeof value === 'string') return value.length;
  let length = 0;
  for (const one of value) length += EACH + one.length;
  return length;
}
