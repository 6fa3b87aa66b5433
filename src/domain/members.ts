/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: not a list, not null. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at the end of a path of names and indices. undefined if one of them is missing. */
export const memberAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
