import { useMutation } from '@tanstack/react-query';
import type { Client } from '@telecine/client';
import { client } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../operate-page.module.css';
import { changedLimits } from './client-limits.ts';
import { LimitFields } from './limit-fields.tsx';
import { WHEN_LIMITS_APPLY } from './limits-dialog.tsx';
import { chosenScopes, ScopeFields } from './scope-fields.tsx';

export function ChangeClientDialog({
  client: { clientId, root, scopes, limits },
  onClose,
  onChanged,
}: {
  readonly client: Client;
  readonly onClose: () => void;
  /** Called with whether limits were changed. */
  readonly onChanged: (hasOtherLimits: boolean) => void;
}) {
  const change = useMutation({
    mutationFn: async (form: FormData) => {
      const newRoot = String(form.get('root') ?? '').trim();
      const newLimits = changedLimits(form, limits);
      const newScopes = chosenScopes(form);
      const isSame = newScopes.length === scopes.length && newScopes.every((scope) => scopes.includes(scope));
      const changes = {
        ...(newRoot !== root && { root: newRoot }),
        ...(!isSame && { scopes: newScopes }),
        ...(Object.keys(newLimits).length > 0 && { limits: newLimits }),
      };
      if (Object.keys(changes).length > 0) await client.changeClient(clientId, changes);
      return 'limits' in changes;
    },
    onSuccess: onChanged,
  });
  return (
    <FormDialog
      title={`Change the client ${clientId}`}
      action="Save"
      isPending={change.isPending}
      error={change.error}
      onSend={(form) => change.mutate(form)}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Field label="Folder of its files" name="root" required autoComplete="off" defaultValue={root} />
        <ScopeFields chosen={scopes} />
        <LimitFields {...(limits !== undefined && { limits })} />
        <p className={styles.soft}>
          Tokens lose a removed scope within a second. An added scope needs a new token or a new sign-in.{' '}
          {WHEN_LIMITS_APPLY}
        </p>
      </div>
    </FormDialog>
  );
}
