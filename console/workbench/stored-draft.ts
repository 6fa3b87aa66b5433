import type { ConversionRequest } from '@telecine/client';
import * as z from 'zod/mini';
import { type Draft, EMPTY_DRAFT, type MendedJob, type RetriedJob } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { type DraftHistory, historyOf } from './draft-history.ts';
import { requestFromDraft } from './request-from-draft.ts';

// Without this, zod tests whether it can compile code, and the browser reports a violation of the
// Content-Security-Policy.
z.config({ jitless: true });

/** The storage key of a client's draft in this tab. A reload keeps the draft. Signing out removes all drafts. */
const keyOf = (clientId: string): string => `telecine-workbench:${clientId}`;

const text = z.optional(z.string());
const parameters = z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())])));
const input = z.union([
  z.string(),
  z.looseObject({ input: text, source: text, duration: text, crossfade: text, parameters }),
]);

/** Checks only members that the form shows. The service checks the others. */
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
  mends: z.optional(
    z.object({ jobId: z.string(), message: z.string(), fix: text, apply: z.optional(z.array(z.looseObject({}))) }),
  ),
  retries: z.optional(z.object({ jobId: z.string(), client: text })),
  leftOut: z.optional(z.array(z.enum(['callback', 'fallback']))),
  sourceRows: z.optional(z.array(z.object({ id: z.string(), name: z.string(), value: z.string() }))),
});

const storedOthers = z.object({ replaced: z.catch(z.array(z.unknown()), []), isOpened: z.catch(z.boolean(), false) });

/**
 * Reads the draft that was stored before a reload or by another page, with the drafts that it has replaced. Ignores each draft that the form
 * cannot show, for example because another version of the console stored it.
 */
export function readHistory(clientId: string): DraftHistory {
  const stored = parse(window.sessionStorage.getItem(keyOf(clientId)));
  const { data } = storedOthers.safeParse(stored);
  if (data === undefined) return historyOf(EMPTY_DRAFT);
  const draft = draftOf(stored);
  return {
    draft: draft ?? EMPTY_DRAFT,
    replaced: data.replaced.flatMap((one) => draftOf(one) ?? []),
    isOpened: draft !== undefined && data.isOpened,
  };
}

/** undefined: the form cannot show it. */
function draftOf(stored: unknown): Draft | undefined {
  const { data } = storedDraft.safeParse(stored);
  if (data === undefined) return undefined;
  const { request, combination, mends, retries, leftOut, sourceRows } = data;
  const { combination: _, ...draft } = draftFromRequest(request as ConversionRequest);
  return {
    ...draft,
    ...(combination !== undefined && { combination }),
    ...(mends !== undefined && { mends: mends as MendedJob }),
    ...(retries !== undefined && { retries: retries as RetriedJob }),
    ...(leftOut !== undefined && { leftOut }),
    ...(sourceRows !== undefined && { sourceRows }),
  };
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}

/** Stores the draft and those that it has replaced, without `encrypt`, which may contain a key. What was removed last is not stored. */
export function storeHistory(clientId: string, { draft, replaced, isOpened }: DraftHistory): void {
  const stored = { ...membersOf(draft), replaced: replaced.map(membersOf), isOpened };
  window.sessionStorage.setItem(keyOf(clientId), JSON.stringify(stored));
}

/** Whether a draft that was stored and read again is the same: only the ids of its parts and its notes differ. */
export const isSameWhenStored = (one: Draft, other: Draft): boolean => {
  const [a, b] = [one, other].map((draft) =>
    JSON.stringify({ ...membersOf(draft), mends: undefined, leftOut: undefined }),
  );
  return a === b;
};

function membersOf(draft: Draft) {
  const { encrypt, ...others } = draft.others;
  const { combination, mends, retries, leftOut, sourceRows } = draft;
  // The view of a job has no key. Without `encrypt`, the retry of an encrypted job would not be encrypted.
  const kept = encrypt !== undefined && retries !== undefined ? { ...others, encrypt } : others;
  const request = requestFromDraft({ ...draft, others: kept });
  return { request, combination, mends, retries, leftOut, sourceRows };
}
