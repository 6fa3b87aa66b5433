import type { ProgressDisplay, ProgressForm, Screen } from './progress-display.ts';

/** Opens a progress display in the given form. `silent` omits messages too. Imports only the code of that form. */
export async function openProgress(
  form: ProgressForm | 'silent' | undefined,
  screen: Screen = process.stderr,
): Promise<ProgressDisplay> {
  switch (form ?? (screen.isTTY ? 'bar' : 'lines')) {
    case 'bar':
      return (await import('./progress-bar.ts')).progressBar(screen);
    case 'lines':
      return (await import('./progress-lines.ts')).progressLines(screen);
    case 'json':
      return (await import('./progress-json.ts')).progressJson(screen);
    case 'none':
      return { bytes: () => {}, job: () => {}, say: (line) => void screen.write(`${line}\n`), close: () => {} };
    case 'silent':
      return { bytes: () => {}, job: () => {}, say: () => {}, close: () => {} };
  }
}
