import { useMutation } from '@tanstack/react-query';
import { ClientError, type ClientWithSecret } from '@telecine/client';
import { useEffect, useRef } from 'react';
import { client } from '../../app/client.ts';
import { Field } from '../../ui/field.tsx';
import { useFieldErrors } from '../../ui/field-errors.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from '../operate-page.module.css';
import { changedLimits } from './client-limits.ts';
import { LimitFields } from './limit-fields.tsx';
import { chosenScopes, ScopeFields, USUAL_SCOPES } from './scope-fields.tsx';

export function NewClientDialog({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void;
  readonly onAdded: (added: ClientWithSecret) => void;
}) {
  const add = useMutation({
    mutationFn: (form: FormData) => {
      const root = textOf(form, 'root');
      const externalSubject = textOf(form, 'externalSubject');
      return client.addClient({
        clientId: textOf(form, 'clientId'),
        scopes: chosenScopes(form),
        limits: changedLimits(form),
        ...(root !== '' && { root }),
        ...(form.has('usesFiles') && { usesFiles: true }),
        ...(externalSubject !== '' && { externalSubject }),
      });
    },
    onSuccess: onAdded,
  });
  return (
    <FormDialog
      title="Add a client"
      action="Add"
      isPending={add.isPending}
      error={add.error}
      onSend={(form) => add.mutate(form)}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Field label="Name" name="clientId" required autoComplete="off" maxLength={64} placeholder="shop" />
        <Field
          label="Folder of its files (empty: named like the client)"
          name="root"
          autoComplete="off"
          placeholder="teams/shop"
        />
        {isUnconfirmed(add.error) && (
          <div className={styles.checks}>
            <label>
              <input type="checkbox" name="usesFiles" /> The client may use the files in this folder
            </label>
          </div>
        )}
        <ScopeFields chosen={USUAL_SCOPES} />
        <LimitFields />
        <ExternalFields />
      </div>
    </FormDialog>
  );
}

/** For a client without a secret, which few services have. */
function ExternalFields() {
  const isWrong = useFieldErrors('externalSubject').length > 0;
  const fold = useRef<HTMLDetailsElement>(null);
  // It stays open while the value is corrected.
  useEffect(() => {
    if (isWrong && fold.current !== null) fold.current.open = true;
  }, [isWrong]);
  return (
    <details ref={fold} className={styles.fold}>
      <summary>No secret: it signs in at an identity provider</summary>
      <Field
        label="What the provider calls it: the “sub” of its tokens"
        name="externalSubject"
        autoComplete="off"
        placeholder="248289761001"
      />
    </details>
  );
}

/** Whether the client was not added because the folder with its name contains files. */
const isUnconfirmed = (error: unknown): boolean =>
  error instanceof ClientError && error.errors.some(({ code }) => code === 'NOT_CONFIRMED');

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
