/** A request at the limits of the service that costs it as much as possible. */
export interface DearBody {
  /** A description of the body, unique in the list. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests to send before, such as an upload or the storing of a recipe. They are not measured. */
  readonly before?: readonly Omit<DearBody, 'name'>[];
}

/** A list of `count` elements. `element`: makes an element from its index. */
export const listOf = <T>(count: number, element: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => element(index));

export const objectOf = <T>(
  count: number,
  name: (index: number) => string,
  value: (index: number) => T,
): Readonly<Record<string, T>> => Object.fromEntries(listOf(count, (index) => [name(index), value(index)]));

/** A text with `start` and then `unit`, as often as it fits as a whole into `length` characters. */
export const filled = (unit: string, length: number, start = ''): string =>
  start + unit.repeat(Math.max(0, Math.floor((length - start.length) / unit.length)));
