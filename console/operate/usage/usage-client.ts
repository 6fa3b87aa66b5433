/** Reads whose usage is shown from the query of an address. Absent: that of the one who is signed in. */
export function readUsageClient(query: Readonly<Record<string, unknown>>): { readonly client?: string } {
  const { client } = query;
  return typeof client === 'string' && client !== '' ? { client } : {};
}
