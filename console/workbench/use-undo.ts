import { type Dispatch, type RefObject, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { type DraftHistory, type HistoryChange, undoable } from './draft-history.ts';

/** Whether nothing has the focus, because the button that had it has gone. */
const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** The elements of the sources, options and outputs of the draft. Each has the id of its part. */
const shownParts = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-draft-part]')];

/**
 * The notice about what the user can undo. Moves the focus when a button goes with what it removes: to the notice after a
 * removal, and to what came back after an undo.
 *
 * @param otherwise What gets the focus if nothing came back.
 */
export function useUndo(
  history: DraftHistory,
  change: Dispatch<HistoryChange>,
  otherwise: RefObject<HTMLElement | null>,
) {
  const element = useRef<HTMLDivElement>(null);
  const { text, isLasting = false } = undoable(history) ?? {};
  const { removed } = history;
  useEffect(() => {
    if (removed !== undefined && isFocusLost()) element.current?.focus();
  }, [removed]);
  const actions = useMemo(
    () => ({
      undo: (): void => {
        const before = new Set(shownParts().map((part) => part.dataset['draftPart']));
        flushSync(() => change({ do: 'undo' }));
        const back = shownParts().find((part) => !before.has(part.dataset['draftPart']));
        (back?.querySelector<HTMLElement>('button:not(:disabled)') ?? otherwise.current)?.focus();
      },
      dismiss: (): void => {
        flushSync(() => change({ do: 'keep' }));
        if (isFocusLost()) otherwise.current?.focus();
      },
    }),
    [change, otherwise],
  );
  const notice = useMemo(() => (text === undefined ? undefined : { text, undo: actions.undo }), [text, actions]);
  return { notice, isLasting, dismiss: actions.dismiss, element };
}
