import type { Caller } from '../../domain/client.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '../../domain/conversion.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Warning } from '../../domain/plan.ts';
import { type FieldError, invalidRequest, Problem } from '../../domain/problem.ts';
import type { ApplyPreset } from '../../recipes/apply-preset.ts';
import { RequestProbes } from '../../recipes/request-probes.ts';
import { findParents, tooDeep } from '../dependencies/parents.ts';
import type { BatchRequest } from '../operations.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { PathStats } from '../ports/path-stats.ts';
import type { ClientContext, InputMedia, PlanOfPaths, PlanResult } from '../ports/planner.ts';
import { type BatchOrder, orderBatch } from './batch-order.ts';
import { type CheckCallback, type CheckedRequest, checkRequest } from './check-request.ts';
import { outputPaths } from './expected-paths.ts';
import { pathWarnings } from './path-warnings.ts';
import { type ProbeForClient, untilDeadline } from './probe-clips.ts';
import type { IsMet } from './select-fallback.ts';
import type { InputSeconds } from './share-times.ts';

/** The most field errors of a reply. */
const MAX_ERRORS = 50;

export interface CheckedBatch<P extends PlanOfPaths> extends BatchOrder {
  /** For each request. */
  readonly checked: readonly CheckedRequest<P>[];
  /** For each request: the warnings about files, and about outputs that several requests have. */
  readonly pathWarnings: readonly (readonly Warning[])[];
}

/**
 * Checks all requests of a batch, each after those that it waits for, because their outputs may be its inputs. Throws
 * INVALID_REQUEST with the errors of all: fields begin with `/requests/INDEX`. A problem that may pass ends the check.
 *
 * @param hangUp See `RequestProbes`.
 */
export async function checkBatch<P extends PlanOfPaths>(
  deps: {
    readonly planner: (
      request: ConversionRequest,
      context: ClientContext,
      media?: InputMedia,
    ) => Promise<PlanResult<P>>;
    readonly media: PathStats;
    readonly jobs: Pick<JobStore, 'getMany'>;
    readonly checkCallback?: CheckCallback;
    readonly applyPreset?: ApplyPreset;
    readonly inputSeconds?: InputSeconds;
    /** See `checkRequest`. */
    readonly isMet?: IsMet;
    /** See `checkRequest`. */
    readonly probe?: ProbeForClient;
  },
  caller: Caller,
  requests: readonly BatchRequest[],
  callbackUrl?: string,
  hangUp?: AbortSignal,
): Promise<CheckedBatch<P>> {
  const probe = deps.probe && untilDeadline(deps.probe);
  const ordered = orderBatch(requests);
  if ('errors' in ordered) throw invalidRequest(ordered.errors.slice(0, MAX_ERRORS));
  const { order, parents, ancestors, levels } = ordered.order;
  const errors: FieldError[] = [];
  const callbackError = callbackUrl && (await deps.checkCallback?.(caller.clientId, callbackUrl));
  if (callbackError) errors.push(callbackError);
  const stored = parents.map((ofRequest) => ofRequest.flatMap((parent) => ('jobId' in parent ? [parent] : [])));
  const found = await findParents(deps.jobs, caller.clientId, stored.flat());
  if ('errors' in found) errors.push(...found.errors);
  const before = 'errors' in found ? undefined : found.parents;
  const storedOf = (index: number): readonly string[] =>
    [index, ...(ancestors[index] ?? [])].flatMap((one) => (stored[one] ?? []).map(({ jobId }) => jobId));
  for (const index of order)
    if ((before?.levels(storedOf(index)) ?? 0) + (levels[index] ?? 0) > REQUEST_LIMITS.waitingLevels)
      errors.push(tooDeep(`/requests/${index}/after`));
  const checked: CheckedRequest<P>[] = [];
  const how = { ...deps, probes: new RequestProbes(hangUp) };
  for (const index of order) {
    const { request } = requests[index] ?? {};
    if (request === undefined) continue;
    const findExpected = (): ReadonlySet<MediaPath> =>
      new Set([
        ...(before?.unfinished(storedOf(index)) ?? []).flatMap((job) => outputPaths(job, caller.root)),
        ...[...(ancestors[index] ?? [])].flatMap((one) => (checked[one]?.plan.outputs ?? []).map(({ path }) => path)),
      ]);
    try {
      checked[index] = await checkRequest({ ...how, ...(probe && { probe }) }, caller, request, findExpected);
    } catch (error) {
      if (!(error instanceof Problem) || error.errors.length === 0) throw error;
      const { code, message } = error;
      const placed = error.errors.map((one) => ({ ...one, field: `/requests/${index}${one.field}` }));
      if (code !== 'INVALID_REQUEST') throw new Problem(code, message, { errors: placed, cause: error });
      errors.push(...placed);
    }
  }
  if (errors.length > 0) throw invalidRequest(errors.toSorted(byRequest).slice(0, MAX_ERRORS));
  const outputs = checked.flatMap(({ plan }, request) => plan.outputs.map((output) => ({ ...output, request })));
  return {
    ...ordered.order,
    checked,
    pathWarnings: checked.map((one, index) => [
      ...pathWarnings(one).map((warning) => withOrder(warning, one, { outputs, requests, index })),
      ...outputs
        .filter(({ request }) => request === index)
        .flatMap((output) => sameOutput(outputs, ancestors[index] ?? new Set(), output)),
    ]),
  };
}

