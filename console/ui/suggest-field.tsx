import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ReactNode, useId, useRef, useState } from 'react';
import styles from './suggest-field.module.css';

export interface Suggestion {
  readonly value: string;
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
  /** Called when a suggestion is chosen, after `onChange`. */
  readonly onChoose?: (value: string) => void;
  readonly placeholder?: string;
  /** Shown below the field, such as an error. Screen readers read it with the field. */
  readonly children?: ReactNode;
  readonly isInvalid?: boolean;
  readonly isCode?: boolean;
  readonly onEnter?: () => void;
  readonly onFocusChange?: (isFocused: boolean) => void;
}

/** A text field that suggests values while the user types. Other values are allowed too. */
export function SuggestField(props: Props) {
  const { label, isLabelHidden = false, value, onChange, suggestions, onChoose, placeholder, children } = props;
  const id = useId();
  const note = useId();
  const [isOpen, setOpen] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const isItemHighlighted = useRef(false);
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <Autocomplete.Root
        items={suggestions}
        mode="none"
        value={value}
        openOnInputClick
        open={isOpen}
        onOpenChange={setOpen}
        itemToStringValue={(item: Suggestion) => item.value}
        onItemHighlighted={(item) => {
          isItemHighlighted.current = item !== undefined;
        }}
        onValueChange={(text, { reason }) => {
          onChange(text);
          if (reason === 'item-press') onChoose?.(text);
        }}
      >
        <Autocomplete.Input
          id={id}
          className={styles.input}
          data-code={props.isCode}
          placeholder={placeholder}
          aria-invalid={props.isInvalid || undefined}
          // Without suggestions, the field has no list that could be open.
          {...(suggestions.length === 0 && { 'aria-expanded': false })}
          aria-describedby={children === undefined ? undefined : note}
          spellCheck={false}
          autoCapitalize="none"
          onFocus={() => props.onFocusChange?.(true)}
          onBlur={({ relatedTarget }) => {
            // Close an empty list, because Base UI does not close it on blur. It would open when suggestions arrive,
            // and hide the page from screen readers.
            if (!popup.current?.contains(relatedTarget)) setOpen(false);
            props.onFocusChange?.(false);
          }}
          onKeyDown={({ key }) => {
            // If a suggestion is highlighted, Base UI itself handles the Enter key.
            if (key === 'Enter' && !isItemHighlighted.current) props.onEnter?.();
          }}
        />
        {suggestions.length > 0 && (
          <Autocomplete.Portal>
            <Autocomplete.Positioner className={styles.positioner} sideOffset={4} align="start">
              <Autocomplete.Popup ref={popup} className={styles.popup}>
                <Autocomplete.List className={styles.list} aria-label="Suggestions">
                  {(item: Suggestion) => (
                    <Autocomplete.Item key={item.value} value={item} className={styles.item}>
                      <span className={styles.value}>{item.value}</span>
                      {item.detail !== undefined && <span className={styles.detail}>{item.detail}</span>}
                    </Autocomplete.Item>
                  )}
                </Autocomplete.List>
              </Autocomplete.Popup>
            </Autocomplete.Positioner>
          </Autocomplete.Portal>
        )}
      </Autocomplete.Root>
      {children !== undefined && (
        <div id={note} className={styles.note}>
          {children}
        </div>
      )}
    </div>
  );
}
