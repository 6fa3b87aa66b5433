import { autocompletion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { Annotation, Compartment } from '@codemirror/state';
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import styles from './code-editor.module.css';
import { EDITOR_THEME } from './editor-theme.ts';
import { areSameMarks, type Mark, underlinesOf } from './marks.ts';

export interface CodeEditorProps {
  /** Read by screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong. Errors without a place are not shown here. */
  readonly marks: readonly Mark[];
  readonly isInvalid: boolean;
  readonly placeholder: string;
  /** Offers words while one types. */
  readonly complete: CompletionSource;
}

/** A change that the page makes, and not the person at the editor. */
const OF_PAGE = Annotation.define<true>();

/**
 * An editor of a short text: errors are underlined where they are (F8 goes to the next), and words are offered. Tab leaves it.
 * It lives in a shadow root, because only there CodeMirror has its styles in a style sheet of its own and not in a `style` element,
 * which the Content-Security-Policy does not allow.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, marks, isInvalid } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const attributes = useRef(new Compartment());
  const shown = useRef<readonly Mark[]>([]);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const { value: doc, placeholder } = latest.current;
    const view = new EditorView({
      doc,
      root,
      parent: root,
      extensions: [
        history(),
        autocompletion({ override: [(context) => latest.current.complete(context)], icons: false }),
        keymap.of([...completionKeymap, ...historyKeymap, { key: 'F8', run: nextDiagnostic }, ...defaultKeymap]),
        placeholderText(placeholder),
        attributes.current.of([]),
        EditorView.lineWrapping,
        EDITOR_THEME,
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (docChanged && transactions.every((each) => each.annotation(OF_PAGE) === undefined))
            latest.current.onChange(state.doc.toString());
        }),
      ],
    });
    editor.current = view;
    shown.current = [];
    return () => view.destroy();
  }, []);

  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === value) return;
    const changes = { from: 0, to: view.state.doc.length, insert: value };
    view.dispatch({ changes, annotations: OF_PAGE.of(true) });
  }, [value]);

  useEffect(() => {
    const content = { 'aria-label': label, ...(isInvalid && { 'aria-invalid': 'true' }) };
    editor.current?.dispatch({
      effects: attributes.current.reconfigure(EditorView.contentAttributes.of(content)),
    });
  }, [label, isInvalid]);

  // While one types, the editor moves the underlines of the last check with the text.
  useEffect(() => {
    const view = editor.current;
    if (view === null || areSameMarks(shown.current, marks)) return;
    shown.current = marks;
    view.dispatch(setDiagnostics(view.state, underlinesOf(marks, view.state.doc.length)));
  }, [marks]);

  return <div ref={host} className={styles.editor} data-invalid={isInvalid || undefined} />;
}
