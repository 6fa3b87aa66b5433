import { useEffect, useRef } from 'react';
import { nameOf } from './file-list.ts';
import { stemLength } from './move-targets.ts';
import styles from './rename-field.module.css';

/** A field for the name of an entry, in its place in the list. Enter and leaving the field confirm, and Escape cancels. */
export function RenameField({
  path,
  onEnd,
}: {
  readonly path: string;
  /** `name`: undefined if the user cancels. */
  readonly onEnd: (path: string, name: string | undefined) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const isEnded = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, stemLength(path));
  }, [path]);
  const end = (name: string | undefined): void => {
    if (isEnded.current) return;
    isEnded.current = true;
    onEnd(path, name);
  };
  return (
    <input
      ref={field}
      className={styles.field}
      aria-label={`New name of ${nameOf(path)}`}
      defaultValue={nameOf(path)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(event.currentTarget.value);
        else if (event.key === 'Escape') end(undefined);
      }}
      onBlur={(event) => end(event.currentTarget.value)}
    />
  );
}
