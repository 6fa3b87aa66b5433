import { useMutation } from '@tanstack/react-query';
import type { AddedWebhook } from '@telecine/client';
import { client } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../operate-page.module.css';
import { chosenEvents, EventFields } from './event-fields.tsx';

export function NewWebhookDialog({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void;
  readonly onAdded: (added: AddedWebhook) => void;
}) {
  const add = useMutation({
    mutationFn: (form: FormData) => {
      const events = chosenEvents(form);
      const description = String(form.get('description') ?? '').trim();
      return client.addWebhook({
        url: String(form.get('url') ?? '').trim(),
        ...(events !== undefined && { events }),
        ...(description !== '' && { description }),
      });
    },
    onSuccess: onAdded,
  });
  return (
    <FormDialog
      title="Add a webhook"
      action="Add"
      isPending={add.isPending}
      error={add.error}
      onSend={(form) => add.mutate(form)}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Field label="URL" name="url" required autoComplete="off" placeholder="https://example.org/hooks/telecine" />
        <EventFields />
        <Field label="Note (for yourself)" name="description" autoComplete="off" maxLength={200} />
      </div>
    </FormDialog>
  );
}
