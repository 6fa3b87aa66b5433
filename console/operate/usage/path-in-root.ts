/**
 * Where the folder of a client is in the folder of another one: `shop/` for `teams/shop` in `teams`, '' for the same folder. undefined: it is
 * not in it. Both are as the API has them: `.` is the media root of the service, and what is elsewhere is absolute.
 */
export function pathInRoot(root: string, own: string): string | undefined {
  if (root === own) return '';
  if (own === '.') return root.startsWith('/') || root.includes('://') ? undefined : `${root}/`;
  return root.startsWith(`${own}/`) ? `${root.slice(own.length + 1)}/` : undefined;
}
