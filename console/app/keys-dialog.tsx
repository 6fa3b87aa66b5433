import { Dialog } from '@base-ui/react/dialog';
import { Button } from '../ui/button.tsx';
import styles from '../ui/dialog.module.css';
import { DialogBackdrop } from '../ui/dialog-backdrop.tsx';
import { KEYS, keyText } from './keys.ts';
import keyStyles from './keys-dialog.module.css';

/** Shows the keys of the console. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <DialogBackdrop />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className={styles.title}>Keyboard</Dialog.Title>
          <dl className={keyStyles.keys}>
            {KEYS.map(({ name, does }) => (
              <div key={name}>
                <dt>{does}</dt>
                <dd>
                  {keyText(name)
                    .split(' ')
                    .map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
          <div className={styles.actions}>
            <Dialog.Close render={<Button />}>Close</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
