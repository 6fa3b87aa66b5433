import type { ConversionRequest } from '@telecine/client';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';

/** Each client has a draft of its own in this tab, which a reload keeps. Signing out removes all. */
const keyOf = (clientId: string): string => `telecine-workbench:${clientId}`;

/** The draft as it was before the page was left or reloaded. */
export function readDraft(clientId: string): Draft {
  const stored = window.sessionStorage.getItem(keyOf(clientId));
  return stored === null ? EMPTY_DRAFT : draftFromRequest(JSON.parse(stored) as ConversionRequest);
}

/** Keeps the draft, without a key of encryption. */
export function storeDraft(clientId: string, draft: Draft): void {
  const { encrypt: _, ...others } = draft.others;
  window.sessionStorage.setItem(keyOf(clientId), JSON.stringify(requestFromDraft({ ...draft, others })));
}
