import type { Caller } from '../../domain/client.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '../../domain/conversion.ts';
import { fileNames } from '../../domain/each-file.ts';
import { addIn, sendValue } from '../../domain/edit.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { Warning } from '../../domain/plan.ts';
import { type FieldError, hasEnough, invalidRequest, Problem } from '../../domain/problem.ts';
import { inSteps } from '../../domain/steps.ts';
import { type ApplyPreset, RequestProbes } from '../../recipes/apply-preset.ts';
import { findParents, tooDeep } from '../dependencies/parents.ts';
import type { BatchRequest } from '../operations.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { PathStats } from '../ports/path-stats.ts';
import type { ClientContext, InputMedia, PlanOfPaths, PlanResult } from '../ports/planner.ts';
import { type BatchOrder, orderBatch, requestField } from './batch-order.ts';
import { type CheckCallback, type CheckedRequest, checkRequest } from './check-request.ts';
import { outputPaths } from './expected-paths.ts';
import type { InputTimes } from './input-times.ts';
import { pathWarnings } from './path-warnings.ts';
import { type ProbeForClient, untilDeadline } from './probe-clips.ts';
import type { IsMet } from './select-fallback.ts';

const EACH_OUTPUT =
  'Send an output in another folder, or with another name, such as "{name}-new.mp4" with the extension that it has.';

export interface CheckedBatch<P extends PlanOfPaths> extends BatchOrder {
  /** For each request. */
  readonly checked: readonly CheckedRequest<P>[];
  /** For each request: the warnings about files, and about outputs that several requests have. */
  readonly pathWarnings: readonly (readonly Warning[])[];
}

/**
 * Checks all requests of a batch, each after those that it waits for, because their outputs may be its inputs. Throws
 * INVALID_REQUEST with the errors of all, or of the first that have more than a reply shows: fields begin with `/requests/INDEX`. A problem that may
 * pass ends the check. Between two requests, other clients have their turn.
 *
 * @param hangUp See `RequestProbes`.
 */
