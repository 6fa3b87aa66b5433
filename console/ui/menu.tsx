import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './menu.module.css';
import popup from './popup.module.css';

/** Actions that are needed rarely, behind one button. Pressing one of them closes the menu. `label`: the name for screen readers. */
export function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <div className={styles.menu}>
      <Button popoverTarget={id} aria-label={label}>
        <Ellipsis /> <span className={styles.name}>More</span>
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it act, and their click also closes it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button is a click. */}
      <div
        id={id}
        ref={menu}
        popover="auto"
        className={`${popup.popup} ${popup.actions} ${styles.items}`}
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </div>
  );
}
