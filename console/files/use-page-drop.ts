import { useEffect, useEffectEvent, useState } from 'react';
import { type ChosenFile, droppedFiles } from '../uploads/chosen-files.ts';

const hasFiles = (event: DragEvent): event is DragEvent & { readonly dataTransfer: DataTransfer } =>
  !event.defaultPrevented && event.dataTransfer?.types.includes('Files') === true;

/**
 * Takes files that are dropped anywhere on the page, unless an element has taken them. `onDrop` is called at once: finding the files of a
 * dropped folder takes time, in which the user may open another page. Returns whether files are being dragged over the page.
 */
export function usePageDrop(onDrop: (files: Promise<readonly ChosenFile[]>) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // The pointer leaves an element for one inside it all the time. It has left the window when there is no other element.
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      take(droppedFiles(event.dataTransfer));
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('dragleave', onDragLeave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('dragleave', onDragLeave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}
