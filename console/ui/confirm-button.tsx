import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { ProblemNotice } from './problem-notice.tsx';

interface Props<Done> {
  /** The text of the button. The button in the dialog has the same text unless `confirmLabel` is set. */
  readonly label: string;
  readonly confirmLabel?: string;
  /** A question, such as "Delete this job?". */
  readonly title: string;
  /** Explains what the action does. */
  readonly children: ReactNode;
  readonly action: () => Promise<Done>;
  readonly onDone?: (done: Done) => void;
  readonly variant?: 'plain' | 'danger' | 'quiet';
  /** The name of the button for screen readers, if several buttons have the same text. */
  readonly name?: string;
  /** The text of the button that closes the dialog. Default: "Cancel", which is unclear if the action itself cancels something. */
  readonly closeLabel?: string;
  /** Gets the focus after the action, if the button disappears. */
  readonly focusAfter?: RefObject<HTMLElement | null>;
  readonly isDisabled?: boolean;
}

/** A button that opens a dialog, which explains the action and runs it. The dialog stays open if the action fails. */
export function ConfirmButton<Done>(props: Props<Done>) {
  const { label, confirmLabel = label, title, children, action, onDone, variant = 'danger', name } = props;
  const { closeLabel = 'Cancel', focusAfter, isDisabled } = props;
  const [isOpen, setOpen] = useState(false);
  const isDone = useRef(false);
  const run = useMutation({
    mutationFn: action,
    onSuccess: (done) => {
      isDone.current = true;
      setOpen(false);
      onDone?.(done);
    },
  });
  return (
    <AlertDialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        run.reset();
        isDone.current = false;
        setOpen(open);
      }}
    >
      <AlertDialog.Trigger render={<Button variant={variant} aria-label={name} disabled={isDisabled} />}>
        {label}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup
          className={styles.popup}
          finalFocus={() => (isDone.current && focusAfter !== undefined ? focusAfter.current : true)}
        >
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.text} render={<div />}>
            {children}
          </AlertDialog.Description>
          {run.error !== null && <ProblemNotice error={run.error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button />}>{closeLabel}</AlertDialog.Close>
            <Button
              variant={variant === 'danger' ? 'danger' : 'primary'}
              disabled={run.isPending}
              onClick={() => run.mutate()}
            >
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
