import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Section } from '../ui/section.tsx';
import { hasSeveralOutputs, type OutputDraft } from './draft.ts';
import { formatKey } from './field-messages.ts';
import { FieldNotes } from './field-notes.tsx';
import { OptionRows } from './option-rows.tsx';
import { OutputExists } from './output-exists.tsx';
import styles from './outputs.module.css';
import { useDraft } from './use-draft.tsx';

/**
 * The outputs of the request. `suggested`: the path of the first output if the user has entered none. `isEach`: each source has its own
 * request, and its first output is next to it.
 */
export function Outputs({ suggested, isEach }: { readonly suggested: string; readonly isEach: boolean }) {
  const { draft, change } = useDraft();
  const several = draft.outputs.length > 1 || hasSeveralOutputs(draft);
  return (
    <Section
      variant="panel"
      title={several ? 'Outputs' : 'Output'}
      actions={
        <Button variant="quiet" onClick={() => change({ do: 'add-output' })}>
          <Plus /> Add an output
        </Button>
      }
    >
      <ul className={styles.outputs}>
        {draft.outputs.map((output, index) => (
          <li key={output.id} className={several ? styles.one : undefined}>
            <Output
              output={output}
              several={several}
              suggested={index === 0 ? suggested : ''}
              isBesideSource={isEach && index === 0}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Output({
  output: { id, output, format, rows },
  several,
  suggested,
  isBesideSource,
}: {
  readonly output: OutputDraft;
  readonly several: boolean;
  readonly suggested: string;
  readonly isBesideSource: boolean;
}) {
  const { change } = useDraft();
  return (
    <div className={styles.fields} data-draft-part={id}>
      <div className={styles.line}>
        <Field
          label="File to write"
          value={isBesideSource ? '' : output}
          disabled={isBesideSource}
          placeholder={isBesideSource ? 'next to each source' : suggested || 'a file name, such as film.webm'}
          spellCheck={false}
          onChange={({ currentTarget }) => change({ do: 'change-output', id, output: { output: currentTarget.value } })}
        />
        <Field
          label="Format"
          value={format}
          placeholder="by name"
          spellCheck={false}
          onChange={({ currentTarget }) => change({ do: 'change-output', id, output: { format: currentTarget.value } })}
        />
      </div>
      <FieldNotes control={id} />
      {/* For a single output, these buttons are next to the button that runs the request. */}
      {several && <OutputExists id={id} path={output || suggested} />}
      <FieldNotes control={formatKey(id)} />
      {several && (
        <>
          <OptionRows list={id} rows={rows} side="output" />
          <Button variant="quiet" className={styles.remove} onClick={() => change({ do: 'remove-output', id })}>
            <X /> Remove this output
          </Button>
        </>
      )}
    </div>
  );
}