const indexOf = ({ field }: FieldError): number => Number(/^\/requests\/(\d+)/.exec(field)?.[1] ?? -1);
const byRequest = (a: FieldError, b: FieldError): number => indexOf(a) - indexOf(b);

type OutputOfRequest = PlanOfPaths['outputs'][number] & {
  /** The index of its request. */
  readonly request: number;
};

/** The fix for a missing input that another request of the batch writes: to wait for it. */
function withOrder(
  warning: Warning,
  { plan }: Pick<CheckedRequest<PlanOfPaths>, 'plan'>,
  {
    outputs,
    requests,
    index,
  }: {
    readonly outputs: readonly OutputOfRequest[];
    readonly requests: readonly BatchRequest[];
    readonly index: number;
  },
): Warning {
  const input = plan.inputs.find(({ field }) => field === warning.field);
  const writer = warning.code === 'INPUT_NOT_FOUND' && outputs.find(({ path }) => path === input?.path)?.request;
  if (typeof writer !== 'number' || writer === index) return warning;
  const { name } = requests[writer] ?? {};
  const own = requests[index]?.after ?? [];
  const after = `"after": ${JSON.stringify([...own, name ?? `request-${writer}`])}`;
  return {
    ...warning,
    message: `${warning.message} /requests/${writer} writes it, and this request does not wait for it.`,
    fix:
      name === undefined
        ? `Send "name": "request-${writer}" in /requests/${writer}, and ${after} here.`
        : `Send ${after}.`,
  };
}

/** Warns if an earlier request of the batch writes the same output. */
function sameOutput(
  outputs: readonly OutputOfRequest[],
  ancestors: ReadonlySet<number>,
  { field, path, replace, request }: OutputOfRequest,
): readonly Warning[] {
  const first = outputs.find((other) => other.request !== request && other.path === path)?.request;
  if (first === undefined || first > request || (replace && ancestors.has(first))) return [];
  const message = `/requests/${first} has the same output, "${path}".`;
  return [
    replace
      ? {
          field,
          code: 'SAME_OUTPUT',
          message: `${message} The one that ends last replaces it.`,
          fix: `Send another output, or name that request in "after".`,
        }
      : {
          field,
          code: 'OUTPUT_EXISTS',
          message: `${message} The job that ends last fails with OUTPUT_EXISTS.`,
          fix: 'Send another output.',
        },
  ];
}
