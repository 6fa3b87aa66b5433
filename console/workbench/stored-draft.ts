import type { ConversionRequest } from '@telecine/client';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';

/** Each client has a draft of its own in this tab, which a reload keeps. Signing out removes all. */
const keyOf = (clientId: string): string => `telecine-workbench:${clientId}`;

interface Stored {
  readonly request: ConversionRequest;
  readonly combination: Draft['combination'];
}

/** The draft as it was before the page was left or reloaded. */
export function readDraft(clientId: string): Draft {
  const stored = window.sessionStorage.getItem(keyOf(clientId));
  if (stored === null) return EMPTY_DRAFT;
  const { request, combination } = JSON.parse(stored) as Stored;
  const { combination: _, ...draft } = draftFromRequest(request);
  return { ...draft, ...(combination !== undefined && { combination }) };
}

/** Keeps the draft, without a key of encryption. */
export function storeDraft(clientId: string, draft: Draft): void {
  const { encrypt: _, ...others } = draft.others;
  const stored: Stored = { request: requestFromDraft({ ...draft, others }), combination: draft.combination };
  window.sessionStorage.setItem(keyOf(clientId), JSON.stringify(stored));
}
