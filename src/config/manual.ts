import { SETTINGS } from './settings.ts';

/** Settings whose default is computed; what the manual says in its place. */
const COMPUTED: Readonly<Record<string, string>> = { TELECINE_CONCURRENCY: 'half the cores' };

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The configuration page of the docs, in Markdown. */
export function manual(): string {
  const rows = Object.values(SETTINGS).map((s) => {
    const names = s.names.map((name) => `\`${name}\``).join(', or ');
    const fallback = COMPUTED[s.names[0]] ?? (s.fallback === undefined ? 'none' : `\`${s.fallback}\``);
    return `| ${names} | ${cell(fallback)} | ${cell(s.form)} | ${cell(s.about)} |`;
  });
  return [
    '# Configuration',
    '',
    'All settings are environment variables, read once at the start. A value that cannot be used stops the start with a message that names every fault; a variable that begins with `TELECINE_` and is not listed here is warned of.',
    '',
    '| variable | default | form | what it does |',
    '|---|---|---|---|',
    ...rows,
    '',
    'This page is written by `npm run docs` from `src/config/settings.ts`.',
    '',
  ].join('\n');
}
