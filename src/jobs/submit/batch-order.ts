import { REQUEST_LIMITS } from '../../domain/conversion.ts';
import { type FieldError, hasEnough } from '../../domain/problem.ts';

/** A request of a batch, with the names and job ids of its `after`. */
export interface NamedRequest {
  readonly name?: string | undefined;
  readonly after?: readonly string[] | undefined;
  /** See `BatchRequest`. */
  readonly index?: number;
}

/** The JSON Pointer of a request in the body. */
export const requestField = (requests: readonly Pick<NamedRequest, 'index'>[], at: number): string =>
  `/requests/${requests[at]?.index ?? at}`;

/** Which requests of a batch wait for which. */
export interface BatchOrder {
  /** The indexes of all requests, each after those that it waits for. */
  readonly order: readonly number[];
  /** For each request, what its `after` names: another request, or a job. */
  readonly parents: readonly (readonly BatchParent[])[];
  /** For each request, the indexes of those that it waits for, directly or not. */
  readonly ancestors: readonly ReadonlySet<number>[];
  /** For each request, how many requests wait for each other in a row up to it; 0 if it waits for none of the batch. */
  readonly levels: readonly number[];
}

export type BatchParent = { readonly field: string } & ({ readonly index: number } | { readonly jobId: string });

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Orders the requests of a batch. Returns errors for repeated and unknown names, and for requests that wait in a circle. */
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
  /** The requests for the files of one "each" share their `after`. */
  const unknown = new Set<string>();
  const parents = requests.map(({ after = [] }, index) =>
    after.flatMap((text, at): BatchParent[] => {
      const field = `${requestField(requests, index)}/after/${at}`;
      const other = byName.get(text);
      if (other !== undefined) return [{ field, index: other }];
      if (UUID.test(text)) return [{ field, jobId: text.toLowerCase() }];
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

/** Sorts by what each waits for, else in the order of the requests. Leaves out what is in a circle or waits for one. */
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

/** Follows one parent of each request that could not be sorted, until one comes again. */
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
    fix: 'Leave one of them out of "after".',
  };
}

const repeatedName = (name: string, field: string, first: string): FieldError => ({
  field: `${field}/name`,
  code: 'REPEATED',
  message: `The name ${JSON.stringify(name)} is that of ${first} too.`,
  fix: 'Give each request a name of its own, or none.',
});

const unknownName = (field: string, text: string, names: readonly string[]): FieldError => ({
  field,
  code: 'UNKNOWN_JOB',
  message: `${JSON.stringify(text.slice(0, REQUEST_LIMITS.batchNameLength))} is neither a name in this batch nor a job id.`,
  allowed: names,
  fix: 'Send the "name" of another request of the batch, or the id of a job.',
});
