import type { Ref } from 'react';
import { type ChosenFile, pickedFiles } from './chosen-files.ts';

/** The hidden field behind a button that opens the file dialog of the browser. */
export function FilePicker({
  ref,
  onFiles,
}: {
  readonly ref: Ref<HTMLInputElement>;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
}) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      aria-label="Files to upload"
      onChange={({ currentTarget }) => {
        onFiles(pickedFiles(currentTarget.files ?? []));
        // Clear the field. Otherwise choosing the same file again would not be a change, and nothing would happen.
        currentTarget.value = '';
      }}
    />
  );
}
