import { EditorView } from '@codemirror/view';

/** The style of the editor. It uses the colour variables of the page, so it changes with the theme of the page. */
export const EDITOR_THEME = EditorView.theme({
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'var(--editor-text) / 1.55 var(--mono)', maxHeight: '16rem', overflow: 'auto' },
  '.cm-content': {
    caretColor: 'var(--ink)',
    padding: 'calc((var(--control) - 1.55 * var(--editor-text)) / 2 - 1px) 0',
  },
  '.cm-line': { padding: '0 0.7rem' },
  '.cm-placeholder': { color: 'var(--ink-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    background: 'var(--surface-raised)',
    color: 'var(--ink)',
    font: 'var(--small) / 1.5 var(--font)',
    boxShadow: '0 6px 24px var(--backdrop)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    font: '0.8125rem / 1.5 var(--mono)',
    minWidth: '0',
    maxHeight: '14rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.6rem', lineHeight: '1.5' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-tint)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--ink-soft)', font: 'var(--small) var(--font)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  // CodeMirror underlines with an image in a data: URL, which the Content-Security-Policy does not allow.
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
    textUnderlineOffset: '0.2em',
  },
  '.cm-lintRange-active': { backgroundColor: 'var(--bad-tint)' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--bad)' },
  '.cm-diagnostic': { padding: '0.3rem 0.6rem', maxWidth: 'min(32rem, 80vw)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
});
