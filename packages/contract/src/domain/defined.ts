/** Returns a copy without the properties that are undefined. */
export const defined = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** `defined` for a type whose optional properties must be absent rather than undefined (`exactOptionalPropertyTypes`). */
export const definedMembers = <T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T =>
  defined(members) as T;
