import type { ConversionRequest } from '@telecine/client';
import { type Change, changeDraft } from './change-draft.ts';
import { type Draft, EMPTY_DRAFT, isEmptyDraft, type MendedJob, type OptionRow, type RetriedJob } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';

/** The draft, and the drafts that can come back. */
export interface DraftHistory {
  readonly draft: Draft;
  /** What the last change removed. The next change gives it up, because bringing it back would lose that change. */
  readonly removed?: Removal;
  /** The drafts that requests have replaced, the newest last. They can come back until the user dismisses them. */
  readonly replaced: readonly Draft[];
  /** Whether the draft is a request from another page that the user has not changed. It can be opened there again. */
  readonly isOpened: boolean;
}

interface Removal {
  readonly before: DraftHistory;
  /** What was removed: `Removed in.mov.` */
  readonly text: string;
  /** Whether it is the whole draft, of which more is lost than one part. */
  readonly isAll?: true;
}

/**
 * `undo`: brings back what the last change removed. `keep`: gives it up. `go-back`: brings back the draft that was replaced last.
 * `dismiss-replaced`: gives up all replaced drafts.
 */
export type HistoryChange = Change | { readonly do: 'undo' | 'keep' | 'go-back' | 'dismiss-replaced' };

/** A request that another page opens in the workbench. */
export interface OpenedRequest {
  readonly request: ConversionRequest;
  /** The failed job whose request it is. */
  readonly mends?: MendedJob | undefined;
  /** The job that the request runs again. */
  readonly retries?: RetriedJob;
  /** Whether only the settings of the request are wanted, for another source. */
  readonly isForNextSource?: boolean;
}

/** The maximum number of replaced drafts that can come back. */
const MAX_REPLACED = 5;

export const historyOf = (draft: Draft): DraftHistory => ({ draft, replaced: [], isOpened: false });

/** Replaces the draft by a request from another page. */
export function openRequest(
  history: DraftHistory,
  { request, mends, retries, isForNextSource = false }: OpenedRequest,
): DraftHistory {
  const opened = draftFromRequest(request);
  // Without the job that it runs again, the request is one of a new job.
  const draft = isForNextSource
    ? changeDraft(opened, { do: 'next-source' })
    : retries === undefined
      ? changeDraft(opened, { do: 'forget-retry' })
      : opened;
  const notes = { ...(mends && { mends }), ...(retries && { retries }) };
  return { ...replace(history, { ...draft, ...notes }), isOpened: true };
}

/** Changes the draft. After a change that removes something, the draft before it can come back until the next change. */
export function changeHistory(history: DraftHistory, change: HistoryChange): DraftHistory {
  const { draft, removed: _, ...rest } = history;
  switch (change.do) {
    case 'undo':
      return history.removed?.before ?? history;
    case 'keep':
      return { ...rest, draft };
    case 'go-back':
      return goBack(history);
    case 'dismiss-replaced':
      return { ...history, replaced: [] };
    case 'open-request':
      return replace(history, draftFromRequest(change.request));
    case 'apply-fix': {
      const fixed = changeDraft(draft, change);
      return fixed === draft ? history : { ...rest, draft: fixed, isOpened: false };
    }
    case 'forget-failure':
    case 'forget-retry':
    case 'forget-left-out':
      // The notes about the failure and its job are no part of the request.
      return { ...history, draft: changeDraft(draft, change) };
    case 'start-again': {
      // Only the user dismisses replaced drafts.
      const empty = { ...historyOf(EMPTY_DRAFT), replaced: history.replaced };
      return isEmptyDraft(draft)
        ? empty
        : { ...empty, removed: { before: history, text: 'Cleared the draft.', isAll: true } };
    }
    default: {
      const next = { ...rest, draft: changeDraft(draft, change), isOpened: false };
      const text = removedText(draft, change);
      return text === undefined ? next : { ...next, removed: { before: history, text } };
    }
  }
}

/** Replaces the draft, which can come back. An empty one is not missed, and one that was only opened can be opened again. */
function replace({ draft, replaced, isOpened }: DraftHistory, next: Draft): DraftHistory {
  const kept = isOpened || isEmptyDraft(draft) ? replaced : [...replaced, draft].slice(-MAX_REPLACED);
  return { draft: next, replaced: kept, isOpened: false };
}

function goBack(history: DraftHistory): DraftHistory {
  const { replaced, isOpened } = history;
  const draft = replaced.at(-1);
  if (draft === undefined) return history;
  const back = { draft, replaced: replaced.slice(0, -1), isOpened: false };
  // The user may have changed the request that goes away.
  return isOpened ? back : { ...back, removed: { before: history, text: 'Went back to your draft.' } };
}

/** Says what a change removes. undefined: nothing that is worth an undo. */
function removedText(draft: Draft, change: Change): string | undefined {
  switch (change.do) {
    case 'remove-input': {
      const { input, source } = draft.inputs.find(({ id }) => id === change.id) ?? {};
      return removed(input ?? source ?? '', 'a source');
    }
    case 'remove-output':
      return removed(draft.outputs.find(({ id }) => id === change.id)?.output ?? '', 'an output');
    case 'remove-row': {
      const row = rowsOf(draft).find(({ id }) => id === change.id);
      if (row === undefined || (row.name === '' && row.value === '')) return undefined;
      return removed(row.name, 'an option');
    }
    default:
      return undefined;
  }
}

const removed = (name: string, what: string): string => `Removed ${name === '' ? what : name}.`;

const rowsOf = ({ rows, inputs, outputs }: Draft): readonly OptionRow[] =>
  [{ rows }, ...inputs, ...outputs].flatMap((list) => list.rows);
