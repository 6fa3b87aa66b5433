import type { ConversionRequest } from '@telecine/client';
import * as z from 'zod/mini';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';

// Else zod tries whether it may compile code, which the Content-Security-Policy reports.
z.config({ jitless: true });

/** Each client has a draft of its own in this tab, which a reload keeps. Signing out removes all. */
const keyOf = (clientId: string): string => `telecine-workbench:${clientId}`;

const text = z.optional(z.string());
const parameters = z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())])));
const input = z.union([
  z.string(),
  z.looseObject({ input: text, source: text, duration: text, crossfade: text, parameters }),
]);

/** What the form of a request depends on. The service checks the rest. */
const storedDraft = z.object({
  request: z.looseObject({
    input: text,
    inputs: z.optional(z.array(input)),
    output: text,
    outputs: z.optional(z.array(z.looseObject({ output: z.string(), format: text, parameters }))),
    format: text,
    parameters,
    preset: z.optional(
      z.looseObject({
        name: z.string(),
        arguments: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
      }),
    ),
  }),
  combination: z.optional(z.enum(['each', 'together'])),
});

/** The draft as it was before the page was left or reloaded. What no form can show, such as that of another version, is dropped. */
export function readDraft(clientId: string): Draft {
  const stored = storedDraft.safeParse(parse(window.sessionStorage.getItem(keyOf(clientId))));
  if (!stored.success) return EMPTY_DRAFT;
  const { request, combination } = stored.data;
  const { combination: _, ...draft } = draftFromRequest(request as ConversionRequest);
  return { ...draft, ...(combination !== undefined && { combination }) };
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}

/** Keeps the draft, without a key of encryption. */
export function storeDraft(clientId: string, draft: Draft): void {
  const { encrypt: _, ...others } = draft.others;
  const stored = { request: requestFromDraft({ ...draft, others }), combination: draft.combination };
  window.sessionStorage.setItem(keyOf(clientId), JSON.stringify(stored));
}
