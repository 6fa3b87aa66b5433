import { useQueryClient } from '@tanstack/react-query';
import type { FieldError } from '@telecine/client';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadPart } from '../app/load-part.ts';
import type { CodeEditorProps } from '../editor/code-editor.tsx';
import { CodeField } from '../editor/code-field.tsx';
import { Button } from '../ui/button.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import type { OptionRow } from './draft.ts';
import { FieldNotes } from './field-notes.tsx';
import { isGraph, rangeText, wordsOf } from './option-help.ts';
import styles from './option-rows.module.css';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';
import { useNameSuggestions, useOptionMeaning, useValueSuggestions } from './use-option-help.ts';

interface Props {
  /** The id of the input or output that the options belong to, or `SHARED`. */
  readonly list: string;
  readonly rows: readonly OptionRow[];
  readonly side: 'input' | 'output';
}

/** Rows for ffmpeg options with name and value, and the help of the installed ffmpeg. */
export function OptionRows({ list, rows, side }: Props) {
  const { change } = useDraft();
  const shown = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const add = (): void => {
    flushSync(() => change({ do: 'add-row', list }));
    shown.current?.lastElementChild?.querySelector('input')?.focus();
  };
  const remove = (id: string): void => {
    flushSync(() => change({ do: 'remove-row', id }));
    // The notice gets the focus, but there is none about an empty option.
    if (document.activeElement === document.body) addButton.current?.focus();
  };
  return (
    <div className={styles.options}>
      {rows.length > 0 && (
        <ul ref={shown} className={styles.rows} aria-label="Options">
          {rows.map((row) => (
            <li key={row.id}>
              <Row row={row} side={side} onRemove={() => remove(row.id)} />
            </li>
          ))}
        </ul>
      )}
      {/* Keep the focus in the last field while the button is pressed. When the field loses the focus, its error appears and moves the button. */}
      <Button
        ref={addButton}
        variant="quiet"
        className={styles.add}
        onMouseDown={(event) => event.preventDefault()}
        onClick={add}
      >
        <Plus /> Add an option
      </Button>
    </div>
  );
}

function Row({
  row,
  side,
  onRemove,
}: {
  readonly row: OptionRow;
  readonly side: 'input' | 'output';
  readonly onRemove: () => void;
}) {
  const { change } = useDraft();
  const { id, name, value } = row;
  const names = useNameSuggestions(name);
  const meaning = useOptionMeaning(name, side);
  const values = useValueSuggestions(name, value, meaning);
  const { errors } = useMessages(id);
  // Hide the error while the user types a name, because an incomplete name is always unknown.
  const [isNaming, setIsNaming] = useState(false);
  const isInvalid = errors.length > 0 && !isNaming;
  const setValue = (text: string): void => change({ do: 'change-row', id, row: { value: text } });
  return (
    <div className={styles.row} data-graph={isGraph(name) || undefined} data-draft-part={id}>
      {/* Also without a text, so that the fields do not move. */}
      <p className={styles.help}>
        {meaning === undefined ? (
          '\u00a0'
        ) : (
          <>
            <strong>{wordsOf(name, meaning)}</strong>{' '}
            {[rangeText(meaning), meaning.of.length <= 3 && !meaning.of.includes('ffmpeg') && meaning.of.join(', ')]
              .filter(Boolean)
              .join(' · ')}
          </>
        )}
      </p>
      <SuggestField
        label="Option"
        isLabelHidden
        isCode
        isInvalid={isInvalid}
        placeholder="name"
        value={name}
        suggestions={names}
        onFocusChange={setIsNaming}
        onChange={(text) => change({ do: 'change-row', id, row: { name: text.replace(/^-+/, '') } })}
      />
      {isGraph(name) ? (
        <GraphField value={value} onChange={setValue} errors={errors} isInvalid={isInvalid} />
      ) : (
        <SuggestField
          label={`Value of ${name || 'the option'}`}
          isLabelHidden
          isCode
          isInvalid={isInvalid}
          placeholder={meaning?.type === 'flag' ? 'no value' : 'value'}
          value={value}
          suggestions={values}
          onChange={setValue}
        />
      )}
      <Button variant="quiet" aria-label={`Remove ${name || 'the option'}`} onClick={onRemove}>
        <X />
      </Button>
      <div className={styles.notes}>{!isNaming && <FieldNotes control={id} />}</div>
    </div>
  );
}

/** A field for a filtergraph. It shows the errors that the service found in it. */
function GraphField({
  value,
  onChange,
  errors,
  isInvalid,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly errors: readonly FieldError[];
  readonly isInvalid: boolean;
}) {
  const queries = useQueryClient();
  const complete = useMemo(
    (): CodeEditorProps['complete'] => async (context) =>
      (await loadPart(() => import('./complete-graph.ts'))).graphCompletion(queries)(context),
    [queries],
  );
  return (
    <CodeField
      label="Filtergraph"
      value={value}
      onChange={onChange}
      marks={errors}
      isInvalid={isInvalid}
      placeholder="scale=1280:-2,fps=25"
      complete={complete}
    />
  );
}
