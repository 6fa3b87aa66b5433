import { Dialog } from '@base-ui/react/dialog';
import styles from './dialog.module.css';

/** Dims what is behind a dialog, also if that is another dialog, which Base UI would leave as it is. */
export const DialogBackdrop = () => <Dialog.Backdrop className={styles.backdrop} forceRender />;
