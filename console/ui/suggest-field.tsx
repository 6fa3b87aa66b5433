import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadPart } from '../app/load-part.ts';
import type { BegunInput } from './suggest-combobox.tsx';
import styles from './suggest-field.module.css';

export interface Suggestion {
  readonly value: string;
  /** Shown instead of the value. */
  readonly label?: string;
  /** A short description of the value. */
  readonly detail?: string;
}

interface Props {
  readonly label: string;
  /** Shows the label only to screen readers, if a heading or a column already shows it. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The suggestions for the current value, the best first. The field shows all of them. */
  readonly suggestions: readonly Suggestion[];
  /** Says at the end of the list that there are more suggestions. */
  readonly more?: string | undefined;
  /** Called when a suggestion is chosen, after `onChange`. */
  readonly onChoose?: (value: string) => void;
  /**
   * Whether the list stays open after a suggestion is chosen, because it is a folder and the next ones are its files. Present: the suggestions are
   * paths, and have icons.
   */
  readonly keepsOpen?: (value: string) => boolean;
  /** Gets the focus and opens the list whenever this number rises. */
  readonly opened?: number;
  readonly placeholder?: string;
  /** Shown below the field, such as an error. Screen readers read it with the field. */
  readonly children?: ReactNode;
  readonly isInvalid?: boolean;
  readonly isCode?: boolean;
  readonly onEnter?: () => void;
  readonly onFocusChange?: (isFocused: boolean) => void;
}

/** What the input of the field needs, with and without its list. */
export interface SuggestInputProps extends Omit<Props, 'label' | 'isLabelHidden' | 'children'> {
  readonly id: string;
  /** The id of the text below the field. */
  readonly describedBy: string | undefined;
}

type Part = typeof import('./suggest-combobox.tsx');

/** The part with the list, which is as large as all other controls of the first page together. */
let part: Part | undefined;
const load = async (): Promise<Part> => {
  part ??= await loadPart(() => import('./suggest-combobox.tsx'));
  return part;
};

/** Loads the list before a user reaches a field: at the first movement of the pointer, or the first key. */
function useEarlyLoad(): void {
  useEffect(() => {
    if (part !== undefined) return undefined;
    const stop = new AbortController();
    const onUse = (): void => {
      stop.abort();
      load().catch(() => undefined);
    };
    for (const event of ['pointermove', 'touchstart', 'keydown'])
      window.addEventListener(event, onUse, { signal: stop.signal, passive: true });
    return () => stop.abort();
  }, []);
}

/** A text field that suggests values while the user types. Other values are allowed too. */
export function SuggestField({ label, isLabelHidden = false, children, ...props }: Props) {
  const id = useId();
  const note = useId();
  const input = { ...props, id, describedBy: children === undefined ? undefined : note };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <SuggestInput {...input} />
      {children !== undefined && (
        <div id={note} className={styles.note}>
          {children}
        </div>
      )}
    </div>
  );
}

/** The plain input until the part with the list is loaded, which then replaces it and keeps what was begun. */
function SuggestInput(props: SuggestInputProps) {
  const [Combobox, setCombobox] = useState(() => part?.SuggestCombobox);
  const [begun, setBegun] = useState<BegunInput>();
  const input = useRef<HTMLInputElement>(null);
  const hasTyped = useRef(false);
  const hasPressed = useRef(false);
  const isComposing = useRef(false);
  useEarlyLoad();
  const { opened = 0 } = props;
  useEffect(() => {
    if (opened === 0) return;
    // As if the user had pressed the field: without the part, it is a plain one that has the focus.
    hasPressed.current = true;
    input.current?.focus();
  }, [opened]);
  if (Combobox !== undefined) return <Combobox {...props} begun={begun} />;

  const replace = async (): Promise<void> => {
    const { SuggestCombobox } = await load();
    const plain = input.current;
    // A replaced field would end a composition. Its end calls this function again.
    if (plain === null || isComposing.current) return;
    const state = {
      hasFocus: document.activeElement === plain,
      hasTyped: hasTyped.current,
      hasPressed: hasPressed.current,
      selection: [plain.selectionStart, plain.selectionEnd],
    } as const;
    // Replace the plain field at once: if it still got an Enter, the list would open and hide the page from screen readers.
    flushSync(() => {
      setBegun(state);
      setCombobox(() => SuggestCombobox);
    });
  };
  return (
    <input
      ref={input}
      id={props.id}
      role="combobox"
      aria-expanded={false}
      aria-autocomplete="list"
      className={styles.input}
      data-code={props.isCode}
      placeholder={props.placeholder}
      aria-invalid={props.isInvalid || undefined}
      aria-describedby={props.describedBy}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      value={props.value}
      onChange={({ currentTarget }) => {
        hasTyped.current = true;
        props.onChange(currentTarget.value);
      }}
      onPointerDown={() => {
        hasPressed.current = true;
      }}
      onFocus={() => {
        props.onFocusChange?.(true);
        // Without the part, the field is a plain one, and the next focus tries again.
        replace().catch(() => undefined);
      }}
      onBlur={() => {
        hasPressed.current = false;
        props.onFocusChange?.(false);
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Enter') return;
        // The text is complete. An open list would hide the page from screen readers.
        hasTyped.current = false;
        hasPressed.current = false;
        props.onEnter?.();
      }}
      onCompositionStart={() => {
        isComposing.current = true;
      }}
      onCompositionEnd={() => {
        isComposing.current = false;
        replace().catch(() => undefined);
      }}
    />
  );
}
