import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { folderQuery } from '../files/files-query.ts';
import { Button } from '../ui/button.tsx';
import { FieldErrors, useFieldErrors } from '../ui/field-errors.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { typedFolder } from '../workbench/similar-files.ts';
import styles from './watches.module.css';

const PAUSE_MS = 150;

/** The most folders of the media root that are buttons. */
const BUTTONS = 8;

/** A folder of the media root, chosen level by level, or typed. Folders of buckets are not listed. */
export function FolderField({
  label,
  field,
  value,
  onChange,
}: {
  readonly label: string;
  /** The place of the folder in the watch, whose errors are shown here: `source.moveTo`. */
  readonly field: string;
  readonly value: string;
  readonly onChange: (folder: string) => void;
}) {
  const id = useId();
  const wrapper = useRef<HTMLDivElement>(null);
  const text = useDebounced(value, PAUSE_MS);
  const isBucket = text.includes('://');
  const folder = typedFolder(text);
  const found = useQuery({
    ...folderQuery(folder, text.slice(folder.length)),
    enabled: !isBucket,
    placeholderData: keepPreviousData,
  });
  const folders = isBucket ? [] : (found.data?.entries ?? []).filter(({ type }) => type === 'folder');
  const errors = useFieldErrors(field);
  return (
    <div ref={wrapper} className={styles.folders}>
      <SuggestField
        label={label}
        value={value}
        onChange={onChange}
        placeholder="in/"
        suggestions={folders.map(({ path }) => ({ value: path }))}
        isInvalid={errors.length > 0}
      >
        {errors.length > 0 && <FieldErrors id={id} name={undefined} errors={errors} />}
      </SuggestField>
      {value === '' && text === '' && folders.length > 0 && (
        <div className={styles.choices} role="group" aria-label="Folders of your files">
          {folders.slice(0, BUTTONS).map(({ path }) => (
            <Button
              key={path}
              onClick={() => {
                onChange(path);
                // The pressed button disappears.
                wrapper.current?.querySelector('input')?.focus();
              }}
            >
              {path}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
