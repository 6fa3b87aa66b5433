import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { type ChosenFile, droppedFiles, pickedFiles } from './chosen-files.ts';
import styles from './drop-zone.module.css';

interface Props {
  /** What to do here, such as "Drop video or audio files here". */
  readonly label: string;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
  /** Whether it is a line beside other content, rather than what a page begins with. */
  readonly isLine?: boolean;
  /** Other ways to choose a file, beside the button. */
  readonly children?: ReactNode;
}

/** An area onto which files and folders can be dropped, with a button that opens the file dialog of the browser. */
export function DropZone({ label, onFiles, isLine = false, children }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way to do what the button does.
    <div
      className={styles.zone}
      data-over={isOver}
      data-line={isLine}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void droppedFiles(event.dataTransfer).then(onFiles);
      }}
    >
      <p>{label}</p>
      <div className={styles.ways}>
        <Button onClick={() => picker.current?.click()}>Choose files…</Button>
        {children}
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={({ currentTarget }) => {
          onFiles(pickedFiles(currentTarget.files ?? []));
          // Else choosing the same file again would be no change.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
