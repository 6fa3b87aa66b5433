import { type Dispatch, type RefObject, useEffect, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { DraftHistory, HistoryChange } from './draft-history.ts';

/** Whether nothing has the focus, because the button that had it has gone. */
const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** The elements of the sources, options and outputs of the draft. Each has the id of its part. */
const shownParts = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-draft-part]')];

/**
 * The notice about what the last change has removed, and the one about a draft that a request has replaced. Moves the focus when a button
 * goes with what it removes: to the notice after a removal, and to what came back after an undo.
 *
 * @param otherwise What gets the focus if nothing came back.
 */
export function useUndo(
  { removed, replaced }: DraftHistory,
  change: Dispatch<HistoryChange>,
  otherwise: RefObject<HTMLElement | null>,
) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (removed !== undefined && isFocusLost()) element.current?.focus();
  }, [removed]);
  const actions = useMemo(() => {
    const bringBack = (how: 'undo' | 'go-back') => (): void => {
      const before = new Set(shownParts().map((part) => part.dataset['draftPart']));
      flushSync(() => change({ do: how }));
      const back = shownParts().find((part) => !before.has(part.dataset['draftPart']));
      (back?.querySelector<HTMLElement>('button:not(:disabled)') ?? otherwise.current)?.focus();
    };
    const giveUp = (how: 'keep' | 'dismiss-replaced') => (): void => {
      flushSync(() => change({ do: how }));
      if (isFocusLost()) otherwise.current?.focus();
    };
    return {
      undo: bringBack('undo'),
      goBack: bringBack('go-back'),
      keep: giveUp('keep'),
      dismissReplaced: giveUp('dismiss-replaced'),
    };
  }, [change, otherwise]);
  // The same text again is another removal.
  const notice = useMemo(
    () => removed && { text: removed.text, undo: actions.undo, stays: removed.isAll === true },
    [removed, actions],
  );
  const isReplaced = replaced.length > 0;
  const replacedNotice = useMemo(
    () => (isReplaced ? { text: 'A request has replaced your draft.', undo: actions.goBack } : undefined),
    [isReplaced, actions],
  );
  return {
    removal: { notice, onClose: actions.keep, ref: element },
    replacement: { notice: replacedNotice, onClose: actions.dismissReplaced },
  };
}
