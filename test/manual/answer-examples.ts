import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type Recorded, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { readCommand } from './ffmpeg-command.ts';
import { type Runnable, runnables } from './forms.ts';
import { plannerAnswer } from './planner-answer.ts';
import { readExamples } from './read-examples.ts';
import type { ExampleAnswer } from './recorded-answers.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

/** The pages whose examples are tried. */
const PAGES = ['ffmpeg-filters', 'ffmpeg', 'ffmpeg-codecs', 'ffmpeg-formats', 'ffmpeg-bitstream-filters'];

/** How much of the text of an example is recorded if ffmpeg does not accept it. */
const EXCERPT = 100;

/** The machine that examples run on. */
export interface Bench {
  readonly ffmpeg: string;
  readonly version: Recorded;
  /** The folder of the manual, and that of the media. */
  readonly manual: string;
  readonly media: string;
}

/** Tries all examples of the manual with ffmpeg, and those that it accepts with the planner. */
export async function answerExamples(bench: Bench): Promise<readonly ExampleAnswer[]> {
  const catalogue = recordedCatalogue(bench.version);
  const pages = await Promise.all(
    PAGES.map(async (page) => readExamples(page, await readFile(join(bench.manual, `${page}.html`), 'utf8'))),
  );
  const all = pages
    .flat()
    .flatMap((example) =>
      runnables(example, catalogue).map((runnable) => ({ at: `${example.place} (${example.number})`, runnable })),
    );
  return pLimit(2).map(all, ({ at, runnable }) => answer(at, runnable, bench));
}

async function answer(at: string, { text, forms }: Runnable, bench: Bench): Promise<ExampleAnswer> {
  let said: string | undefined;
  for (const argv of forms) {
    const { errors, files } = plannerAnswer(argv, bench.version);
    const says = await runFfmpeg(bench.ffmpeg, bench.media, readCommand(argv, recordedCatalogue(bench.version)), files);
    if (says === undefined) return { at, argv, planner: errors };
    said ??= says;
  }
  const excerpt = text.replaceAll(/\s+/g, ' ').slice(0, EXCERPT);
  return { at, text: excerpt, ffmpeg: said ?? 'Neither a command nor a graph of filters of this build.' };
}
