import { jobNote, percentOf } from './job-note.ts';
import type { ProgressDisplay, Screen } from './progress-display.ts';
import { bytes } from './quantities.ts';

/** Writes progress for logs: one line per change of state and per quarter of a step. */
export function progressLines(screen: Screen): ProgressDisplay {
  let last = '';
  function line(key: string, percent: number, text: string): void {
    const quarter = `${key} ${Math.floor(percent / 25)}`;
    if (quarter === last) return;
    last = quarter;
    screen.write(`${text}\n`);
  }
  const percentText = (percent: number): string => `${Math.floor(percent)}%`.padStart(4);
  return {
    bytes: (step, name, done, total) => {
      const percent = total === 0 ? 100 : (100 * done) / total;
      line(`${step} ${name}`, percent, `${step.padEnd(9)} ${percentText(percent)}  ${name}  ${bytes(total)}`);
    },
    job: (job) =>
      line(
        job.status,
        job.status === 'PROCESSING' ? percentOf(job) : 0,
        `convert   ${percentText(percentOf(job))}  ${jobNote(job)}`,
      ),
    say: (text) => void screen.write(`${text}\n`),
    close: () => {},
  };
}
