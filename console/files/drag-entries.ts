import { type DragEvent, useState } from 'react';
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

/** The properties of an element onto which entries can be dropped, to move them into `folder`. undefined: they cannot. */
export function useDropTarget(folder: string | undefined, onPaths: (paths: readonly string[], folder: string) => void) {
  const [isOver, setOver] = useState(false);
  if (folder === undefined) return {};
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move' as const;
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer.types.includes(TYPE)) return;
      event.preventDefault();
      onPaths(draggedPaths(event), folder);
    },
  };
}
