import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { tools } from '../../support/tools.ts';

/** What is asked of media: an output of ffmpeg, by the inputs that it reads. */
export interface Question {
  /** Words before a file, if any, and the file. */
  readonly inputs: readonly (readonly string[])[];
  /**
   * The words of the output but for its name, given the places of the inputs. Filters that speak in the log, and open
   * pads, bear `name`.
   */
  readonly output: (places: readonly number[], name: string) => readonly string[];
}

interface Answer {
  /** What the output holds. */
  readonly bytes: Buffer;
  /** What filters of the question's name say in the log; some, as silencedetect, speak without a name. */
  readonly log: string;
}

type Answers<Q extends readonly Question[]> = { readonly [I in keyof Q]: Answer };

interface Asked {
  readonly questions: readonly Question[];
  resolve(answers: readonly Answer[]): void;
  reject(why: unknown): void;
}

let working = 0;
const asked: Asked[] = [];

/** Says that `work` may come to ask: answers wait for its question or its end. */
export async function mayAsk<T>(work: () => Promise<T> | T): Promise<T> {
  working += 1;
  try {
    return await work();
  } finally {
    working -= 1;
    setImmediate(answerIfAllWait);
  }
}

/**
 * Asks ffmpeg. All that wait for an answer share one: its start costs more than what it decodes here. Throws with its
 * log where it fails by these questions alone.
 */
export function ask<const Q extends readonly Question[]>(...questions: Q): Promise<Answers<Q>> {
  return new Promise((resolve, reject) => {
    asked.push({ questions, resolve: (answers) => resolve(answers as Answers<Q>), reject });
    setImmediate(answerIfAllWait);
  });
}

async function answerIfAllWait(): Promise<void> {
  if (asked.length === 0 || asked.length < working) return;
  const all = asked.splice(0);
  try {
    await answer(all);
  } catch (error) {
    if (all.length === 1) return all[0]?.reject(error);
    // One of them is to blame.
    for (const one of all) await answer([one]).catch(one.reject);
  }
}

async function answer(all: readonly Asked[]): Promise<void> {
  const answers = await run(all.flatMap(({ questions }) => questions));
  let from = 0;
  for (const { questions, resolve } of all) {
    resolve(answers.slice(from, from + questions.length));
    from += questions.length;
  }
}

/** Standard streams come before the pipes of the outputs. */
const FIRST_PIPE = 3;

async function run(questions: readonly Question[]): Promise<readonly Answer[]> {
  const inputs = new Map<string, { readonly place: number; readonly words: readonly string[] }>();
  const placeOf = (input: readonly string[]): number => {
    const key = input.join('\0');
    const known = inputs.get(key) ?? { place: inputs.size, words: [...input.slice(0, -1), '-i', ...input.slice(-1)] };
    inputs.set(key, known);
    return known.place;
  };
  const outputs = questions.flatMap(({ inputs, output }, i) => [
    ...output(inputs.map(placeOf), `q${i}q`),
    `pipe:${FIRST_PIPE + i}`,
  ]);
  const words = ['-v', 'info', '-hide_banner', '-nostdin', '-nostats', '-y'];
  const child = spawn(
    tools().ffmpegPath,
    [...words, ...[...inputs.values()].flatMap(({ words }) => words), ...outputs],
    { stdio: ['ignore', 'ignore', 'pipe', ...questions.map(() => 'pipe' as const)] },
  );
  const [log, bytes, [code]] = await Promise.all([
    text(child.stderr as Readable),
    Promise.all(questions.map((_, i) => buffer(child.stdio[FIRST_PIPE + i] as Readable))),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`ffmpeg ${code}: ${child.spawnargs.join(' ')}\n${log}`);
  const said = log.split(/^(?=\[)/m);
  return bytes.map((held, i) => ({
    bytes: held,
    log: said.filter((entry) => entry.includes(`@q${i}q @ `)).join(''),
  }));
}
