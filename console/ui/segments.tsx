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

/** More values than this do not fit into one line of a phone. */
const MANY = 4;

/** A choice between a few values, all of which are visible. */
export function Segments<Value>({ label, options, value, onChoose, isDisabled = false }: Props<Value>) {
  return (
    <div role="group" aria-label={label} className={styles.segments} data-many={options.length > MANY}>
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
