import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import type { OptionRow } from './draft.ts';
import { FieldNotes } from './field-notes.tsx';
import { isGraph, rangeText } from './option-help.ts';
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

/** Options of ffmpeg by name and value, with what the installed ffmpeg says about each. */
export function OptionRows({ list, rows, side }: Props) {
  const { change } = useDraft();
  return (
    <div className={styles.options}>
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label="Options">
          {rows.map((row) => (
            <li key={row.id}>
              <Row row={row} side={side} />
            </li>
          ))}
        </ul>
      )}
      <Button className={styles.add} onClick={() => change({ do: 'add-row', list })}>
        Add an option
      </Button>
    </div>
  );
}

function Row({ row, side }: { readonly row: OptionRow; readonly side: 'input' | 'output' }) {
  const { change } = useDraft();
  const { id, name, value } = row;
  const names = useNameSuggestions(name);
  const meaning = useOptionMeaning(name, side);
  const values = useValueSuggestions(name, value, meaning);
  const hasErrors = useMessages(id).errors.length > 0;
  // While a name is typed, it is always unknown.
  const [isNaming, setIsNaming] = useState(false);
  const isInvalid = hasErrors && !isNaming;
  const setValue = (text: string): void => change({ do: 'change-row', id, row: { value: text } });
  return (
    <div className={styles.row}>
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
        <GraphField value={value} onChange={setValue} isInvalid={isInvalid} />
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
      <Button
        variant="quiet"
        aria-label={`Remove ${name || 'the option'}`}
        onClick={() => change({ do: 'remove-row', id })}
      >
        ✕
      </Button>
      {meaning !== undefined && (
        <p className={styles.help}>
          {[meaning.description, rangeText(meaning)].filter(Boolean).join(' · ')}
          {meaning.of.length <= 3 && !meaning.of.includes('ffmpeg') && ` · ${meaning.of.join(', ')}`}
        </p>
      )}
      <div className={styles.notes}>{!isNaming && <FieldNotes control={id} />}</div>
    </div>
  );
}

function GraphField({
  value,
  onChange,
  isInvalid,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isInvalid: boolean;
}) {
  const id = useId();
  return (
    <div className={styles.graph}>
      <label htmlFor={id} className="visually-hidden">
        Filtergraph
      </label>
      <textarea
        id={id}
        rows={Math.min(8, 2 + value.split(/[;\n]/).length)}
        spellCheck={false}
        aria-invalid={isInvalid || undefined}
        placeholder="scale=1280:-2,fps=25"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
