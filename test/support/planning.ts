import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { BucketGrant } from '../../packages/contract/src/domain/media-root.ts';
import { type OutputPlan, type Plan, planOfOutput } from '../../packages/contract/src/domain/plan.ts';
import type { FieldError } from '../../packages/contract/src/domain/problem.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { PlanFacts, PlanOrErrors } from '../../packages/ffmpeg/src/plan/plan-facts.ts';
import {
  draftOrPlan,
  type PlanForBuilds,
  type PlanTask,
  planForBuilds,
} from '../../packages/ffmpeg/src/plan/plan-step.ts';
import { type DraftedRequest, draftPlan, plan } from '../../packages/ffmpeg/src/plan/planner.ts';
import { parseRequest } from '../../packages/ffmpeg/src/plan/request/parse-request.ts';
import { mediaRoot } from './media-root.ts';
import { recordedCatalogue } from './recorded-catalogue.ts';
import { told } from './told.ts';

/** The media root that paths count from, unless a test passes another one. */
export const MEDIA_ROOT = '/srv/media';

/** The catalogue of the oldest recorded build. */
export const CATALOGUE = recordedCatalogue();

/** Plans large requests where it plans all others. */
export const ON_THE_LOOP = {
  ofRequest: async (_clientId: string, task: PlanTask, catalogues: readonly Catalogue[]) =>
    draftOrPlan(task, catalogues),
};

/** Plans a request that any of several builds may run. */
export const planForAll = (request: ConversionRequest, catalogues: readonly Catalogue[]): PlanForBuilds =>
  planForBuilds({ request, scope: mediaRoot(MEDIA_ROOT), facts: {} }, catalogues);

type Facts = Partial<PlanFacts> & { readonly root?: string; readonly grants?: readonly BucketGrant[] };

/** Plans a request as the service does. By default with `CATALOGUE` and without limits. */
export function planRequest(request: ConversionRequest, facts: Facts = {}): PlanOrErrors {
  const { root = MEDIA_ROOT, grants = [], catalogue = CATALOGUE, ...more } = facts;
  return plan(parseRequest(request, mediaRoot(root, grants)), { catalogue, ...more });
}

/** The first half of the plan of a request. */
export const draftRequest = (
  request: ConversionRequest,
  { root = MEDIA_ROOT, grants = [], catalogue = CATALOGUE, media: _, ...more }: Facts = {},
): DraftedRequest => draftPlan(parseRequest(request, mediaRoot(root, grants)), { catalogue, ...more });

/** The plan of a request that is valid, as it concerns its first output. */
export const validPlan = (request: ConversionRequest, facts: Facts = {}): OutputPlan =>
  planOfOutput(wholePlan(request, facts), 0);

/** The plan of a request that is valid. */
export function wholePlan(request: ConversionRequest, facts: Facts = {}): Plan {
  const result = planRequest(request, facts);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return { ...result.plan, warnings: told(result.plan.warnings) };
}

/** What is wrong with a request. Empty if it is valid. */
export function errorsOf(request: ConversionRequest, facts: Facts = {}): readonly FieldError[] {
  const result = planRequest(request, facts);
  return result.ok ? [] : told(result.errors);
}

/** What is wrong with a request, as `FIELD CODE`. */
export const errorCodesOf = (request: ConversionRequest, facts: Facts = {}): readonly string[] =>
  errorsOf(request, facts).map(({ field, code }) => `${field} ${code}`);

/** A request with one input and these options of the whole request. */
export const requestWith = (parameters: Parameters, output = 'b.mp4'): ConversionRequest => ({
  input: 'a.mp4',
  output,
  parameters,
});
