import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './menu.module.css';
import popup from './popup.module.css';

/** Actions that are needed rarely, behind one button. Pressing one of them closes the menu. `label`: the name for screen readers. */
export function Menu({
  label,
  variant = 'plain',
  children,
}: {
  readonly label: string;
  readonly variant?: 'plain' | 'quiet';
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.menu}>
      <Button variant={variant} popoverTarget={id} aria-label={label}>
        <Ellipsis /> <span className={styles.name}>More</span>
      </Button>
      <MenuItems id={id}>{children}</MenuItems>
    </div>
  );
}

/** The actions of a menu, which the button with the popover target `id` shows. `onOpen`: called before they are shown. */
export function MenuItems({
  id,
  onOpen,
  children,
}: {
  readonly id: string;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}) {
  const items = useRef<HTMLDivElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it act, and their click also closes it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button is a click.
    <div
      id={id}
      ref={items}
      popover="auto"
      className={`${popup.popup} ${popup.actions} ${styles.items}`}
      onBeforeToggle={onOpen}
      onClick={() => items.current?.hidePopover()}
    >
      {children}
    </div>
  );
}
