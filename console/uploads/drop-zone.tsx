import Film from 'lucide-react/icons/film';
import Upload from 'lucide-react/icons/upload';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { type ChosenFile, droppedFiles } from './chosen-files.ts';
import styles from './drop-zone.module.css';
import { FilePicker } from './file-picker.tsx';

interface Props {
  /** The instruction, such as "Drop video or audio files here". */
  readonly label: string;
  /** A sentence below the instruction. */
  readonly note?: string | undefined;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
  /** Whether the area is only one line, beside other content of the page. */
  readonly isLine?: boolean;
  /** Whether choosing files is the main action of the page. Default: if the area is more than one line. */
  readonly isNext?: boolean;
  /** Further controls for choosing a file, next to the button. */
  readonly children?: ReactNode;
}

/** An area onto which the user can drop files and folders. It has a button for the file dialog. */
export function DropZone({ label, onFiles, isLine = false, isNext = !isLine, note, children }: Props) {
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
      {!isLine && (
        <span className={styles.icon}>
          <Film />
        </span>
      )}
      <p className={styles.label}>{label}</p>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      <div className={styles.ways}>
        <Button variant={isNext ? 'primary' : 'plain'} onClick={() => picker.current?.click()}>
          <Upload /> Choose files…
        </Button>
        {children}
      </div>
      <FilePicker ref={picker} onFiles={onFiles} />
    </div>
  );
}
