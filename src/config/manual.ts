import { DEFAULT_CLIENT_LIMITS } from './client-limits.ts';
import { CLIENT_SETTINGS } from './client-settings.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** Settings whose default is computed; what the manual says in its place. */
const COMPUTED: Readonly<Record<string, string>> = {
  TELECINE_CONCURRENCY: 'half the cores',
  TELECINE_CLIENT_LIMITS: `\`${DEFAULT_CLIENT_LIMITS}\``,
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(settings: Readonly<Record<string, Setting<unknown>>>): readonly string[] {
  const rows = Object.values(settings).map((s) => {
    const names = s.names.map((name) => `\`${name}\``).join(', or ');
    const fallback = COMPUTED[s.names[0]] ?? (s.fallback === undefined ? 'none' : `\`${s.fallback}\``);
    return `| ${names} | ${cell(fallback)} | ${cell(s.form)} | ${cell(s.about)} |`;
  });
  return ['| variable | default | form | what it does |', '|---|---|---|---|', ...rows];
}

/** The configuration page of the docs, in Markdown. */
export const manual = (): string =>
  [
    '# Configuration',
    '',
    'All settings are environment variables, read once at the start. A value that cannot be used stops the start with a message that names every fault; a variable that begins with `TELECINE_` and is not listed here is warned of.',
    '',
    ...table(SETTINGS),
    '',
    '## Commands that talk to a service',
    '',
    '`telecine convert`, `jobs`, `probe` and `mcp` ([cli.md](cli.md)) read these. Without any of the last four, a service on this machine is called as its administrator, by `admin-client.json` in `TELECINE_DATA_DIR`.',
    '',
    ...table(CLIENT_SETTINGS),
    '',
    'This page is written by `npm run docs` from `src/config/settings.ts` and `src/config/client-settings.ts`.',
    '',
  ].join('\n');
