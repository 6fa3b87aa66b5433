import type { BegunWatch } from './watched-request.ts';

/** What another page has begun, by client. It is in memory only, because a request can contain a key. */
const begun = new Map<string, BegunWatch>();

/** Keeps the watch with which the page of new watches begins, until it is made or the page is loaded again. */
export const keepBegunWatch = (clientId: string, watch: BegunWatch): void => void begun.set(clientId, watch);

export const forgetBegunWatch = (clientId: string): void => void begun.delete(clientId);

/** undefined: no page has begun one. */
export const readBegunWatch = (clientId: string): BegunWatch | undefined => begun.get(clientId);
