import { type Draft, EMPTY_DRAFT } from './draft.ts';

/** The draft of each client that a request from elsewhere has replaced. It is lost by a reload. */
const replaced = new Map<string, Draft>();

/** Keeps a draft that is about to be replaced, unless it is empty. */
export function storeReplaced(clientId: string, draft: Draft): void {
  if (JSON.stringify(draft) === JSON.stringify(EMPTY_DRAFT)) replaced.delete(clientId);
  else replaced.set(clientId, draft);
}

/** The draft that the current one has replaced. undefined: it was empty, or the user went on. */
export const readReplaced = (clientId: string): Draft | undefined => replaced.get(clientId);

export const forgetReplaced = (clientId: string): void => void replaced.delete(clientId);
