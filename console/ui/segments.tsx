import { Button } from './button.tsx';
import styles from './segments.module.css';

interface Props<Value> {
  /** The name of the group for screen readers. */
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

/** A choice between a few values, all of which are visible. */
export function Segments<Value>({ label, options, value, onChoose }: Props<Value>) {
  return (
    <div role="group" aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <Button
          key={option.name}
          variant="quiet"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.name}
        </Button>
      ))}
    </div>
  );
}
