type WithoutNullish<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** Returns a copy without the members that are null or undefined. */
export function omitNullish<T extends object>(members: T): WithoutNullish<T> {
  const result: WithoutNullish<T> = {};
  for (const key in members) {
    const value = members[key];
    if (value !== null && value !== undefined) result[key] = value;
  }
  return result;
}
