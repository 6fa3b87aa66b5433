import type { ChosenFile } from './chosen-files.ts';

/** Opens the dialog of the browser for a folder. Calls `onFiles` with all files in it, except hidden ones. */
export function pickFolder(onFiles: (files: readonly ChosenFile[]) => void): void {
  const picker = document.createElement('input');
  picker.type = 'file';
  picker.webkitdirectory = true;
  picker.addEventListener('change', () => onFiles(filesInFolder(picker.files ?? [])));
  picker.click();
}

/** The files of a chosen folder. Their paths begin with the name of the folder. Skips hidden files, such as `.DS_Store`, and hidden folders. */
export const filesInFolder = (files: Iterable<File>): readonly ChosenFile[] =>
  [...files]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ path }) => !path.split('/').some((name) => name.startsWith('.')));
