/** Returns a copy without the properties that are undefined. */
export const defined = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** `defined` for a type whose optional properties must be absent rather than undefined (`exactOptionalPropertyTypes`). */
export const definedMembers = <T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T =>
  defined(members) as T;

/** Returns a copy with these properties only. */
export const pick = <T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]]] : []))) as Pick<T, K>;
