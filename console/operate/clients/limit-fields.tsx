import { useQuery } from '@tanstack/react-query';
import type { Client } from '@telecine/client';
import { useId } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import { defaultText, LIMIT_GROUPS, LIMIT_HINTS, type Limit, limitName, shownLimit } from './client-limits.ts';
import { clientsQuery } from './clients-query.ts';
import styles from './limit-fields.module.css';

/** A field for each limit of a client, with the default of the service, which applies if the field is empty. */
export function LimitFields({ limits = {} }: { readonly limits?: Client['limits'] }) {
  const isWrong = useFieldErrors('limits').length > 0;
  const defaults = useQuery(clientsQuery).data?.defaultLimits;
  return (
    <details className={styles.limits} open={isWrong || Object.keys(limits).length > 0}>
      <summary>Own limits</summary>
      <p className={styles.hint}>
        Leave a field empty for the default of the service. Write <code>none</code> to remove a limit.
      </p>
      {LIMIT_GROUPS.map((group) => (
        <fieldset key={group.name} className={styles.group}>
          <legend>{group.name}</legend>
          <div className={styles.fields}>
            {group.limits.map((limit) => (
              <LimitField
                key={limit.key}
                limit={limit}
                value={limits[limit.key]}
                usual={defaults && defaultText(limit, defaults[limit.key])}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </details>
  );
}

function LimitField({
  limit: { key, name, kind },
  value,
  usual,
}: {
  readonly limit: Limit;
  readonly value: number | null | undefined;
  /** The default in words. undefined: not read yet. */
  readonly usual: string | undefined;
}) {
  const id = useId();
  const errors = useFieldErrors(limitName(key));
  const isWrong = errors.length > 0;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        name={limitName(key)}
        placeholder={LIMIT_HINTS[kind]}
        defaultValue={shownLimit(key, value)}
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error ${id}-usual` : `${id}-usual`}
      />
      <p id={`${id}-usual`} className={styles.usual}>
        {usual === undefined ? '…' : `Default: ${usual}`}
      </p>
      <FieldErrors id={`${id}-error`} name={limitName(key)} errors={errors} />
    </div>
  );
}
