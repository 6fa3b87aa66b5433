/** The own member `name` of a JSON object. Undefined if there is none, or if `value` is not an object. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The string at the end of `path` in a JSON value. Undefined if a member is missing or the last one is not a string. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce(member, value);
  return typeof found === 'string' ? found : undefined;
}
