import type { Client } from '@telecine/client';

/** What a client may do, in words: `Everything`, `Jobs and files`, `Run jobs, read files`. */
export function scopesText(scopes: Client['scopes']): string {
  if (scopes.includes('admin')) return 'Everything';
  const partOf = (what: 'jobs' | 'files', words: readonly [both: string, read: string, write: string]) => {
    const [reads, writes] = [scopes.includes(`${what}:read`), scopes.includes(`${what}:write`)];
    if (!reads && !writes) return [];
    return [`${words[reads && writes ? 0 : reads ? 1 : 2]} ${what}`];
  };
  const parts = [...partOf('jobs', ['run', 'see', 'submit']), ...partOf('files', ['read and write', 'read', 'write'])];
  const text = parts.join(', ');
  if (text === 'run jobs, read and write files') return 'Jobs and files';
  return text === '' ? 'Nothing' : text.charAt(0).toUpperCase() + text.slice(1);
}
