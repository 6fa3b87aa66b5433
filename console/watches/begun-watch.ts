import type { BegunWatch } from './watched-request.ts';

/** The page of new watches, which has no id. */
const NEW = '';

/** What another page has begun, by client and watch. It is in memory only, because a request can contain a key. */
const begun = new Map<string, BegunWatch>();

const keyOf = (clientId: string, watchId: string): string => `${clientId} ${watchId}`;

/**
 * Keeps what the workbench has made for a watch, until it is saved or the page is loaded again. `watchId`: the watch whose request it is. Default:
 * a new watch.
 */
export const keepBegunWatch = (clientId: string, watch: BegunWatch, watchId = NEW): void =>
  void begun.set(keyOf(clientId, watchId), watch);

export const forgetBegunWatch = (clientId: string, watchId = NEW): void => void begun.delete(keyOf(clientId, watchId));

/** undefined: no page has begun one. */
export const readBegunWatch = (clientId: string, watchId = NEW): BegunWatch | undefined =>
  begun.get(keyOf(clientId, watchId));
