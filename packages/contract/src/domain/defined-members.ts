/** Drops undefined members, because an optional property must be absent rather than undefined. */
export const definedMembers = <T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
