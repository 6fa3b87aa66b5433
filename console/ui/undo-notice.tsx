import { type RefObject, useEffect } from 'react';
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
}

/** Whether a text is being edited, in which Ctrl+Z has its own meaning. */
const isEditing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]') !== null;

/** What the last action did, with a button and Ctrl+Z to undo it. */
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
  const hasText = notice !== undefined && notice.text !== '';
  return (
    <>
      <div ref={ref} tabIndex={-1} role="status" className={hasText ? styles.notice : styles.none}>
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
