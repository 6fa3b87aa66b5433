const KEY = 'telecine-theme';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const isTheme = (text: string | null): text is Theme => THEMES.some((theme) => theme === text);

/** The theme that the user has chosen in this browser. `system`: the theme of the operating system. */
export function chosenTheme(): Theme {
  const stored = window.localStorage.getItem(KEY);
  return isTheme(stored) ? stored : 'system';
}

/** Applies a theme and stores it as the chosen one. Default: the chosen theme. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  window.localStorage.setItem(KEY, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
