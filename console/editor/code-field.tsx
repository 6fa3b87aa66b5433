import { lazyComponent } from '../app/lazy-component.tsx';
import styles from './code-editor.module.css';
import type { CodeEditorProps } from './code-editor.tsx';

const CodeEditor = lazyComponent(async () => (await import('./code-editor.tsx')).CodeEditor);

/** Loads the editor when it is first needed. Until then, shows the text without the editor. */
export function CodeField(props: CodeEditorProps) {
  return (
    <CodeEditor
      fallback={<textarea className={styles.loading} aria-label={props.label} value={props.value} readOnly rows={2} />}
      {...props}
    />
  );
}
