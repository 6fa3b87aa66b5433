import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './segments.module.css';

interface Props<Value> {
  /** The name of the group for screen readers. */
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Whether nothing can be chosen now. */
  readonly isDisabled?: boolean;
}

/** A choice between a few values, on one line, which scrolls where it is too long for the window. */
export function Segments<Value>({ label, options, value, onChoose, isDisabled = false }: Props<Value>) {
  const line = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is elsewhere on the line.
  useEffect(() => {
    const [all, chosen] = [line.current, line.current?.querySelector<HTMLElement>('[aria-pressed="true"]')];
    if (all && chosen) all.scrollLeft = chosen.offsetLeft - (all.clientWidth - chosen.offsetWidth) / 2;
  }, [value]);
  return (
    // With disabled buttons, the line itself is focused, so that keys scroll it.
    <div ref={line} role="group" aria-label={label} tabIndex={isDisabled ? 0 : undefined} className={styles.segments}>
      {options.map((option) => (
        <Button
          key={option.name}
          variant="quiet"
          disabled={isDisabled}
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.name}
        </Button>
      ))}
    </div>
  );
}
