import { useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import fieldStyles from '../ui/field.module.css';
import { FieldErrors, useFieldErrors } from '../ui/field-errors.tsx';
import { exampleOutput, PLACEHOLDERS, type WatchRequest } from './watch-draft.ts';
import styles from './watches.module.css';

interface Props {
  readonly label: string;
  /** The place of the template in the watch: `request.output`. */
  readonly field: string;
  readonly value: string;
  /** The template if the field is empty. */
  readonly suggested: string;
  readonly folder: string;
  /** The file for which the example is. */
  readonly file: string;
  readonly onChange: (template: string) => void;
}

/** What each placeholder stands for, with its value for a file whose video is 1920 × 1080. */
const MEANINGS: Readonly<Record<(typeof PLACEHOLDERS)[number], (folder: string, file: string) => string>> = {
  '{name}': (folder, file) => `Name of the file: ${exampleOutput('{name}', folder, file, new Date())}`,
  '{folder}': (folder, file) => {
    const own = exampleOutput('{folder}', folder, file, new Date());
    const root = folder === '/' ? '' : folder;
    const example = own === '' ? `mon/ of ${root}mon/${file.slice(root.length)}` : own;
    return `Folders below ${folder === '' ? 'the watched one' : folder}: ${example}`;
  },
  '{date}': (folder, file) => `Day of the conversion: ${exampleOutput('{date}', folder, file, new Date())}`,
  '{height}': () => 'Height of its picture, such as 1080',
  '{width}': () => 'Width of its picture, such as 1920',
};

/** The template of an output, with what it makes of a file. */
function OutputField({ label, field, value, suggested, folder, file, onChange }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const errors = useFieldErrors(field);
  const template = value.trim() === '' ? suggested : value;
  const insert = (text: string): void => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    // Without a cursor in the field, a placeholder goes before the extension.
    const [end] = /\.[^./]*$/.exec(template) ?? [''];
    const dot = template.length - end.length;
    const [from, to] = value === '' ? [dot, dot] : [selectionStart ?? dot, selectionEnd ?? dot];
    onChange(`${template.slice(0, from)}${text}${template.slice(to)}`);
    input.current?.focus();
  };
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        name={field}
        value={value}
        placeholder={suggested}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? `${id}-note ${id}-errors` : `${id}-note`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <ul className={styles.placeholders} aria-label={`Placeholders for ${label.toLowerCase()}`}>
        {PLACEHOLDERS.map((text) => (
          <li key={text}>
            <Button aria-describedby={`${id}-${text}`} onClick={() => insert(text)}>
              {text}
            </Button>
            <span id={`${id}-${text}`}>{MEANINGS[text](folder, file)}</span>
          </li>
        ))}
      </ul>
      <p id={`${id}-note`} className={styles.example}>
        {file} <span aria-hidden="true">→</span>
        <span className="visually-hidden">becomes</span> {exampleOutput(template, folder, file, new Date())}
      </p>
      <FieldErrors id={`${id}-errors`} name={field} errors={errors} />
    </div>
  );
}

interface FieldsProps extends Pick<Props, 'folder' | 'file'> {
  /** The templates. */
  readonly outputs: readonly string[];
  /** The request of the watch. undefined: that of a recipe, with one output. */
  readonly request: Pick<WatchRequest, 'outputs'> | undefined;
  /** The template of an empty field. Default: what the field has. */
  readonly suggested?: string;
  readonly onChange: (outputs: readonly string[]) => void;
}

/** The templates of all outputs of a watch. */
export function OutputFields({ outputs, request, suggested, folder, file, onChange }: FieldsProps) {
  return outputs.map((output, index) => (
    <OutputField
      // biome-ignore lint/suspicious/noArrayIndexKey: outputs are neither added nor moved here.
      key={index}
      label={outputs.length === 1 ? 'Output' : `Output ${index + 1}`}
      field={request?.outputs === undefined ? 'request.output' : `request.outputs.${index}`}
      value={output}
      suggested={suggested ?? output}
      folder={folder}
      file={file}
      onChange={(template) => onChange(outputs.with(index, template))}
    />
  ));
}
