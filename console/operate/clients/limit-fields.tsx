import type { Client } from '@telecine/client';
import { useId } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import { LIMIT_HINTS, LIMITS, limitName, shownLimit } from './client-limits.ts';
import styles from './limit-fields.module.css';

/** A field for each limit of a client. If it is empty, the default of the service applies. */
export function LimitFields({ limits = {} }: { readonly limits?: Client['limits'] }) {
  const isWrong = useFieldErrors('limits').length > 0;
  return (
    <details className={styles.limits} open={isWrong || Object.keys(limits).length > 0}>
      <summary>Own limits</summary>
      <p className={styles.hint}>
        If a field is empty, the default of the service applies. <code>none</code> removes a limit.
      </p>
      <div className={styles.fields}>
        {LIMITS.map((limit) => (
          <LimitField key={limit.key} limit={limit} value={limits[limit.key]} />
        ))}
      </div>
    </details>
  );
}

function LimitField({
  limit: { key, name, kind },
  value,
}: {
  readonly limit: (typeof LIMITS)[number];
  readonly value: number | null | undefined;
}) {
  const id = useId();
  const errors = useFieldErrors(limitName(key));
  const isWrong = errors.length > 0;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {name} <code>{key}</code>
      </label>
      <input
        id={id}
        name={limitName(key)}
        placeholder={LIMIT_HINTS[kind]}
        defaultValue={shownLimit(key, value)}
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      <FieldErrors id={`${id}-error`} name={limitName(key)} errors={errors} />
    </div>
  );
}
