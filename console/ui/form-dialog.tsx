import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { ProblemNotice } from './problem-notice.tsx';

interface Props {
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly isPending: boolean;
  /** Why the last try failed. Null if it did not. */
  readonly error: unknown;
  readonly onSend: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open dialog with a form. Mount it to open it. */
export function FormDialog({ title, action, isPending, error, onSend, onClose, children }: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.popup}
          render={
            <form
              onSubmit={(event) => {
                event.preventDefault();
                onSend(new FormData(event.currentTarget));
              }}
            />
          }
          role="dialog"
        >
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          {children}
          {error !== null && error !== undefined && <ProblemNotice error={error} />}
          <div className={styles.actions}>
            <Dialog.Close render={<Button />}>Close</Dialog.Close>
            <Button type="submit" variant="primary" disabled={isPending}>
              {action}
            </Button>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
