/** Yields the pages of a list, starting with the page at `cursor`. Default: the first page. */
export async function* pagesOf<Page extends { readonly nextCursor?: string | undefined }>(
  read: (cursor: string | undefined) => Promise<Page>,
  cursor?: string,
): AsyncGenerator<Page, void, undefined> {
  for (let next = cursor; ; ) {
    const page = await read(next);
    yield page;
    next = page.nextCursor;
    if (next === undefined) return;
  }
}
