/** Reads the client whose usage is shown from the query of a URL. Absent: the signed-in client. */
export function readUsageClient(query: Readonly<Record<string, unknown>>): { readonly client?: string } {
  const { client } = query;
  return typeof client === 'string' && client !== '' ? { client } : {};
}
