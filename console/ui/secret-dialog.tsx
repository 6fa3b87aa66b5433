import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './dialog.module.css';
import { DialogBackdrop } from './dialog-backdrop.tsx';
import secretStyles from './secret-dialog.module.css';

/** Shows a secret that the service does not show again. Only the button of the dialog closes it. */
export function SecretDialog({
  title,
  secret,
  onClose,
  children,
  use,
}: {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** How the secret is used, below it. */
  readonly use?: ReactNode;
}) {
  const [wasCopied, setCopied] = useState(false);
  return (
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(open, { reason }) => !open && reason !== 'escape-key' && onClose()}
    >
      <Dialog.Portal>
        <DialogBackdrop />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          <Dialog.Description className={styles.text} render={<div />}>
            {children}
          </Dialog.Description>
          <div className={secretStyles.secret}>
            <code>{secret}</code>
            <CopyButton text={secret} isNext={!wasCopied} onDone={() => setCopied(true)} />
          </div>
          {use}
          <div className={styles.actions}>
            <Dialog.Close render={<Button variant={wasCopied ? 'primary' : 'plain'} />}>I have stored it</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
