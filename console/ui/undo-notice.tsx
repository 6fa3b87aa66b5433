import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import styles from './undo-notice.module.css';

/** What the last action did. */
export interface Notice {
  readonly text: string;
  /** Reverses the action. Absent: it cannot be reversed, or it was. */
  readonly undo?: () => void;
  /** The first error of the action. Other parts of it may have succeeded. */
  readonly error?: unknown;
  /** Whether the action still runs. */
  readonly isRunning?: boolean;
  /** Whether it stays until the user dismisses it, because without it much would be lost. */
  readonly stays?: boolean;
}

/** How long a notice is in sight, in ms. It is over the page, and must not be in the way of what the user does next. */
const SHOWN_MS = 15_000;
/** How often to look whether the user has left a notice, in ms. */
const AGAIN_MS = 1000;

/** Whether a text is being edited, in which Ctrl+Z has its own meaning. */
const isEditing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]') !== null;

/** Whether the pointer is over a notice, or the keyboard in it. A press of the mouse also moves the focus there, after which nobody looks at it. */
const isUsed = (element: HTMLElement): boolean =>
  element.matches(':hover, :focus-visible') || element.querySelector(':focus-visible') !== null;

/** Whether a notice was in sight for long enough. It comes back with the next one. */
function useIsOver(notice: Notice | undefined, element: RefObject<HTMLElement | null>, isKept: boolean): boolean {
  const [over, setOver] = useState<Notice>();
  useEffect(() => {
    if (notice === undefined || isKept) return undefined;
    const end = (): void => {
      if (element.current !== null && isUsed(element.current)) timer = setTimeout(end, AGAIN_MS);
      else setOver(notice);
    };
    let timer = setTimeout(end, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, element, isKept]);
  return notice !== undefined && over === notice;
}

/** What the last action did, with a button and Ctrl+Z to undo it. It goes after some seconds; Ctrl+Z remains. */
export function UndoNotice({
  notice,
  onClose,
  label,
  ref,
}: {
  readonly notice: Notice | undefined;
  readonly onClose: () => void;
  /**
   * The text of the button, for a notice that stays while the user does other things. Such a notice has no Ctrl+Z, because that would
   * reverse something else than the last action.
   */
  readonly label?: string;
  readonly ref?: RefObject<HTMLDivElement | null>;
}) {
  const undo = notice?.undo;
  useEffect(() => {
    if (undo === undefined || label !== undefined) return;
    const onKey = (event: KeyboardEvent): void => {
      // With Caps Lock, the key is "Z".
      if (event.key.toLowerCase() !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      if (isEditing(event.target)) return;
      event.preventDefault();
      undo();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [undo, label]);
  const own = useRef<HTMLDivElement>(null);
  const element = ref ?? own;
  const isKept =
    label !== undefined || notice?.isRunning === true || notice?.stays === true || notice?.error !== undefined;
  const isOver = useIsOver(notice, element, isKept);
  const hasText = notice !== undefined && notice.text !== '' && !isOver;
  return (
    <>
      <div ref={element} tabIndex={-1} role="status" className={hasText ? styles.notice : styles.none}>
        {hasText && (
          <>
            <span>{notice.text}</span>
            {undo !== undefined && (
              <Button variant="quiet" aria-keyshortcuts={label === undefined ? 'Control+Z' : undefined} onClick={undo}>
                {label ?? 'Undo'}
              </Button>
            )}
            {notice.isRunning !== true && (
              <Button
                variant="quiet"
                // Another notice can be on the page at the same time.
                aria-label={label === undefined ? undefined : `Dismiss: ${notice.text}`}
                onClick={onClose}
              >
                Dismiss
              </Button>
            )}
          </>
        )}
      </div>
      {notice?.error !== undefined && <ProblemNotice error={notice.error} onClose={hasText ? undefined : onClose} />}
    </>
  );
}
