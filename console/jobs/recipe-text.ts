/** A recipe in words: `Make a video smaller (compress)`. Without a known title, its name. */
export function recipeText(
  name: string,
  recipes: readonly { readonly name: string; readonly title: string }[] = [],
): string {
  const title = recipes.find((one) => one.name === name)?.title;
  return title === undefined ? name : `${title} (${name})`;
}
