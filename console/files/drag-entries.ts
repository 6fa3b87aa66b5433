import { type DragEvent, useState } from 'react';
import { droppedFiles } from '../uploads/chosen-files.ts';
import { type ListActions, pathAt } from './list-actions.ts';

/** The type of dragged data: the paths of entries as JSON. Other pages and programs ignore it. */
const TYPE = 'application/x-telecine-paths';

/** Begins to drag an entry, and all selected entries with it. */
export function onDragStart(event: DragEvent, actions: ListActions): void {
  const path = pathAt(event.target);
  if (path === undefined || !actions.mayWrite) return;
  event.dataTransfer.setData(TYPE, JSON.stringify(actions.dragged(path)));
  event.dataTransfer.effectAllowed = 'move';
}

function draggedPaths({ dataTransfer }: DragEvent): readonly string[] {
  const paths: unknown = JSON.parse(dataTransfer.getData(TYPE) || '[]');
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/**
 * The properties of an element onto which entries can be dropped, to move them into `folder`, and files of the computer, to upload them to it.
 * undefined: they cannot.
 */
export function useDropTarget(folder: string | undefined, actions: Pick<ListActions, 'moveInto' | 'uploadInto'>) {
  const [isOver, setOver] = useState(false);
  if (folder === undefined) return {};
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      const effect = effectOf(event);
      if (effect === undefined) return;
      // The page takes the files that no element has taken.
      event.preventDefault();
      event.dataTransfer.dropEffect = effect;
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const effect = effectOf(event);
      if (effect === undefined) return;
      event.preventDefault();
      if (effect === 'move') actions.moveInto(draggedPaths(event), folder);
      else actions.uploadInto(droppedFiles(event.dataTransfer), folder);
    },
  };
}

/** What a drop does: moves entries, or copies files of the computer. undefined: nothing. */
function effectOf({ dataTransfer: { types } }: DragEvent): 'move' | 'copy' | undefined {
  if (types.includes(TYPE)) return 'move';
  return types.includes('Files') ? 'copy' : undefined;
}
