/** What the page of a recipe begins with. */
export interface RecipeSearch {
  /** The path of a file with which the recipe is tried. */
  readonly file?: string;
  /** The recipe is not stored yet: `newRecipe`. */
  readonly new?: true;
  /** What its request had and a recipe cannot have: the names of the members. */
  readonly without?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads it from the query of an address. Ignores invalid values. */
export function readRecipeSearch(query: Readonly<Record<string, unknown>>): RecipeSearch {
  const [file, without] = ['file', 'without'].map((name) => textOf(query[name]));
  return { ...(file && { file }), ...(query['new'] === true && { new: true }), ...(without && { without }) };
}