export async function checkBatch<P extends PlanOfPaths>(
  deps: {
    readonly planner: (
      request: ConversionRequest,
      context: ClientContext,
      media?: InputMedia,
    ) => MaybePromise<PlanResult<P>>;
    readonly media: PathStats;
    readonly jobs: Pick<JobStore, 'getMany'>;
    readonly checkCallback?: CheckCallback;
    readonly applyPreset?: ApplyPreset;
    readonly inputTimes?: InputTimes;
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
  if ('errors' in ordered) throw invalidRequest(ordered.errors);
  const { order, parents, ancestors, levels } = ordered.order;
  const errors: FieldError[] = [];
  const callbackError = callbackUrl && (await deps.checkCallback?.(caller.clientId, callbackUrl));
  if (callbackError) errors.push(callbackError);
  const stored = parents.map((ofRequest) => ofRequest.flatMap((parent) => ('jobId' in parent ? [parent] : [])));
  const found = await findParents(deps.jobs, caller.clientId, stored.flat());
  const ofAfter: FieldError[] = 'errors' in found ? [...found.errors] : [];
  const before = 'errors' in found ? undefined : found.parents;
  const storedOf = (index: number): readonly string[] =>
    [index, ...(ancestors[index] ?? [])].flatMap((one) => (stored[one] ?? []).map(({ jobId }) => jobId));
  const storedLevels: number[] = [];
  for (const index of order) {
    const own = (stored[index] ?? []).map(({ jobId }) => jobId);
    const ofParents = (parents[index] ?? []).map((parent) =>
      'index' in parent ? (storedLevels[parent.index] ?? 0) : 0,
    );
    storedLevels[index] = Math.max(before?.levels(own) ?? 0, ...ofParents);
    if (storedLevels[index] + (levels[index] ?? 0) > REQUEST_LIMITS.waitingLevels)
      ofAfter.push(tooDeep(`${requestField(requests, index)}/after`));
  }
  errors.push(...distinct(ofAfter));
  const checked: CheckedRequest<P>[] = [];
  /** The indexes, in the body, of the requests with errors. */
  const failed = new Set<number>();
  /** The names of segments and the like that recipes set for the first file of each "each". */
  const namesOfFirst = new Map<number, ReadonlyMap<string, string>>();
  const how = { ...deps, ...(probe && { probe }) };
  const probes = new RequestProbes(hangUp);
  // A request at the limits takes tens of milliseconds, and a batch has many.
  for await (const [index = 0] of inSteps(order, 1)) {
    const { request, file, index: source = index } = requests[index] ?? {};
    // What is wrong with one file of "each" is probably wrong with all of them.
    if (request === undefined || failed.has(source)) continue;
    if (hasEnough(errors)) break;
    const findExpected = (): ReadonlySet<MediaPath> =>
      new Set([
        ...(before?.unfinished(storedOf(index)) ?? []).flatMap((job) => outputPaths(job, caller.root)),
        ...[...(ancestors[index] ?? [])].flatMap((one) => (checked[one]?.plan.outputs ?? []).map(({ path }) => path)),
      ]);
    try {
      const found = await checkRequest(how, caller, request, { findExpected, probes });
      checked[index] = found;
      if (file === undefined || request.preset === undefined) continue;
      const names = fileNames(found.request);
      const first = namesOfFirst.get(source);
      namesOfFirst.set(source, first ?? names);
      const [, key] = [...names].find(([name]) => first?.has(name)) ?? [];
      if (key !== undefined) throw invalidRequest([sameFileNames(key, request)]);
    } catch (error) {
      if (!(error instanceof Problem) || error.errors.length === 0) throw error;
      const { code, message } = error;
      failed.add(source);
      const where = file === undefined ? '' : ` The file is ${JSON.stringify(file)}.`;
      const placed = error.errors.map((one) => ({
        ...one,
        field: `${requestField(requests, index)}${one.field}`,
        message: `${one.message}${where}`,
        // A path in the fix would be that of one file.
        ...(file !== undefined && one.code === 'OUTPUT_IS_INPUT' && { fix: EACH_OUTPUT }),
      }));
      if (code !== 'INVALID_REQUEST') throw new Problem(code, message, { errors: placed, cause: error });
      errors.push(...placed);
    }
  }
  if (errors.length > 0) throw invalidRequest(errors.toSorted(byRequest));
  const writers = firstWriters(checked.map(({ plan }) => plan));
  return {
    ...ordered.order,
    checked,
    pathWarnings: checked.map((one, index) => [
      ...pathWarnings(one).map((warning) => withOrder(warning, one, { writers, requests, index })),
      ...one.plan.outputs.flatMap((output) =>
        sameOutput(writers.get(output.path), { requests, index }, ancestors[index], output),
      ),
    ]),
  };
}

/** The error for segments that a recipe names, which all jobs of one "each" would write under the same names. */
function sameFileNames(key: string, { output, preset }: ConversionRequest): FieldError {
  const [, folder = '', extension = ''] = /^(.*\/)?[^/]*?(\.[^./]*)?$/s.exec(output ?? '') ?? [];
  return {
    field: output === undefined ? '/outputs' : '/output',
    code: 'NO_PLACEHOLDER',
    message: `All jobs of "each" would write the files of "${key}" under the same names, which the recipe "${preset?.name}" sets, in the folder of the output.`,
    fix:
      output === undefined
        ? 'Send outputs in a folder with "{name}", such as "hls/{name}/index.m3u8".'
        : sendValue(`${folder}{name}/index${extension}`),
  };
}

/** The errors without those that files of one "each" share. */
const distinct = (errors: readonly FieldError[]): readonly FieldError[] => [
  ...new Map(errors.map((error) => [JSON.stringify([error.field, error.code, error.message]), error])).values(),
];

const indexOf = ({ field }: FieldError): number => Number(/^\/requests\/(\d+)/.exec(field)?.[1] ?? -1);
const byRequest = (a: FieldError, b: FieldError): number => indexOf(a) - indexOf(b);

/** The first request that writes each path, by its index. */
type Writers = ReadonlyMap<MediaPath, number>;

function firstWriters(plans: readonly PlanOfPaths[]): Writers {
  const writers = new Map<MediaPath, number>();
  for (const [index, { outputs }] of plans.entries())
    for (const { path } of outputs) if (!writers.has(path)) writers.set(path, index);
  return writers;
}

/** The fix for a missing input that another request of the batch writes: to wait for it. */
function withOrder(
  warning: Warning,
  { plan }: Pick<CheckedRequest<PlanOfPaths>, 'plan'>,
  {
    writers,
    requests,
    index,
  }: {
    readonly writers: Writers;
    readonly requests: readonly BatchRequest[];
    readonly index: number;
  },
): Warning {
  if (warning.code !== 'INPUT_NOT_FOUND') return warning;
  const input = plan.inputs.find(({ field }) => field === warning.field);
  const writer = input && writers.get(input.path);
  if (writer === undefined || writer === index) return warning;
  const { name, file } = requests[writer] ?? {};
  const field = requestField(requests, writer);
  if (field === requestField(requests, index))
    return {
      ...warning,
      message: `${warning.message} The job for ${JSON.stringify(file)} writes it, and jobs of one "each" do not wait for each other.`,
      fix: 'Leave the file that needs it out of "each", and convert it when that job is complete.',
    };
  const message = `${warning.message} ${field} writes it, and this request does not wait for it.`;
  // Its jobs have no names.
  if (file !== undefined) return { ...warning, message, fix: 'Send this request when that job is complete.' };
  const own = requests[index]?.after ?? [];
  const named = name ?? `request-${writer}`;
  const after = [...own, named];
  return {
    ...warning,
    message,
    fix:
      name === undefined
        ? `Send "name": "${named}" in ${field}, and "after": ${JSON.stringify(after)} here.`
        : addIn('request', 'after', after),
  };
}

/** Warns if an earlier request of the batch writes the same output. */
function sameOutput(
  first: number | undefined,
  { requests, index }: { readonly requests: readonly BatchRequest[]; readonly index: number },
  ancestors: ReadonlySet<number> | undefined,
  { field, path, replace }: PlanOfPaths['outputs'][number],
): readonly Warning[] {
  if (first === undefined || first >= index || (replace && ancestors?.has(first) === true)) return [];
  const { file } = requests[first] ?? {};
  const place = requestField(requests, first);
  const files = [file, requests[index]?.file].map((one) => JSON.stringify(one));
  const message =
    file !== undefined && place === requestField(requests, index)
      ? `The jobs for ${files.join(' and ')} have the same output, "${path}".`
      : `${place} has the same output, "${path}"${file === undefined ? '' : `, for the file ${files[0]}`}.`;
  return [
    replace
      ? {
          field,
          code: 'SAME_OUTPUT',
          message: `${message} The one that ends last replaces it.`,
          // The jobs of "each" have no names.
          fix: file === undefined ? 'Send another output, or name that request in "after".' : 'Send another output.',
        }
      : {
          field,
          code: 'OUTPUT_EXISTS',
          message: `${message} The job that ends last fails with OUTPUT_EXISTS.`,
          fix: 'Send another output.',
        },
  ];
}
