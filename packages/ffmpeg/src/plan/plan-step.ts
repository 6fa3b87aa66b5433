import type { ConversionRequest, OptionValue, Parameters } from '@telecine/contract/domain/conversion.ts';
import { deviceNeed } from '@telecine/contract/domain/devices.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import type { Plan, PlanDraft } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { releaseOrder } from '../catalogue/build.ts';
import { type Catalogue, componentKey, LIST_OF } from '../catalogue/catalogue.ts';
import { METRIC_FILTERS } from '../catalogue/changed-catalogue.ts';
import type { ComponentKind } from '../catalogue/component.ts';
import type { DraftFacts, InputFacts, PlanFacts, PlanOrErrors } from './plan-facts.ts';
import { type DraftedRequest, draftPlan, finishPlan } from './planner.ts';
import { namedOptions, type ParsedOption, type ParsedRequest, parseRequest } from './request/parse-request.ts';
import { requiredComponents } from './required-components.ts';

/** A request to plan, and what its plan depends on besides the catalogues. */
export interface PlanTask {
  readonly request: ConversionRequest;
  readonly scope: PathScope;
  readonly facts: Omit<PlanFacts, 'catalogue'>;
}

/** A request of whose inputs nothing is known yet. */
export interface DraftTask extends Omit<PlanTask, 'facts'> {
  readonly facts: Omit<DraftFacts, 'catalogue'>;
}

/** Planning exceeded its limit of time or memory. */
export class PlanTooLarge extends Error {
  override readonly name = 'PlanTooLarge';
}

/** The plan of a request for one of several builds, or its errors. */
export interface PlanForBuilds {
  readonly result: PlanOrErrors;
  /** What the job needs of its worker; see `needsOf`. Empty if no build accepts the request. */
  readonly needs: readonly string[];
}

/** The first half of the plan of a request for one of several builds. */
export interface DraftForBuilds {
  /** The draft for the newest build that accepts the request so far, or else the one with the fewest errors. Data without functions. */
  readonly draft: PlanDraft & Pick<DraftedRequest, 'errors'>;
  /** Plans the request with what was found in its inputs. Pure. */
  readonly finish: (media: InputFacts) => PlanForBuilds;
}

/**
 * Plans a request that any of several builds may run, for the newest build that accepts it. If no build accepts it, returns the shortest
 * list of errors. With `strict`, builds whose plan has no warnings come first. Pure.
 *
 * @param catalogues At least one.
 */
export const planForBuilds = (
  { facts: { media = [], ...facts }, ...task }: PlanTask,
  catalogues: readonly Catalogue[],
): PlanForBuilds => draftForBuilds({ ...task, facts }, catalogues).finish(media);

/** Makes the first half of a plan, as `planForBuilds` does. */
export function draftForBuilds({ request, scope, facts }: DraftTask, catalogues: readonly Catalogue[]): DraftForBuilds {
  const parsed = parseRequest(request, scope);
  const drafts = catalogues
    .toSorted((a, b) => releaseOrder(b.build, a.build))
    .map((catalogue) => draftPlan(parsed, { ...facts, catalogue }));
  const { inputs, outputs, probes, cutMode, errors } = fewestErrors(drafts);
  return {
    draft: { inputs, outputs, probes, errors, ...(cutMode && { cutMode }) },
    finish: (media) =>
      choosePlan(
        request,
        parsed,
        drafts.map((draft) => ({ draft, result: finishPlan(draft, media) })),
      ),
  };
}

/** A draft, and its plan if that needed no inspection of the inputs. Data without functions. */
export interface DraftOrPlan extends Pick<DraftForBuilds, 'draft'> {
  readonly planned?: PlanForBuilds;
}

/** Drafts a request. Plans it too, unless what is in its inputs matters and `task.facts.media` is absent. */
export function draftOrPlan(
  { facts: { media, ...facts }, ...task }: PlanTask,
  catalogues: readonly Catalogue[],
): DraftOrPlan {
  const { draft, finish } = draftForBuilds({ ...task, facts }, catalogues);
  const isKnown = media !== undefined || draft.probes.length === 0;
  return { draft, ...(isKnown && { planned: finish(media ?? []) }) };
}

interface FinishedDraft {
  readonly draft: DraftedRequest;
  readonly result: PlanOrErrors;
}

