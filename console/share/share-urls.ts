/**
 * The addresses of the links that were made in this tab. The service stores only their hashes, so only this tab can copy them again. A reload
 * keeps them; signing out removes them.
 */
const keyOf = (clientId: string): string => `telecine-links:${clientId}`;

/** The most addresses that are remembered. */
const MOST = 50;

type Entries = readonly (readonly [shareId: string, url: string])[];

function entriesOf(clientId: string): Entries {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(keyOf(clientId)) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter(
      (one): one is [string, string] => Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string',
    );
  } catch {
    return [];
  }
}

/** Ignores a storage that is full or blocked: the link exists, and only cannot be copied again. */
function store(clientId: string, entries: Entries): void {
  try {
    window.sessionStorage.setItem(keyOf(clientId), JSON.stringify(entries.slice(-MOST)));
  } catch {}
}

/** The address of a link. undefined: it was not made in this tab. */
export const urlOf = (clientId: string, shareId: string): string | undefined =>
  entriesOf(clientId).findLast(([id]) => id === shareId)?.[1];

export const rememberUrl = (clientId: string, shareId: string, url: string): void =>
  store(clientId, [...entriesOf(clientId), [shareId, url]]);

export const forgetUrl = (clientId: string, shareId: string): void =>
  store(
    clientId,
    entriesOf(clientId).filter(([id]) => id !== shareId),
  );
