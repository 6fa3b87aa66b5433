const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The end of an id, which differs most; other texts in full. */
export function ShortId({ id }: { readonly id: string }) {
  return <code title={id}>{UUID.test(id) ? `…${id.slice(-8)}` : id}</code>;
}
