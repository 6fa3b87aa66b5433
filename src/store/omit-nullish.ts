type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The members that have a value: an absent one is left out, never null or undefined. */
export function omitNullish<T extends object>(members: T): Given<T> {
  const kept: Given<T> = {};
  for (const key in members) {
    const value = members[key];
    if (value !== null && value !== undefined) kept[key] = value;
  }
  return kept;
}
