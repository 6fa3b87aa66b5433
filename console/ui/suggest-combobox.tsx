import { Autocomplete } from '@base-ui/react/autocomplete';
import FileIcon from 'lucide-react/icons/file';
import Folder from 'lucide-react/icons/folder';
import { useLayoutEffect, useRef, useState } from 'react';
import styles from './suggest-field.module.css';
import type { SuggestInputProps, Suggestion } from './suggest-field.tsx';

interface Props extends SuggestInputProps {
  /** The state of the plain field that this one replaces. undefined: it replaces none. */
  readonly begun: BegunInput | undefined;
}

/** What a user has begun in the plain field, while this module was loaded. */
export interface BegunInput {
  readonly hasFocus: boolean;
  readonly hasTyped: boolean;
  /** Whether the field was pressed. A press opens the list. */
  readonly hasPressed: boolean;
  readonly selection: readonly [start: number | null, end: number | null];
}

/** The input of a `SuggestField`, with the list of its suggestions. */
export function SuggestCombobox(props: Props) {
  const { id, describedBy, value, onChange, suggestions, onChoose, keepsOpen, opened = 0, placeholder, begun } = props;
  // Without the focus, nothing would close the list, which hides the page from screen readers.
  const [isOpen, setOpen] = useState(begun?.hasFocus === true && (begun.hasTyped || begun.hasPressed));
  const input = useRef<HTMLInputElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const isItemHighlighted = useRef(false);
  const chosen = useRef('');
  const openedBefore = useRef(opened);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when this field replaces the plain one.
  useLayoutEffect(() => {
    if (begun?.hasFocus !== true) return;
    input.current?.focus();
    input.current?.setSelectionRange(...begun.selection);
  }, []);
  useLayoutEffect(() => {
    if (opened === openedBefore.current) return;
    openedBefore.current = opened;
    input.current?.focus();
    setOpen(true);
  }, [opened]);
  return (
    <Autocomplete.Root
      items={suggestions}
      mode="none"
      value={value}
      openOnInputClick
      open={isOpen}
      onOpenChange={(next, details) => {
        if (!next && details.reason === 'item-press' && keepsOpen?.(chosen.current) === true) details.cancel();
        else setOpen(next);
      }}
      itemToStringValue={(item: Suggestion) => item.value}
      onItemHighlighted={(item) => {
        isItemHighlighted.current = item !== undefined;
      }}
      onValueChange={(text, { reason }) => {
        onChange(text);
        if (reason !== 'item-press') return;
        chosen.current = text;
        onChoose?.(text);
      }}
    >
      <Autocomplete.Input
        ref={input}
        id={id}
        className={styles.input}
        data-code={props.isCode}
        placeholder={placeholder}
        aria-invalid={props.isInvalid || undefined}
        // Without suggestions, the field has no list that could be open.
        {...(suggestions.length === 0 && { 'aria-expanded': false })}
        aria-describedby={describedBy}
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
          if (key !== 'Enter' || isItemHighlighted.current) return;
          // The text is complete. What is entered can be chosen later, when nothing else would close the list.
          setOpen(false);
          props.onEnter?.();
        }}
      />
      {suggestions.length > 0 && (
        <Autocomplete.Portal>
          <Autocomplete.Positioner className={styles.positioner} sideOffset={4} align="start">
            <Autocomplete.Popup ref={popup} className={styles.popup}>
              <Autocomplete.List className={styles.list} aria-label="Suggestions">
                {(item: Suggestion) => (
                  <Autocomplete.Item key={item.value} value={item} className={styles.item}>
                    {keepsOpen !== undefined && (
                      <span className={styles.kind}>{keepsOpen(item.value) ? <Folder /> : <FileIcon />}</span>
                    )}
                    <span className={styles.value}>{item.label ?? item.value}</span>
                    {item.detail !== undefined && <span className={styles.detail}>{item.detail}</span>}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
              <Autocomplete.Status className={styles.more}>{props.more}</Autocomplete.Status>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      )}
    </Autocomplete.Root>
  );
}
