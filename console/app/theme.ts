const KEY = 'telecine-theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const isTheme = (text: string | null): text is Theme => THEMES.some((theme) => theme === text);

/** The theme that the reader has chosen in this browser. `system`: that of the operating system. */
export function chosenTheme(): Theme {
  const stored = window.localStorage.getItem(KEY);
  return isTheme(stored) ? stored : 'system';
}

/** Shows the chosen theme; with an argument, chooses one. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  window.localStorage.setItem(KEY, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
