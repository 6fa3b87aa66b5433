import { useQuery } from '@tanstack/react-query';
import type { Client } from '@telecine/client';
import { useId, useState } from 'react';
import { FieldErrors, useFieldErrors } from '../../ui/field-errors.tsx';
import {
  defaultText,
  isFoundLimit,
  isOddLimit,
  LIMIT_GROUPS,
  type Limit,
  limitHelp,
  limitName,
  shownLimit,
} from './client-limits.ts';
import { clientsQuery } from './clients-query.ts';
import styles from './limit-fields.module.css';

/** How a value with a unit is written. */
const EXAMPLES: Readonly<Partial<Record<Limit['kind'], string>>> = {
  bytes: 'such as 8G',
  time: 'such as 2h',
  deny: 'to forbid it: deny',
};

/** A field for each limit of a client. An empty one shows the default of the service, which then applies. `isOpen`: at first. */
export function LimitFields({
  limits = {},
  isOpen = false,
}: {
  readonly limits?: Client['limits'];
  readonly isOpen?: boolean;
}) {
  const isWrong = useFieldErrors('limits').length > 0;
  const defaults = useQuery(clientsQuery).data?.defaultLimits;
  const [search, setSearch] = useState('');
  return (
    <details className={styles.limits} open={isOpen || isWrong || Object.keys(limits).length > 0}>
      <summary>Own limits</summary>
      <p className={styles.hint}>
        An empty field has the default of the service. <code>none</code> removes a limit.
      </p>
      <input
        type="search"
        className={styles.search}
        aria-label="Find a limit"
        placeholder="Find a limit, such as length"
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        // Enter would send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {LIMIT_GROUPS.map((group) => (
        <fieldset key={group.name} className={styles.group}>
          <legend>{group.name}</legend>
          <div className={styles.fields} data-count={group.limits.length}>
            {group.limits.map((limit) => (
              <LimitField
                key={limit.key}
                limit={limit}
                isFound={isFoundLimit(limit, group.name, search)}
                value={limits[limit.key]}
                usual={defaults && defaultText(limit, defaults[limit.key])}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {LIMIT_GROUPS.every(({ name, limits }) => !limits.some((limit) => isFoundLimit(limit, name, search))) && (
        <p className={styles.hint}>No limit has these words.</p>
      )}
    </details>
  );
}

function LimitField({
  limit: { key, name, kind, note },
  isFound,
  value,
  usual,
}: {
  readonly limit: Limit;
  /** Whether the search has found it. A field that is left out keeps its value. */
  readonly isFound: boolean;
  readonly value: number | null | undefined;
  /** The default in words. undefined: not read yet. */
  readonly usual: string | undefined;
}) {
  const id = useId();
  const errors = useFieldErrors(limitName(key));
  // The service reports a wrong name before it reads the limits, so a value that is not one is marked here.
  const [isOdd, setOdd] = useState(false);
  const hint = [note, EXAMPLES[kind]].filter(Boolean).join(', ');
  const isOwnError = isOdd && errors.length === 0;
  const isWrong = errors.length > 0 || isOwnError;
  return (
    <div className={styles.field} hidden={!isFound && !isWrong}>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        name={limitName(key)}
        placeholder={usual}
        defaultValue={shownLimit(key, value)}
        autoComplete="off"
        onBlur={({ currentTarget }) => setOdd(isOddLimit(kind, currentTarget.value))}
        onInput={() => setOdd(false)}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : hint === '' ? undefined : `${id}-hint`}
      />
      {hint !== '' && !isWrong && (
        <p id={`${id}-hint`} className={styles.unit}>
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} name={limitName(key)} errors={isOwnError ? [oddValue(key, kind)] : errors} />
    </div>
  );
}

/** The error of a value that the limit does not accept, as the service would report it. */
const oddValue = (key: string, kind: Limit['kind']) => ({
  field: `/limits/${key}`,
  code: 'INVALID_LIMIT',
  message: limitHelp(kind),
});
