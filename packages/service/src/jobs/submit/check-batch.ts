import type { Caller } from '@telecine/contract/domain/client.ts';
import { type ConversionRequest, REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { fileNames } from '@telecine/contract/domain/each-file.ts';
import { addIn } from '@telecine/contract/domain/edit.ts';
import { hiddenPartErrors } from '@telecine/contract/domain/hidden-parts.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, hasEnough, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';
import type { RequestProbes } from '../../recipes/request-probes.ts';
import type { PlanOfPaths } from '../ports/ffmpeg.ts';
import type { JobStore } from '../ports/job-store.ts';
import { type CheckDeps, type CheckedRequest, checkRequest } from './check-request.ts';
import { JOB_ID } from './new-job-id.ts';
import { findParents, outputPaths, tooDeep } from './parents.ts';
import { readingTime } from './probed-plans.ts';
import { pathWarnings } from './request-warnings.ts';

/** One request of a batch. Its `after` is not in `request`, because here it may contain names of other requests. */
export interface BatchRequest {
  readonly name?: string;
  /** What this request waits for: names of other requests of the batch, and ids of jobs. */
  readonly after?: readonly string[];
  readonly request: ConversionRequest;
  /**
   * The index of this request in the request body. All requests that one `each` creates have the index of that `each`.
   * Default: the index in the list.
   */
  readonly index?: number;
  /** The file that this request converts, if an `each` created it. */
  readonly file?: string;
}

/** The parts of a request that determine the order of a batch. */
export type NamedRequest = Pick<BatchRequest, 'name' | 'after' | 'index'>;

/** The JSON Pointer of a request in the body. */
export const requestField = (requests: readonly Pick<NamedRequest, 'index'>[], at: number): string =>
  `/requests/${requests[at]?.index ?? at}`;

/** The order of a batch: which requests wait for which. */
interface BatchOrder {
  /** The indexes of all requests. Parents come before their dependents. */
  readonly order: readonly number[];
  /** For each request, the parents in its `after`. A parent is a request of the batch or a job. */
  readonly parents: readonly (readonly BatchParent[])[];
  /** For each request, the indexes of its direct and indirect parents in the batch. */
  readonly ancestors: readonly ReadonlySet<number>[];
  /**
   * For each request, the length of the longest chain of requests that it waits for. 0: it waits for no other request
   * of the batch.
   */
  readonly levels: readonly number[];
}

type BatchParent = { readonly field: string } & ({ readonly index: number } | { readonly jobId: string });

/**
 * Orders the requests of a batch. Returns errors for repeated names, unknown names, and requests that wait for each
 * other in a circle.
 */
export function orderBatch(
  requests: readonly NamedRequest[],
): { readonly order: BatchOrder } | { readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const byName = new Map<string, number>();
  for (const [index, { name }] of requests.entries())
    if (name !== undefined) {
      const first = byName.get(name);
      if (first === undefined) byName.set(name, index);
      else errors.push(repeatedName(name, requestField(requests, index), requestField(requests, first)));
    }
  const names = [...byName.keys()];
  /** The fields of unknown names, so that each is reported once: all requests of one "each" have the same `after`. */
  const unknown = new Set<string>();
  const parents = requests.map(({ after = [] }, index) =>
    after.flatMap((text, at): BatchParent[] => {
      const field = `${requestField(requests, index)}/after/${at}`;
      const other = byName.get(text);
      if (other !== undefined) return [{ field, index: other }];
      if (JOB_ID.test(text)) return [{ field, jobId: text.toLowerCase() }];
      if (!unknown.has(field) && !hasEnough(errors)) errors.push(unknownName(field, text, names));
      unknown.add(field);
      return [];
    }),
  );
  if (errors.length > 0) return { errors };
  const indexes = parents.map((own) => own.flatMap((parent) => ('index' in parent ? [parent.index] : [])));
  const indexesOf = (index: number): readonly number[] => indexes[index] ?? [];
  const order = sort(requests.length, indexesOf);
  if (order.length < requests.length) return { errors: [circleError(requests, parents, order)] };
  const ancestors: Set<number>[] = requests.map(() => new Set());
  const levels = requests.map(() => 0);
  for (const index of order)
    for (const parent of indexesOf(index)) {
      for (const one of [parent, ...(ancestors[parent] ?? [])]) ancestors[index]?.add(one);
      levels[index] = Math.max(levels[index] ?? 0, (levels[parent] ?? 0) + 1);
    }
  return { order: { order, parents, ancestors, levels } };
}

/**
 * Sorts parents before their dependents, and otherwise keeps the order of the requests. Leaves out requests that wait
 * for each other in a circle, and their dependents.
 */
function sort(count: number, parentsOf: (index: number) => readonly number[]): readonly number[] {
  const order: number[] = [];
  const done = new Set<number>();
  for (let added = true; added; ) {
    added = false;
    for (let index = 0; index < count; index += 1)
      if (!done.has(index) && parentsOf(index).every((parent) => done.has(parent))) {
        done.add(index);
        order.push(index);
        added = true;
      }
  }
  return order;
}

/**
 * Returns the error for requests that wait for each other in a circle. Follows one unsorted parent after the other
 * until a request appears again.
 */
function circleError(
  requests: readonly NamedRequest[],
  parents: readonly (readonly BatchParent[])[],
  sorted: readonly number[],
): FieldError {
  const done = new Set(sorted);
  const path: { readonly index: number; readonly field: string }[] = [];
  const seen = new Set<number>();
  let index = requests.findIndex((_request, at) => !done.has(at));
  while (!seen.has(index)) {
    seen.add(index);
    const next = parents[index]?.find((parent) => 'index' in parent && !done.has(parent.index));
    if (next === undefined || !('index' in next)) break;
    path.push({ index, field: next.field });
    index = next.index;
  }
  const circle = path.slice(path.findIndex((step) => step.index === index));
  const names = [...circle.map((step) => step.index), index].map((at) => JSON.stringify(requests[at]?.name ?? at));
  return {
    field: circle[0]?.field ?? '',
    code: 'CIRCLE',
    message: `These requests wait for each other in a circle: ${names.join(' after ')}.`,
  };
}

const repeatedName = (name: string, field: string, first: string): FieldError => ({
  field: `${field}/name`,
  code: 'REPEATED',
  message: `${first} has the name ${JSON.stringify(name)} too.`,
});

const unknownName = (field: string, text: string, names: readonly string[]): FieldError => ({
  field,
  code: 'UNKNOWN_JOB',
  message: `${JSON.stringify(text.slice(0, REQUEST_LIMITS.batchNameLength))} is neither a name in this batch nor a job id.`,
  allowed: names,
});

interface CheckedBatch<P extends PlanOfPaths> extends BatchOrder {
  /** The checked requests, by their index in the batch. */
  readonly checked: readonly CheckedRequest<P>[];
  /** By the index of the request: the warnings about its files, including outputs that several requests write. */
  readonly pathWarnings: readonly (readonly Warning[])[];
}

/** How many requests of a batch are checked at once by default. On S3, each check waits for lists. */
const CHECKS_AT_ONCE = 8;

/**
 * Checks all requests of a batch, parents first, because their outputs may be inputs of their dependents. Throws
 * INVALID_REQUEST with the errors of all requests, or with the first errors if there are too many for a reply. The
 * fields of the errors begin with `/requests/INDEX`. After a problem that may be temporary, checks no further requests.
 * Other clients get their turn between two requests. `probes`: see `ApplyPresetOptions`. Present: the planner reads inputs too.
 */
export async function checkBatch<P extends PlanOfPaths>(
  deps: CheckDeps<P> & { readonly jobs: Pick<JobStore, 'getMany'> },
  caller: Caller,
  requests: readonly BatchRequest[],
  callbackUrl?: string,
  probes?: RequestProbes,
): Promise<CheckedBatch<P>> {
  const ordered = orderBatch(requests);
  if ('errors' in ordered) throw invalidRequest(ordered.errors);
  const { order, parents, ancestors, levels } = ordered.order;
  const errors: FieldError[] = [];
  if (callbackUrl !== undefined) errors.push(...(await callbackErrors(deps, caller, callbackUrl)));
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
  /** The requests that have errors, by their index in the request body. */
  const failed = new Set<number>();
  /** For each "each", the names of files, such as segments, that its recipe sets for the first file. */
  const namesOfFirst = new Map<number, ReadonlyMap<string, string>>();
  const ends = readingTime();
  const checkOne = async (index: number, request: ConversionRequest): Promise<CheckedRequest<P>> => {
    const findExpected = (): ReadonlySet<MediaPath> =>
      new Set([
        ...(before?.unfinished(storedOf(index)) ?? []).flatMap((job) => outputPaths(job, caller.root)),
        ...[...(ancestors[index] ?? [])].flatMap((one) => (checked[one]?.plan.outputs ?? []).map(({ path }) => path)),
      ]);
    return checkRequest(deps, caller, request, { findExpected, probes, ends });
  };
  let passed = 0;
  const started: {
    readonly index: number;
    readonly request: ConversionRequest;
    readonly check: Promise<CheckedRequest<P>>;
  }[] = [];
  const finish = async ({ index, request, check }: (typeof started)[number]): Promise<void> => {
    const { file, index: source = index } = requests[index] ?? {};
    // Skip the other files of an "each" that has an error, because they probably have the same error.
    if (failed.has(source) || hasEnough(errors)) return;
    try {
      const found = await check;
      checked[index] = found;
      passed += 1;
      if (file === undefined || request.preset === undefined) return;
      const names = fileNames(found.request);
      const first = namesOfFirst.get(source);
      namesOfFirst.set(source, first ?? names);
      const [, key] = [...names].find(([name]) => first?.has(name)) ?? [];
      if (key !== undefined) throw invalidRequest([sameFileNames(key, request)]);
    } catch (error) {
      if (!(error instanceof Problem) || error.errors.length === 0) throw error;
      const { code, message, retryAfterSeconds } = error;
      failed.add(source);
      const where = file === undefined ? '' : ` The file is ${JSON.stringify(file)}.`;
      const placed = error.errors.map((one) => ({
        ...one,
        field: `${requestField(requests, index)}${one.field}`,
        message: `${one.message}${where}`,
      }));
      if (code !== 'INVALID_REQUEST')
        throw new Problem(code, message, { errors: placed, cause: error, ...defined({ retryAfterSeconds }) });
      errors.push(...placed);
    }
  };
  /** Waits until at most `most` checks run. */
  const finishUntil = async (most: number): Promise<void> => {
    for (const one of started.splice(0, started.length - most)) await finish(one);
  };
  // Let other work run between two requests: a large one takes tens of milliseconds, and a batch has many.
  for await (const [index = 0] of inSteps(order, 1)) {
    const { request, index: source = index } = requests[index] ?? {};
    const waitsForOther = started.some((one) => ancestors[index]?.has(one.index));
    const isAlone = waitsForOther || probes !== undefined || errors.length > 0;
    // Begin with one check, so that a batch of wrong requests costs no more than its errors.
    await finishUntil(isAlone ? 0 : Math.min(passed, CHECKS_AT_ONCE - 1));
    if (request === undefined || failed.has(source)) continue;
    if (hasEnough(errors)) break;
    const check = checkOne(index, request);
    // `finish` reports the error, unless an earlier request ends the checks.
    check.catch(() => {});
    started.push({ index, request, check });
  }
  await finishUntil(0);
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

async function callbackErrors(
  { checkCallback }: Pick<CheckDeps<PlanOfPaths>, 'checkCallback'>,
  { clientId }: Caller,
  callbackUrl: string,
): Promise<readonly FieldError[]> {
  const hidden = hiddenPartErrors({ callbackUrl });
  const wrong = hidden.length > 0 ? undefined : await checkCallback?.(clientId, callbackUrl);
  return wrong === undefined ? hidden : [wrong];
}

/** The error if a recipe sets fixed names of segments, so that all jobs of one "each" would write the same files. */
function sameFileNames(key: string, { output, preset }: ConversionRequest): FieldError {
  return {
    field: output === undefined ? '/outputs' : '/output',
    code: 'NO_PLACEHOLDER',
    message: `All jobs of "each" would write the files of "${key}" under the same names, which the recipe "${preset?.name}" sets, in the folder of the output. The folder needs "{name}".`,
  };
}

/** Removes duplicates: the files of one "each" cause the same errors. */
const distinct = (errors: readonly FieldError[]): readonly FieldError[] => [
  ...new Map(errors.map((error) => [JSON.stringify([error.field, error.code, error.message]), error])).values(),
];

const indexOf = ({ field }: FieldError): number => Number(/^\/requests\/(\d+)/.exec(field)?.[1] ?? -1);
const byRequest = (a: FieldError, b: FieldError): number => indexOf(a) - indexOf(b);

/** For each output path, the index of the first request that writes it. */
type Writers = ReadonlyMap<MediaPath, number>;

function firstWriters(plans: readonly PlanOfPaths[]): Writers {
  const writers = new Map<MediaPath, number>();
  for (const [index, { outputs }] of plans.entries())
    for (const { path } of outputs) if (!writers.has(path)) writers.set(path, index);
  return writers;
}

/**
 * Improves the warning about a missing input that another request of the batch writes: its fix is to wait for that
 * request.
 */
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
    };
  const message = `${warning.message} ${field} writes it, and this request does not wait for it.`;
  // The jobs of an "each" have no names for `after`.
  if (file !== undefined || name === undefined) return { ...warning, message };
  const own = requests[index]?.after ?? [];
  return {
    ...warning,
    message,
    fix: addIn('request', 'after', [...own, name]),
  };
}

/** Warns about an output that an earlier request of the batch writes too. */
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
          message: `${message} The job that ends last replaces the output of the other job.`,
        }
      : {
          field,
          code: 'OUTPUT_EXISTS',
          message: `${message} The job that ends last fails with OUTPUT_EXISTS.`,
        },
  ];
}
