import { useId } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import styles from '../operate-page.module.css';

const SCOPES = [
  { scope: 'jobs:read', does: 'See its jobs, logs, watches, webhooks, and all that was sent to them' },
  {
    scope: 'jobs:write',
    does: 'Submit and cancel jobs, add webhooks, and with files:read watches',
  },
  { scope: 'files:read', does: 'List and download files, also results' },
  {
    scope: 'files:write',
    does: 'Upload, move and delete files. Jobs write their results without it',
  },
  { scope: 'admin', does: 'Everything, for all clients' },
] as const;

type Scope = (typeof SCOPES)[number]['scope'];

/** The scopes that are preselected for a new client: those of a program that converts files and gets the results. */
export const USUAL_SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'files:read'];

export function ScopeFields({ chosen }: { readonly chosen: readonly string[] }) {
  const id = useId();
  const errors = useFieldErrors('scopes');
  return (
    <fieldset aria-describedby={errors.length > 0 ? id : undefined}>
      <legend>Scopes</legend>
      <div className={styles.lines}>
        {SCOPES.map(({ scope, does }) => (
          <label key={scope}>
            <input type="checkbox" name="scopes" value={scope} defaultChecked={chosen.includes(scope)} />
            <span>
              {does} <code className={`${styles.code} ${styles.scope}`}>{scope}</code>
            </span>
          </label>
        ))}
      </div>
      <FieldErrors id={id} name="scopes" errors={errors} />
    </fieldset>
  );
}

export const chosenScopes = (form: FormData): Scope[] =>
  SCOPES.map(({ scope }) => scope).filter((scope) => form.getAll('scopes').includes(scope));
