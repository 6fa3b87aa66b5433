import { Check } from '../ui/check.tsx';
import { Field } from '../ui/field.tsx';
import form from '../ui/form-page.module.css';
import ink from '../ui/ink.module.css';
import { Segments } from '../ui/segments.tsx';
import { FolderField } from './folder-field.tsx';
import type { WatchDraft } from './watch-draft.ts';

interface Props {
  readonly draft: WatchDraft;
  readonly onChange: (change: Partial<WatchDraft>) => void;
}

const SOURCES = [
  { value: 'keep', name: 'Keep it' },
  { value: 'move', name: 'Move it' },
  { value: 'delete', name: 'Delete it' },
] as const;

/** The patterns of names, with spaces or commas between them. */
export const PatternsField = ({ draft, onChange }: Props) => (
  <Field
    label="File names (empty: all media files)"
    name="patterns"
    placeholder="*.mov *.mxf"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    value={draft.patterns}
    onChange={({ currentTarget }) => onChange({ patterns: currentTarget.value })}
  />
);

/** Whether the files that are there at the start are left alone. It is beside the folder, because without it they are all converted. */
export const ExistingField = ({ draft, onChange }: Props) => (
  <Check
    label="Ignore the files that are there now"
    isOn={draft.isExistingIgnored}
    onChange={(isExistingIgnored) => onChange({ isExistingIgnored })}
  />
);

/** What happens to a file after its conversion. */
export function SourceFields({ draft, onChange, mayWrite }: Props & { readonly mayWrite: boolean }) {
  return (
    <fieldset>
      <legend>After the conversion of a file</legend>
      <div className={form.inline}>
        <Segments
          label="What happens to the file"
          options={mayWrite ? SOURCES : SOURCES.slice(0, 1)}
          value={draft.source}
          onChoose={(source) => onChange({ source })}
        />
        {draft.source === 'move' && (
          <FolderField
            label="Move to the folder"
            field="source"
            value={draft.moveTo}
            onChange={(moveTo) => onChange({ moveTo })}
          />
        )}
      </div>
      {draft.source === 'delete' && <p className={ink.soft}>The file goes into the bin, once all its outputs exist.</p>}
    </fieldset>
  );
}

const NUMBERS = [
  { name: 'every', label: 'Seconds between two scans (default: 5, in a bucket 60)', max: 86_400 },
  { name: 'maxUnfinished', label: 'Most unfinished jobs (default: 20)', max: 1000 },
] as const;

/** What most watches do not need. `isNew`: the watch is not made yet. */
export function WatchOptions({ draft, onChange, isNew }: Props & { readonly isNew: boolean }) {
  return (
    <details open={!isNew}>
      <summary>More settings</summary>
      <div className={form.fields}>
        <Field
          label="Name (for yourself)"
          name="name"
          autoComplete="off"
          maxLength={100}
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <Check
          label="Also files in folders below"
          isOn={draft.subfolders}
          onChange={(subfolders) => onChange({ subfolders })}
        />
        <Check
          label="Convert a file again when its content changes"
          isOn={draft.isChangedConverted}
          onChange={(isChangedConverted) => onChange({ isChangedConverted })}
        />
        <Field
          label="Leave out files with these names"
          name="exclude"
          placeholder="*_proxy.mov"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.exclude}
          onChange={({ currentTarget }) => onChange({ exclude: currentTarget.value })}
        />
        {NUMBERS.map(({ name, label, max }) => (
          <Field
            key={name}
            {...{ name, label, max }}
            type="number"
            min={1}
            value={draft[name]}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        ))}
      </div>
    </details>
  );
}