/** Chooses between the plans for several builds, the newest first. */
function choosePlan(
  request: ConversionRequest,
  parsed: ParsedRequest,
  finished: readonly FinishedDraft[],
): PlanForBuilds {
  const plans = finished.map(({ draft, result }) => ({ catalogue: draft.facts.catalogue, result }));
  const accepted = plans.flatMap(({ catalogue, result }) => (result.ok ? [{ catalogue, result }] : []));
  const quiet = request.strict === true ? accepted.find(({ result }) => result.plan.warnings.length === 0) : undefined;
  const chosen = quiet ?? accepted[0];
  if (chosen === undefined)
    return { result: fewestErrors(plans.flatMap(({ result }) => (result.ok ? [] : [result]))), needs: [] };
  const onDevice = deviceNeeds(chosen.result.plan);
  const rejecting = plans.flatMap(({ catalogue, result }) => (result.ok ? [] : [catalogue]));
  if (rejecting.length === 0) return { result: chosen.result, needs: onDevice };
  const accepting = accepted.map(({ catalogue }) => catalogue);
  const requirements = requirementsOf(parsed, chosen.result.plan, chosen.catalogue);
  const needs = new Set([...onDevice, ...needsOf(requirements, accepting, rejecting)]);
  return { result: chosen.result, needs: [...needs].sort() };
}

function fewestErrors<T extends { readonly errors: readonly FieldError[] }>(results: readonly T[]): T {
  const [best] = results.toSorted((a, b) => a.errors.length - b.errors.length);
  if (best === undefined) throw new Error('There is no build to plan for.');
  return best;
}

/** The work that every option, input or output adds besides its text, in characters. */
const EACH = 50;

/** Estimates the work of planning, in characters to check. Each output is checked with all shared options. */
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
  if (typeof value !== 'object') return String(value).length;
  let length = 0;
  for (const one of value) length += EACH + String(one).length;
  return length;
}

/** The number of characters of a build's key in a need. */
const KEY_LENGTH = 16;

/**
 * What a job needs of its worker: the requirements of its plan that all accepting builds meet and some rejecting build does not, such as
 * `encoder:libsvtav1`. If these do not explain every rejection, the job also needs one of the accepting builds: `build:KEY|KEY`.
 */
function needsOf(
  requirements: readonly string[],
  accepting: readonly Catalogue[],
  rejecting: readonly Catalogue[],
): readonly string[] {
  const needs = requirements.filter(
    (need) => accepting.every((one) => meetsNeed(one, need)) && rejecting.some((one) => !meetsNeed(one, need)),
  );
  const isExplained = rejecting.every((one) => needs.some((need) => !meetsNeed(one, need)));
  const builds = accepting.map(shortKey).sort().join('|');
  return isExplained ? needs : [...needs, `build:${builds}`];
}

/** True if a worker with this ffmpeg meets a need of a job. */
export function meetsNeed(catalogue: Catalogue, need: string): boolean {
  const separator = need.indexOf(':');
  const [kind, name] = [need.slice(0, separator), need.slice(separator + 1)];
  if (kind === 'option') return hasOption(catalogue, name);
  if (kind === 'speech') return catalogue.speech === true;
  if (kind === 'device') return catalogue.devices?.has(name) === true;
  if (kind === 'build') return name.split('|').includes(shortKey(catalogue));
  return kind in LIST_OF && catalogue.lists[LIST_OF[kind as ComponentKind]].has(name);
}

/** The components and options that a build must have for a plan. */
function requirementsOf(request: ParsedRequest, plan: Plan, catalogue: Catalogue): readonly string[] {
  const [{ inputs } = { inputs: [] }] = request.outputs;
  const encoders = plan.outputs
    .flatMap((output) => Object.values(output.encoders).flat())
    .filter((name) => name !== 'copy');
  return [
    ...plan.outputs.map(({ muxer }) => `muxer:${muxer}`),
    ...encoders.map((name) => `encoder:${name}`),
    ...deviceNeeds(plan),
    ...(plan.transcript === undefined ? [] : ['speech:model']),
    ...(plan.search === undefined ? [] : [`filter:${METRIC_FILTERS[plan.search.samples.metric]}`]),
    ...request.outputs
      .flatMap(requiredComponents(catalogue))
      .map(componentKey)
      .map((key) => key.replace('=', ':')),
    ...[...request.outputs, ...inputs].flatMap(({ options }) => namedOptions(options).flatMap(optionRequirements)),
  ];
}

/** What a plan needs of a hardware device, even if all workers have one: it runs few jobs at a time, so jobs wait for it. */
const deviceNeeds = ({ devices = [] }: Pick<Plan, 'devices'>): readonly string[] => devices.map(deviceNeed);

const hasOption = ({ cli, avOptions }: Catalogue, name: string): boolean => avOptions.has(name) || cli.has(name);

const shortKey = ({ build }: Catalogue): string => build.key.slice(0, KEY_LENGTH);

/** The need of a job that only workers with this build can run. */
export const buildNeed = (catalogue: Catalogue): string => `build:${shortKey(catalogue)}`;

const optionRequirements = ({ name, bitstreamFilters = [] }: ParsedOption): readonly string[] => [
  `option:${name.name}`,
  ...('error' in bitstreamFilters ? [] : bitstreamFilters.map((bsf) => `bsf:${bsf.name}`)),
];
