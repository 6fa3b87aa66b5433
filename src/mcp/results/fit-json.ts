/** Returns as many of the first `items` as fit into `characters` when written as JSON. */
export function fitJson<T>(items: readonly T[], characters: number): readonly T[] {
  let used = 0;
  const count = items.findIndex((item) => {
    used += JSON.stringify(item).length + 1;
    return used > characters;
  });
  return count < 0 ? items : items.slice(0, count);
}
