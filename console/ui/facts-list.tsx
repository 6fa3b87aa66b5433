import type { ReactNode } from 'react';

/** Names with their values. Those without a value are left out. */
export function FactsList({
  facts,
  className,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  readonly className: string | undefined;
}) {
  return (
    <dl className={className}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
