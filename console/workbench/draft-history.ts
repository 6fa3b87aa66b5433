import { type Change, changeDraft } from './change-draft.ts';
import { type Draft, EMPTY_DRAFT, type OptionRow } from './draft.ts';

/** The draft, and what its last change removed. */
export interface DraftHistory {
  readonly draft: Draft;
  /** The draft before its last change, if that removed something. */
  readonly before?: Draft;
  /** What was removed: `Removed in.mov.` */
  readonly text?: string;
}

/** `undo`: brings back what the last change removed. `keep`: gives up what was removed. */
export type HistoryChange = Change | { readonly do: 'undo' } | { readonly do: 'keep' };

/** Changes the draft. After a change that removes something, the draft before it can be restored until the next change. */
export function changeHistory(history: DraftHistory, change: HistoryChange): DraftHistory {
  const { draft, before } = history;
  if (change.do === 'undo') return before === undefined ? history : { draft: before };
  if (change.do === 'keep') return { draft };
  const next = changeDraft(draft, change);
  const text = removedText(draft, change);
  return text === undefined ? { draft: next } : { draft: next, before: draft, text };
}

/** Says what a change removes. undefined: nothing that is worth an undo. */
function removedText(draft: Draft, change: Change): string | undefined {
  switch (change.do) {
    case 'start-again':
      return isEmpty(draft) ? undefined : 'Cleared the draft.';
    case 'open-request':
      return isEmpty(draft) ? undefined : 'Replaced the draft.';
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

const isEmpty = ({ nextId: _, ...draft }: Draft): boolean => {
  const { nextId: __, ...empty } = EMPTY_DRAFT;
  return JSON.stringify(draft) === JSON.stringify(empty);
};
