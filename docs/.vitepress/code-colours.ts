import { createCssVariablesTheme, type ShikiTransformer } from 'shiki';

/** Gives each word of code a variable for its kind, such as `--shiki-token-keyword`, instead of a colour. */
export const codeTheme = createCssVariablesTheme();

/**
 * Writes the kind of a word as its class, such as `token-keyword`, because the policy of the service does not allow styles in a page. The
 * colours are in the style sheet `theme/code-colours.css`.
 */
export const classesForStyles: ShikiTransformer = {
  name: 'classes-for-styles',
  pre(node) {
    delete node.properties['style'];
  },
  span(node) {
    const [, kind] = /--shiki-(token-[\w-]+)/.exec(String(node.properties['style'])) ?? [];
    delete node.properties['style'];
    if (kind !== undefined) this.addClassToHast(node, kind);
  },
};
