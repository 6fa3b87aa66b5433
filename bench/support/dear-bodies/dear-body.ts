/** A request at the limits of the service that costs it as much as possible. */
export interface DearBody {
  /** What it is, unique in the list. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests that come before: a file, a recipe. They are not measured. */
  readonly before?: readonly Omit<DearBody, 'name'>[];
}

/** So many elements, each made from its index. */
export const listOf = <T>(count: number, element: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => element(index));

/** An object with so many members. */
export const objectOf = <T>(
  count: number,
  name: (index: number) => string,
  value: (index: number) => T,
): Readonly<Record<string, T>> => Object.fromEntries(listOf(count, (index) => [name(index), value(index)]));

/** As much of `unit` after `start` as a text of `length` characters holds, without a part of it at the end. */
export const filled = (unit: string, length: number, start = ''): string =>
  start + unit.repeat(Math.max(0, Math.floor((length - start.length) / unit.length)));
