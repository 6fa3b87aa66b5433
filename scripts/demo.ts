// npm run demo: starts a service, converts real media, checks the results, and prints the commands to do it by hand.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from './demo/run.ts';
import { bad, dim } from './demo/styled-text.ts';
import { seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const from = performance.now();
const say = (line: string) => console.log(line);
const folder = await mkdtemp(join(tmpdir(), 'telecine-demo-'));
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort(signal));

try {
  await runDemo(folder, await ensureTools(say), say, interrupt.signal);
  say(dim(`\nThe demo took ${seconds(from)}. To remove its files: rm -r ${folder}`));
} catch (error) {
  if (interrupt.signal.aborted) {
    await rm(folder, { recursive: true, force: true });
    console.error('\nInterrupted. The service is stopped and the demo folder is removed.');
    process.exitCode = 130;
  } else {
    console.error(`\n${bad('The demo failed.')} ${error instanceof Error ? error.message : error}`);
    console.error(`Its files are in ${folder}`);
    process.exitCode = 1;
  }
}
