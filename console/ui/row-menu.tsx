import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import menu from './menu.module.css';
import { MenuItems } from './menu.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import styles from './row-menu.module.css';

/**
 * The actions on one row of a list, behind a button at the end of the row. They are rendered when the menu is first opened, so that a long
 * list stays fast. `label`: the name of the button for screen readers, with the name of the row.
 */
export function RowMenu({
  label,
  error = null,
  onClose,
  children,
}: {
  readonly label: string;
  /** Why an action failed. It is shown at the bottom of the window, because a row has no room for it. */
  readonly error?: Error | null;
  /** Called when the user has read the error. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}) {
  const id = useId();
  // The actions stay when the menu closes, because one of them may have opened a dialog.
  const [wasOpened, setOpened] = useState(false);
  return (
    <span className={`${menu.menu} ${styles.menu}`}>
      <Button variant="quiet" popoverTarget={id} aria-label={label} title="Actions">
        <Ellipsis />
      </Button>
      <MenuItems id={id} onOpen={() => setOpened(true)}>
        {wasOpened && children}
      </MenuItems>
      {error !== null && (
        <div className={styles.error}>
          <ProblemNotice error={error} onClose={onClose} />
        </div>
      )}
    </span>
  );
}
