import { useEffect, useEffectEvent, useState } from 'react';
import { isDialogOpen } from '../ui/is-dialog-open.ts';
import { type ChosenFile, droppedFiles } from '../uploads/chosen-files.ts';

/** Whether files are dragged that no element has taken. */
const isUntakenFileDrag = (event: DragEvent): event is DragEvent & { readonly dataTransfer: DataTransfer } =>
  !event.defaultPrevented && event.dataTransfer?.types.includes('Files') === true;

/**
 * Takes files that are dropped anywhere on the page, unless an element has taken them or a dialog is open. Otherwise, the browser would open
 * the file, which ends running uploads. `onDrop` is called at once: finding the files of a dropped folder takes time, in which the user may
 * open another page. Returns whether files are being dragged over the page.
 */
export function usePageDrop(onDrop: (files: Promise<readonly ChosenFile[]>) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    let entered: EventTarget | null = null;
    const onDragEnter = ({ target }: DragEvent): void => {
      entered = target;
    };
    const onDragOver = (event: DragEvent): void => {
      const isTaken = isUntakenFileDrag(event) && !isDialogOpen();
      setOver(isTaken);
      if (!isUntakenFileDrag(event)) return;
      event.preventDefault();
      if (!isTaken) event.dataTransfer.dropEffect = 'none';
    };
    // The pointer enters an element before it leaves the one before. So if it leaves the element that it entered last, it leaves the window.
    // `relatedTarget` would say so too, but Safari never sets it.
    const onDragLeave = ({ target }: DragEvent): void => {
      if (target === entered) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!isUntakenFileDrag(event)) return;
      event.preventDefault();
      if (!isDialogOpen()) take(droppedFiles(event.dataTransfer));
    };
    document.addEventListener('dragenter', onDragEnter);
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('dragleave', onDragLeave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragenter', onDragEnter);
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('dragleave', onDragLeave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
