import { useId, useState } from 'react';
import { partOf } from './part-text.ts';
import type { Range } from './trim-range.ts';
import styles from './trim-strip.module.css';
import { clockText } from './trim-time.ts';

/** The part as a text, which the user can replace: by its start and its end, or its start and its length, whatever the recipe has. */
export function PartField({
  range,
  duration,
  facts,
  onChange,
}: {
  readonly range: Range;
  readonly duration: number;
  /** What else is said of the part. */
  readonly facts: string;
  readonly onChange: (range: Range) => void;
}) {
  const id = useId();
  const hint = useId();
  /** What is being typed. undefined: the field does not have the focus, or nothing was typed. */
  const [typed, setTyped] = useState<string>();
  const [isUsed, setUsed] = useState(false);
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        Part, from – to
      </label>
      <input
        id={id}
        type="text"
        className={styles.part}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={hint}
        aria-invalid={(typed !== undefined && partOf(typed, duration) === undefined) || undefined}
        value={typed ?? `${clockText(range.start)} – ${clockText(range.end)}`}
        onFocus={({ currentTarget }) => {
          setUsed(true);
          currentTarget.select();
        }}
        onBlur={() => {
          setUsed(false);
          setTyped(undefined);
        }}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          const part = partOf(value, duration);
          if (part !== undefined) onChange(part);
        }}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      />
      <p id={hint} className={styles.times}>
        {isUsed ? 'From–to, such as 2-5, or from+length, such as 2+3' : facts}
      </p>
    </>
  );
}
