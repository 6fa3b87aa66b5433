import { createInterface } from 'node:readline/promises';

/**
 * Asks a question on the terminal. Resolves to whether the answer is yes; undefined, without asking, if nobody can
 * answer because standard input or standard error is not a terminal.
 */
export async function askOnTerminal(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
