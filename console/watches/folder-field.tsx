import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { useFieldErrors } from '../ui/field-errors.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './watches.module.css';

const PAUSE_MS = 150;

/** The most entries of a folder that are read for its folders. */
const READ = 500;

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
  const prefix = useDebounced(value, PAUSE_MS);
  const isBucket = prefix.includes('://');
  const found = useQuery({
    queryKey: ['folders', prefix],
    queryFn: ({ signal }) => client.listFiles(prefix, { limit: READ, signal }),
    enabled: !isBucket,
    placeholderData: keepPreviousData,
  });
  const folders = isBucket ? [] : (found.data?.files ?? []).filter(({ type }) => type === 'folder');
  const errors = useFieldErrors(field);
  return (
    <SuggestField
      label={label}
      value={value}
      onChange={onChange}
      placeholder="in/"
      suggestions={folders.map(({ path }) => ({ value: path }))}
      isInvalid={errors.length > 0}
    >
      {errors.length > 0 && <TextErrors errors={errors} />}
    </SuggestField>
  );
}

/** The errors below a control. */
export function TextErrors({ errors }: { readonly errors: ReturnType<typeof useFieldErrors> }) {
  return (
    <ul className={styles.errors}>
      {errors.map(({ field, code, message, fix }) => (
        <li key={`${field} ${code}`}>
          {message} {fix}
        </li>
      ))}
    </ul>
  );
}
