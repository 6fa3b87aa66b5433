import { useMutation } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { entriesText } from './move-targets.ts';

/** Asks before entries are deleted permanently. The console asks only if the service keeps no deleted files. */
export function DeleteDialog({
  paths,
  onDeleted,
  onClose,
}: {
  readonly paths: readonly string[];
  readonly onDeleted: (deleted: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  const run = useMutation({
    mutationFn: async () => {
      const { deleted, failed } = await client.deleteFiles({ paths: [...paths] });
      if (deleted.length > 0) onDeleted(deleted.map(({ path }) => path));
      const [first] = failed;
      if (first !== undefined) throw new Error(first.detail);
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={`Delete ${entriesText(paths)}?`}
      action="Delete"
      isPending={run.isPending}
      error={run.error}
      onSend={() => run.mutate()}
      onClose={onClose}
    >
      <p>They are deleted permanently. A folder must be empty.</p>
    </FormDialog>
  );
}
