import { useMutation } from '@tanstack/react-query';
import type { Webhook } from '@telecine/client';
import { client } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../operate-page.module.css';
import { chosenEvents, EventFields } from './event-fields.tsx';

export function ChangeWebhookDialog({
  webhook,
  onClose,
  onChanged,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onChanged: (changed: Webhook) => void;
}) {
  const change = useMutation({
    mutationFn: (form: FormData) => {
      const url = String(form.get('url') ?? '').trim();
      const description = String(form.get('description') ?? '').trim();
      return client.changeWebhook(webhook.webhookId, {
        // The shown URL lacks its password and query, so send only a new URL.
        ...(url !== '' && { url }),
        events: chosenEvents(form) ?? null,
        description: description === '' ? null : description,
      });
    },
    onSuccess: onChanged,
  });
  return (
    <FormDialog
      title="Change the webhook"
      action="Save"
      isPending={change.isPending}
      error={change.error}
      onSend={(form) => change.mutate(form)}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Field label="New URL (empty: unchanged)" name="url" autoComplete="off" placeholder={webhook.url} />
        <EventFields chosen={webhook.events} />
        <Field
          label="Note (for yourself)"
          name="description"
          autoComplete="off"
          maxLength={200}
          defaultValue={webhook.description}
        />
      </div>
    </FormDialog>
  );
}
