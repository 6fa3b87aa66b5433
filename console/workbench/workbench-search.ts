/** What an address of the workbench begins with, such as the link of the demo. */
export interface WorkbenchSearch {
  /** The path of a stored file, which becomes the source if the draft has none. Then the page also says the next steps. */
  readonly source?: string;
  /** Words of the search for a recipe. */
  readonly find?: string;
  /** A recipe to choose. */
  readonly recipe?: string;
  /** The id of the watch whose settings it has. */
  readonly watch?: string;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads what an address begins with from its query. Ignores invalid values. */
export function readWorkbenchSearch(query: Readonly<Record<string, unknown>>): WorkbenchSearch {
  const [source, find, recipe, watch] = ['source', 'find', 'recipe', 'watch'].map((name) => textOf(query[name]));
  return { ...(source && { source }), ...(find && { find }), ...(recipe && { recipe }), ...(watch && { watch }) };
}
