import type { Client } from '@telecine/client';

/** What a client may do, in words: `Everything`, `Jobs, files (read only)`. */
export function scopesText(scopes: Client['scopes']): string {
  if (scopes.includes('admin')) return 'Everything';
  const parts = (['jobs', 'files'] as const).flatMap((what) => {
    const [reads, writes] = [scopes.includes(`${what}:read`), scopes.includes(`${what}:write`)];
    if (!reads && !writes) return [];
    return [reads && writes ? what : `${what} (${reads ? 'read' : 'write'} only)`];
  });
  const text = parts.join(', ');
  return text === '' ? 'Nothing' : text.charAt(0).toUpperCase() + text.slice(1);
}
