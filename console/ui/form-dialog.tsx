import { Dialog } from '@base-ui/react/dialog';
import { ClientError } from '@telecine/client';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { DialogBackdrop } from './dialog-backdrop.tsx';
import { FieldErrorsProvider } from './field-errors.tsx';
import { isAtControl } from './field-place.ts';
import { ProblemNotice } from './problem-notice.tsx';

interface Props {
  readonly title: string;
  /** The text of the button that sends the form. */
  readonly action: string;
  readonly isPending: boolean;
  /** Whether the form was sent, and its main action is among `children` now. */
  readonly isDone?: boolean;
  /** The error of the last request. null: it did not fail. */
  readonly error: unknown;
  readonly onSend: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const CONTROLS = 'input, select, textarea';

/** A dialog with a form, which is open as long as it is mounted. Errors are shown at the control with the name of the field. */
export function FormDialog({ title, action, isPending, isDone = false, error, onSend, onClose, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [controls, setControls] = useState<readonly string[]>([]);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  // React disables the button only when it has drawn it again, and a double click can be faster.
  const isSent = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form can be sent again when the request has ended, or the form is another one.
  useEffect(() => {
    if (!isPending) isSent.current = false;
  }, [isPending, isDone, error]);
  // The first invalid field may be outside the visible part, so focus it.
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()} disablePointerDismissal>
      <Dialog.Portal>
        <DialogBackdrop />
        <Dialog.Popup
          className={styles.popup}
          // People come to fill in the form. On a phone, the keyboard would cover it.
          initialFocus={(how) => how === 'touch' || form.current?.querySelector<HTMLElement>(CONTROLS)}
          render={
            <form
              ref={form}
              onSubmit={(event) => {
                event.preventDefault();
                if (isSent.current) return;
                isSent.current = true;
                setControls(namesOf(event.currentTarget));
                setChanged(new Set());
                onSend(new FormData(event.currentTarget));
              }}
              onInput={({ target }) => {
                const name = target instanceof Element ? target.getAttribute('name') : null;
                if (name !== null && name !== '') setChanged((before) => new Set(before).add(name));
              }}
            />
          }
          role="dialog"
        >
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <Dialog.Close render={<Button variant="quiet" aria-label="Close" />}>
              <X />
            </Dialog.Close>
          </div>
          <FieldErrorsProvider error={error} changed={changed}>
            {children}
          </FieldErrorsProvider>
          {error !== null && error !== undefined && !isMended(error, changed) && (
            // What is wrong with fields is seen at the fields.
            <div className={isAtFields(error, controls) ? 'visually-hidden' : undefined}>
              <ProblemNotice error={error} controls={controls} />
            </div>
          )}
          {/* The buttons change when the form is sent: the second click of a double click must not press what is in its place then. */}
          <div
            className={styles.actions}
            onClickCapture={(event) => {
              if (event.detail < 2) return;
              event.preventDefault();
              event.stopPropagation();
            }}
          >
            {!isDone && <Dialog.Close render={<Button />}>Cancel</Dialog.Close>}
            <Button type="submit" variant={isDone ? 'plain' : 'primary'} disabled={isPending}>
              {action}
            </Button>
            {/* The last button is what most people press next. */}
            {isDone && <Button onClick={onClose}>Done</Button>}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whether the user has changed all fields that had errors. */
const isMended = (error: unknown, changed: ReadonlySet<string>): boolean =>
  error instanceof ClientError &&
  error.errors.length > 0 &&
  error.errors.every(({ field }) => [...changed].some((name) => isAtControl(field, name)));

/** Whether each error is shown at its control. */
const isAtFields = (error: unknown, controls: readonly string[]): boolean =>
  error instanceof ClientError &&
  error.errors.length > 0 &&
  error.errors.every(({ field }) => controls.some((name) => isAtControl(field, name)));

const namesOf = ({ elements }: HTMLFormElement): readonly string[] => [
  ...new Set([...elements].map((element) => element.getAttribute('name') ?? '').filter((name) => name !== '')),
];
