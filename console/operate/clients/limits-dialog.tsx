import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '@telecine/client';
import { client } from '../../app/client.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../operate-page.module.css';
import { changedLimits } from './client-limits.ts';
import { clientsQuery } from './clients-query.ts';
import { LimitFields } from './limit-fields.tsx';

/** Why nothing changes at once. */
export const WHEN_LIMITS_APPLY = 'Changed limits apply at once, those of a job when it starts.';

/** Changes the limits of a client, and nothing else. */
export function LimitsDialog({
  clientId,
  onClose,
  onChanged,
}: {
  readonly clientId: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const found = useQuery(clientsQuery).data?.clients.find((one) => one.clientId === clientId);
  return found && <Limits client={found} onClose={onClose} onChanged={onChanged} />;
}

function Limits({
  client: { clientId, limits },
  onClose,
  onChanged,
}: {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async (form: FormData) => {
      const changes = changedLimits(form, limits);
      if (Object.keys(changes).length === 0) return onClose();
      await client.changeClient(clientId, { limits: changes });
      void queries.invalidateQueries({ queryKey: clientsQuery.queryKey });
      onChanged();
    },
  });
  return (
    <FormDialog
      title={`Limits of ${clientId}`}
      action="Save"
      isPending={change.isPending}
      error={change.error}
      onSend={(form) => change.mutate(form)}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p className={styles.soft}>{WHEN_LIMITS_APPLY}</p>
        <LimitFields isOpen {...(limits !== undefined && { limits })} />
      </div>
    </FormDialog>
  );
}
