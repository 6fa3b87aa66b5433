import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { DialogBackdrop } from './dialog-backdrop.tsx';
import { ProblemNotice } from './problem-notice.tsx';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly confirmLabel: string;
  readonly closeLabel: string;
  readonly isDangerous: boolean;
  readonly isPending: boolean;
  /** The error of the action. null: it did not fail. */
  readonly error: Error | null;
  readonly onConfirm: () => void;
  /** Returns what gets the focus after the dialog. true: what had it before. */
  readonly focusAfter: () => HTMLElement | null | true;
}

/** The dialog of a `ConfirmButton`. */
export function ConfirmDialog({ title, children, isOpen, onOpenChange, error, isPending, ...props }: Props) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <DialogBackdrop />
        <AlertDialog.Popup className={styles.popup} finalFocus={props.focusAfter}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.text} render={<div />}>
            {children}
          </AlertDialog.Description>
          {error !== null && <ProblemNotice error={error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button />}>{props.closeLabel}</AlertDialog.Close>
            <Button
              variant={props.isDangerous ? 'destructive' : 'primary'}
              disabled={isPending}
              onClick={props.onConfirm}
            >
              {props.confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
