import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './segments.module.css';

interface Props<Value> {
  /** The name of the group for screen readers. */
  readonly label: string;
  readonly options: readonly {
    readonly value: Value;
    readonly name: string;
    /** How many there are of this value, and the number in words. With `undefined`, the button keeps the room for a number. */
    readonly count?: { readonly text: string; readonly title: string } | undefined;
  }[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  /** Whether nothing can be chosen now. */
  readonly isDisabled?: boolean;
}

/** Scrolls the line to the chosen button. */
function showChosen(line: HTMLElement): void {
  const chosen = line.querySelector<HTMLElement>('[aria-pressed="true"]');
  if (chosen !== null) line.scrollLeft = chosen.offsetLeft - (line.clientWidth - chosen.offsetWidth) / 2;
}

/** Tells the style sheet at which ends the line goes on. */
function markEnds(line: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = line;
  line.dataset['before'] = String(scrollLeft > 1);
  line.dataset['after'] = String(scrollLeft + clientWidth < scrollWidth - 1);
}

/** A choice between a few values, on one line, which scrolls where it is too long for the window. */
export function Segments<Value>({ label, options, value, onChoose, isDisabled = false }: Props<Value>) {
  const line = useRef<HTMLDivElement>(null);
  const counted = options.map(({ count }) => (count === undefined ? '' : '#')).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is elsewhere on the line, and a count makes it longer.
  useEffect(() => {
    const element = line.current;
    if (element === null) return;
    // Also when the line gets another width, as by turning a phone.
    const observer = new ResizeObserver(() => {
      showChosen(element);
      markEnds(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [value, counted]);
  return (
    // With disabled buttons, the line itself is focused, so that keys scroll it.
    <div
      ref={line}
      role="group"
      aria-label={label}
      tabIndex={isDisabled ? 0 : undefined}
      className={styles.segments}
      onScroll={({ currentTarget }) => markEnds(currentTarget)}
    >
      {options.map((option) => (
        <Button
          key={option.name}
          variant="quiet"
          disabled={isDisabled}
          aria-pressed={option.value === value}
          title={option.count?.title}
          onClick={() => onChoose(option.value)}
        >
          {option.name}
          {'count' in option && (
            <span className={styles.count} aria-hidden="true">
              {option.count?.text}
            </span>
          )}
        </Button>
      ))}
    </div>
  );
}
