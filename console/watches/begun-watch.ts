import type { BegunWatch } from './watched-request.ts';

/** The storage key of what another page has begun, in this tab. Signing out removes it. */
const keyOf = (clientId: string): string => `telecine-new-watch:${clientId}`;

/** Stores the watch with which the page of new watches begins. It has no `encrypt`, which may contain a key. */
export function storeBegunWatch(clientId: string, { folder, request }: BegunWatch): void {
  const { encrypt: _, ...kept } = request ?? {};
  window.sessionStorage.setItem(keyOf(clientId), JSON.stringify({ folder, request: kept }));
}

export const forgetBegunWatch = (clientId: string): void => window.sessionStorage.removeItem(keyOf(clientId));

/** undefined: no page has begun one. */
export function readBegunWatch(clientId: string): BegunWatch | undefined {
  try {
    return JSON.parse(window.sessionStorage.getItem(keyOf(clientId)) ?? '') as BegunWatch;
  } catch {
    return undefined;
  }
}
