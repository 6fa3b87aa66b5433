import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { needs } from '../support/needs.ts';

const PROGRAM = join(import.meta.dirname, '../fixtures/log-and-end.ts');

/** Runs the program on a terminal of its own, by script(1). */
async function runOnTerminal(end: string): Promise<string> {
  const child = spawn('script', ['-qfc', `${process.execPath} ${PROGRAM} ${end}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}

for (const end of ['close', 'exit', 'crash'])
  needs('linux')(`a terminal gets all lines of a log that ends by ${end}`, async () => {
    const text = await runOnTerminal(end);
    expect(text.match(/"msg":"line"/g)).toHaveLength(1000);
    expect(text).toContain('"msg":"last line"');
  });
