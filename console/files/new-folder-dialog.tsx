import { useMutation } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { nameOf } from './file-list.ts';

/** Creates a folder in the shown folder. */
export function NewFolderDialog({
  folder,
  onCreated,
  onClose,
}: {
  readonly folder: string;
  /** Called with the path of the new folder, which ends with a slash. */
  readonly onCreated: (path: string) => void;
  readonly onClose: () => void;
}) {
  const create = useMutation({
    mutationFn: (form: FormData) => client.createFolder(`${folder}${String(form.get('path')).trim()}`),
    onSuccess: ({ path }) => {
      onCreated(path);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`New folder in ${folder === '' ? 'Media' : nameOf(folder)}`}
      action="Create the folder"
      isPending={create.isPending}
      error={create.error}
      onSend={(form) => create.mutate(form)}
      onClose={onClose}
    >
      <Field label="Name" name="path" required defaultValue="" />
    </FormDialog>
  );
}
