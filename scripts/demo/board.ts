import { MultiBar, Presets } from 'cli-progress';
import { jobNote, percentOf } from '../../packages/cli/src/output/job-text.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { dim, good } from './styled-text.ts';

/** Shows the progress of the jobs. */
export interface Board {
  show(index: number, job: JobView): void;
  close(): void;
}

const WIDTH = 28;

/** The stream that a board is written to. */
type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Progress bars if `screen` is a terminal; otherwise a line for each change. */
export const openBoard = (titles: readonly string[], screen: Screen = process.stdout): Board =>
  screen.isTTY ? bars(titles, screen) : lines(titles, screen);

function bars(titles: readonly string[], screen: Screen): Board {
  const wide = Math.max(...titles.map((t) => t.length));
  const multi = new MultiBar(
    {
      stream: screen,
      hideCursor: true,
      fps: 10,
      format: (_options, params, payload: { title: string; note: string }) => {
        const full = Math.round(params.progress * WIDTH);
        const bar = good('━'.repeat(full)) + dim('─'.repeat(WIDTH - full));
        const percent = `${Math.floor(params.progress * 100)}%`.padStart(4);
        return `  ${payload.title.padEnd(wide)}  ${bar} ${percent}  ${payload.note}`;
      },
    },
    Presets.shades_classic,
  );
  const all = titles.map((title) => multi.create(100, 0, { title, note: dim('queued') }));
  return {
    show: (index, job) => all[index]?.update(percentOf(job), { note: jobNote(job) }),
    close: () => multi.stop(),
  };
}

function lines(titles: readonly string[], screen: Screen): Board {
  const wide = Math.max(...titles.map((t) => t.length));
  const last = new Map<number, string>();
  return {
    show(index, job) {
      // Print every quarter, not every percent.
      const quarter = Math.floor((job.progress ?? 0) / 25);
      const key = `${job.status} ${job.status === 'PROCESSING' ? quarter : ''}`;
      if (job.status === 'PENDING' || last.get(index) === key) return;
      last.set(index, key);
      const percent = `${Math.floor(percentOf(job))}%`.padStart(4);
      screen.write(`  ${(titles[index] ?? '').padEnd(wide)} ${percent}  ${jobNote(job)}\n`);
    },
    close: () => {},
  };
}
