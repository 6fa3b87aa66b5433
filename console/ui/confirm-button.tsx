import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { Button } from './button.tsx';

interface Props<Done> {
  /** The text of the button. The button in the dialog has the same text unless `confirmLabel` is set. */
  readonly label: string;
  readonly confirmLabel?: string;
  /** An icon before the text of the button. */
  readonly icon?: ReactNode;
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

/** Load the dialog when it is first opened, because the first page has such a button, and most people never press it. */
const ConfirmDialog = lazyComponent(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog);

/** A button that opens a dialog, which explains the action and runs it. The dialog stays open if the action fails. */
export function ConfirmButton<Done>(props: Props<Done>) {
  const { label, confirmLabel = label, icon, title, children, action, onDone, variant = 'danger', name } = props;
  const { closeLabel = 'Cancel', focusAfter, isDisabled } = props;
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  const run = useMutation({
    mutationFn: action,
    onSuccess: (done) => {
      isDone.current = true;
      setOpen(false);
      onDone?.(done);
    },
  });
  const change = (open: boolean): void => {
    run.reset();
    isDone.current = false;
    setOpen(open);
    setOpened(true);
  };
  return (
    <>
      <Button
        ref={button}
        variant={variant}
        aria-label={name}
        aria-haspopup="dialog"
        disabled={isDisabled}
        onClick={() => change(true)}
      >
        {icon}
        {label}
      </Button>
      {wasOpened && (
        <ConfirmDialog
          title={title}
          isOpen={isOpen}
          onOpenChange={change}
          confirmLabel={confirmLabel}
          closeLabel={closeLabel}
          isDangerous={variant === 'danger'}
          isPending={run.isPending}
          error={run.error}
          onConfirm={() => run.mutate()}
          focusAfter={() =>
            isDone.current && focusAfter !== undefined ? focusAfter.current : (shownOf(button.current) ?? true)
          }
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}

/** What can have the focus again: the button, or that of the menu which the button is in, because the menu is closed now. */
function shownOf(button: HTMLElement | null): HTMLElement | null {
  const menu = button?.closest('[popover]');
  return menu ? document.querySelector<HTMLElement>(`[popovertarget="${menu.id}"]`) : button;
}
