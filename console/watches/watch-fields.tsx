import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { WATCH_LIMITS } from '../../packages/contract/src/domain/watch.ts';
import { binQuery } from '../files/bin-query.ts';
import { folderQuery } from '../files/files-query.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import { useFieldErrors } from '../ui/field-errors.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Segments } from '../ui/segments.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { typedFolder } from '../workbench/similar-files.ts';
import type { WatchSettings } from './watch-draft.ts';

/** A setting of a watch as a control of its form. */
interface SettingField {
  readonly name: keyof WatchSettings;
  readonly label: string;
  readonly placeholder?: string;
  /** `words`: a list of texts, with spaces or commas between them. Otherwise the limits of a number, and its value if the field is empty. */
  readonly kind?: 'words' | { readonly max: number; readonly default?: number };
  /** Of a checkbox: the value if it is checked, and if it is not. */
  readonly values?: readonly [on: unknown, off: unknown];
}

const { every, maxUnfinished, settleSeconds } = WATCH_LIMITS;

export const PATTERNS: SettingField = {
  ...{ name: 'patterns', label: 'File names (empty: all media files)', kind: 'words', placeholder: '*.mov *.mxf' },
};

/** For a new watch only. It is beside the folder, because without it all files that are there are converted. */
export const EXISTING: SettingField = {
  ...{ name: 'existing', label: 'Ignore the files that are there now', values: ['ignore', 'convert'] },
};

/** What most watches do not need. */
export const MORE: readonly SettingField[] = [
  { name: 'name', label: 'Name (for yourself)' },
  { name: 'subfolders', label: 'Also files in folders below', values: [true, false] },
  { name: 'changed', label: 'Convert a file again when its content changes', values: ['convert', 'ignore'] },
  { name: 'exclude', label: 'Leave out files with these names', kind: 'words', placeholder: '*_proxy.mov' },
  { name: 'settleSeconds', label: 'Seconds until an unchanged file is whole (default: 10)', kind: settleSeconds },
  { name: 'every', label: 'Seconds between two scans (default: 5, in a bucket 60)', kind: every },
  { name: 'maxUnfinished', label: 'Most unfinished jobs (default: 20)', kind: maxUnfinished },
];

/** The controls that show their own errors. */
export const CONTROLS: readonly string[] = [
  ...['request.output', 'request.outputs'],
  ...[PATTERNS, ...MORE].map(({ name }) => name),
];

interface Props {
  readonly settings: WatchSettings;
  readonly onChange: (change: Partial<WatchSettings>) => void;
}

export function Setting({
  field: { name, label, placeholder, kind, values },
  settings,
  onChange,
}: Props & { readonly field: SettingField }) {
  const value = settings[name];
  const set = (next: unknown): void => onChange({ [name]: next });
  if (values !== undefined) {
    const [on, off] = values;
    // Of what a new watch leaves to the service, only `subfolders` is on.
    return <Check label={label} isOn={(value ?? true) === on} onChange={(isOn) => set(isOn ? on : off)} />;
  }
  const read = (text: string): unknown => {
    if (typeof kind === 'object') return text === '' ? kind.default : Number(text);
    if (text === '') return undefined;
    return kind === 'words' ? text.split(/[\s,]+/).filter(Boolean) : text;
  };
  return (
    <Field
      {...{ name, label, placeholder }}
      {...(typeof kind === 'object' && { type: 'number', min: 1, max: kind.max })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      // Not `value`: a space at the end of the words would go while the user types.
      defaultValue={Array.isArray(value) ? value.join(' ') : String(value ?? '')}
      onChange={({ currentTarget }) => set(read(currentTarget.value.trim()))}
    />
  );
}

const PAUSE_MS = 150;

/** A folder of the media root, chosen level by level, or typed. Folders of buckets are not listed. `name`: its place in the watch. */
export function FolderField({
  label,
  name,
  value,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (folder: string) => void;
}) {
  const text = useDebounced(value, PAUSE_MS);
  const folder = typedFolder(text);
  const isListed = !text.includes('://');
  const { data } = useQuery({
    ...folderQuery(folder, text.slice(folder.length)),
    enabled: isListed,
    placeholderData: keepPreviousData,
  });
  const folders = isListed ? (data?.entries ?? []).filter(({ type }) => type === 'folder') : [];
  return (
    <SuggestField
      {...{ label, value, onChange }}
      placeholder="in/"
      suggestions={folders.map(({ path }) => ({ value: path }))}
      isInvalid={useFieldErrors(name).length > 0}
    />
  );
}

const SOURCES = [
  { value: 'keep', name: 'Keep it' },
  { value: 'move', name: 'Move it' },
  { value: 'delete', name: 'Delete it' },
] as const;

/** Whether the service keeps deleted files for some time. */
export function useHasBin(): boolean {
  const { data: session } = useSession();
  const { data } = useQuery({ ...binQuery, enabled: mayDo(session, 'files:write') });
  return data !== undefined && data.keepSeconds !== 0;
}

/** What happens to a file after its conversion. */
export function SourceField({
  settings: { source = 'keep' },
  onChange,
  mayWrite,
}: Props & { readonly mayWrite: boolean }) {
  const hasBin = useHasBin();
  const chosen: (typeof SOURCES)[number]['value'] = typeof source === 'string' ? source : 'move';
  return (
    <fieldset>
      <legend>After the conversion of a file</legend>
      <div className={form.inline}>
        <Segments
          label="What happens to the file"
          options={mayWrite ? SOURCES : SOURCES.slice(0, 1)}
          value={chosen}
          onChoose={(next) => onChange({ source: next === 'move' ? { moveTo: 'done/' } : next })}
        />
        {typeof source !== 'string' && (
          <FolderField
            label="Move to the folder"
            name="source"
            value={source.moveTo}
            onChange={(moveTo) => onChange({ source: { moveTo } })}
          />
        )}
      </div>
      {source === 'delete' && (
        <p className={ink.soft}>
          {hasBin ? 'The file goes into the bin' : 'The file is deleted for good'}, once all its outputs exist.
        </p>
      )}
    </fieldset>
  );
}
