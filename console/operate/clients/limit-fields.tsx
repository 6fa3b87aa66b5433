import type { Client } from '@telecine/client';
import { useId } from 'react';
import { LIMIT_HINTS, LIMITS, limitText, sentLimit } from './client-limits.ts';
import styles from './limit-fields.module.css';

/** The limits of a client, each with a field. An empty field is the default of the service. */
export function LimitFields({ limits = {} }: { readonly limits?: Client['limits'] }) {
  const id = useId();
  return (
    <details className={styles.limits} open={Object.keys(limits).length > 0}>
      <summary>Limits of its own</summary>
      <p className={styles.hint}>
        An empty field is the default of the service. <code>none</code> removes a limit.
      </p>
      <div className={styles.fields}>
        {LIMITS.map(({ key, name, kind }) => {
          const value = limits[key];
          return (
            <div key={key} className={styles.field}>
              <label htmlFor={`${id}${key}`}>
                {name} <code>{key}</code>
              </label>
              <input
                id={`${id}${key}`}
                name={`limit.${key}`}
                placeholder={LIMIT_HINTS[kind]}
                defaultValue={sentLimit(key, value)}
                title={value === undefined ? undefined : `Now: ${limitText(key, value)}`}
                autoComplete="off"
              />
            </div>
          );
        })}
      </div>
    </details>
  );
}
