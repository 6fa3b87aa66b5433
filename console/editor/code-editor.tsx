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
  /** The name of the editor for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The errors in the text. Errors without a place are not shown here. */
  readonly marks: readonly Mark[];
  readonly isInvalid: boolean;
  readonly placeholder: string;
  readonly complete: CompletionSource;
}

/** Marks a change of the text that the page itself makes. `onChange` is called only for changes by the user. */
const OF_PAGE = Annotation.define<true>();

/**
 * An editor for a short text. It underlines errors (F8 goes to the next one) and suggests words. Tab leaves the editor. The editor is in a
 * shadow root, because CodeMirror adds its styles elsewhere as a `style` element, which the Content-Security-Policy does not allow.
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

  // While the user types, the editor itself moves the underlines of the last check. Set underlines only after a new
  // check.
  useEffect(() => {
    const view = editor.current;
    if (view === null || areSameMarks(shown.current, marks)) return;
    shown.current = marks;
    view.dispatch(setDiagnostics(view.state, underlinesOf(marks, view.state.doc.length)));
  }, [marks]);

  return <div ref={host} className={styles.editor} data-invalid={isInvalid || undefined} />;
}
