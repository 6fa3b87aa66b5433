import type { ConversionRequest, OptionValue, Parameters } from '@telecine/contract/domain/conversion.ts';
import { deviceNeed } from '@telecine/contract/domain/devices.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import type { Plan, PlanDraft } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { releaseOrder } from '../catalogue/build.ts';
import { type Catalogue, encoderNamed } from '../catalogue/catalogue.ts';
import { METRIC_FILTERS } from '../catalogue/changed-catalogue.ts';
import { COMPONENT_KINDS, type ComponentName } from '../catalogue/component.ts';
import type { DraftFacts, InputFacts, PlanFacts, PlanOrErrors } from './plan-facts.ts';
import { type DraftedRequest, draftPlan, finishPlan } from './planner.ts';
import {
  namedOptions,
  type OutputRequest,
  type ParsedOption,
  type ParsedRequest,
  parseRequest,
} from './request/parse-request.ts';
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
  /** The need for a worker with the build of the plan. Absent if no build accepts the request. */
  readonly buildNeed?: string;
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
 * list of errors. Pure.
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
  const newestFirst = catalogues.toSorted((a, b) => releaseOrder(b.build, a.build));
  const draftOf = rememberEach((catalogue: Catalogue) => draftPlan(parsed, { ...facts, catalogue }));
  const accepting = newestFirst.find((one) => draftOf(one).errors.length === 0);
  const chosen = accepting === undefined ? fewestErrors(newestFirst.map(draftOf)) : draftOf(accepting);
  const { inputs, outputs, probes, cutMode, errors } = chosen;
  return {
    draft: { inputs, outputs, probes, errors, ...(cutMode && { cutMode }) },
    finish: (media) => {
      const rejections: Rejection[] = [];
      for (const [index, catalogue] of newestFirst.entries()) {
        const result = finishPlan(draftOf(catalogue), media);
        if (!result.ok) {
          rejections.push(result);
          continue;
        }
        const requirements = requirementsOf(parsed, result.plan, catalogue);
        const needs = needsOf(deviceNeeds(result.plan), requirements, newestFirst, index);
        return { result, needs, buildNeed: buildNeed(catalogue) };
      }
      return { result: fewestErrors(rejections), needs: [] };
    },
  };
}

type Rejection = Extract<PlanOrErrors, { readonly ok: false }>;

function fewestErrors<T extends { readonly errors: readonly FieldError[] }>(results: readonly T[]): T {
  const [best] = results.toSorted((a, b) => a.errors.length - b.errors.length);
  if (best === undefined) throw new Error('There is no build to plan for.');
  return best;
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

/**
 * What a job needs of its worker: its devices, and what its plan requires and some build lacks, such as `encoder:libsvtav1`. If this does not
 * tell the build at `accepting` from the newer builds, which reject the request, the job also needs this build.
 */
function needsOf(
  devices: readonly string[],
  requirements: readonly string[],
  builds: readonly Catalogue[],
  accepting: number,
): readonly string[] {
  const lacked = requirements.filter((need) => builds.some((one) => !meetsNeed(one, need)));
  const needs = [...new Set([...devices, ...lacked])];
  const isExplained = builds.slice(0, accepting).every((one) => needs.some((need) => !meetsNeed(one, need)));
  const [build] = builds.slice(accepting);
  return (isExplained || build === undefined ? needs : [...needs, buildNeed(build)]).sort();
}

/** True if a worker with this ffmpeg meets a need of a job. */
export function meetsNeed(catalogue: Catalogue, need: string): boolean {
  const separator = need.indexOf(':');
  const [kind, name] = [need.slice(0, separator), need.slice(separator + 1)];
  if (kind === 'option') return catalogue.avOptions.has(name) || catalogue.cli.has(name);
  if (kind === 'speech') return catalogue.speech === true;
  if (kind === 'device') return catalogue.devices?.has(name) === true;
  if (kind === 'build') return need === buildNeed(catalogue);
  const component = COMPONENT_KINDS.find((one) => one === kind);
  return component !== undefined && catalogue.lists[`${component}s`].has(name);
}

/** The components and options that a request names, and the filters that its plan measures with. */
function requirementsOf(request: ParsedRequest, plan: Plan, catalogue: Catalogue): readonly string[] {
  const [{ inputs } = { inputs: [] }] = request.outputs;
  const options = [...request.outputs, ...inputs].flatMap((one) => namedOptions(one.options));
  return [
    ...plan.outputs.map(({ muxer }) => `muxer:${muxer}`),
    ...(plan.transcript === undefined ? [] : ['speech:model']),
    ...(plan.search === undefined ? [] : [`filter:${METRIC_FILTERS[plan.search.samples.metric]}`]),
    ...request.outputs
      .flatMap((output) => [...requiredComponents(catalogue)(output), ...namedEncoders(output, catalogue)])
      .map(({ kind, name }) => `${kind}:${name}`),
    ...options.flatMap(optionRequirements),
  ];
}

/** The encoders of the streams for which the request sets a codec. */
const namedEncoders = ({ options }: OutputRequest, catalogue: Catalogue): readonly ComponentName[] =>
  namedOptions(options).flatMap(({ name, value }) => {
    const encoder = name.name === 'c' && typeof value === 'string' ? encoderNamed(catalogue, value) : undefined;
    return encoder === undefined ? [] : [{ kind: 'encoder', name: encoder.name }];
  });

/** What a plan needs of a hardware device, even if all workers have one: it runs few jobs at a time, so jobs wait for it. */
const deviceNeeds = ({ devices = [] }: Pick<Plan, 'devices'>): readonly string[] => devices.map(deviceNeed);

/** The number of characters of a build's key in a need. */
const KEY_LENGTH = 16;

/** The need of a job that only workers with this build can run. */
export const buildNeed = ({ build }: Catalogue): string => `build:${build.key.slice(0, KEY_LENGTH)}`;

const optionRequirements = ({ name, bitstreamFilters = [] }: ParsedOption): readonly string[] => [
  `option:${name.name}`,
  ...('error' in bitstreamFilters ? [] : bitstreamFilters.map((bsf) => `bsf:${bsf.name}`)),
];
