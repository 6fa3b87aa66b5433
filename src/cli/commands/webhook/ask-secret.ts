import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';

/** Reads the secret from standard input: its first line, which a terminal does not show. Throws if there is none. */
export async function askSecret(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write('Secret of the webhook (whsec_…): ');
  // Without an output, the terminal shows nothing that is typed.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as readonly (string | undefined)[];
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  if (line === undefined || line.trim() === '')
    throw new CommandFailed(EXIT.refused, 'NO_SECRET', 'There is no secret to verify with.', {
      fix: 'Set TELECINE_WEBHOOK_SECRET or TELECINE_WEBHOOK_SECRET_FILE, or write the secret to standard input.',
    });
  return line.trim();
}
