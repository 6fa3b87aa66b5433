import { lazy, Suspense } from 'react';
import { loadPart } from '../app/load-part.ts';
import styles from './code-editor.module.css';
import type { CodeEditorProps } from './code-editor.tsx';

const CodeEditor = lazy(async () => ({
  default: (await loadPart(() => import('./code-editor.tsx'))).CodeEditor,
}));

/** Loads the editor when it is first needed. Until then, shows the text without the editor. */
export function CodeField(props: CodeEditorProps) {
  return (
    <Suspense
      fallback={<textarea className={styles.loading} aria-label={props.label} value={props.value} readOnly rows={2} />}
    >
      <CodeEditor {...props} />
    </Suspense>
  );
}
