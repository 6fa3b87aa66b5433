// npm run demo: starts a service, converts real media, checks the results, and prints the commands to do it by hand.
// -- --stay: instead of the commands, leaves a service running and prints a link to its console.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { byHand } from './demo/by-hand.ts';
import { runDemo } from './demo/run.ts';
import { stay } from './demo/stay.ts';
import { bad, dim } from './demo/styled-text.ts';
import { seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const { values } = parseArgs({ options: { stay: { type: 'boolean', default: false } } });
const from = performance.now();
const say = (line: string) => console.log(line);
const folder = await mkdtemp(join(tmpdir(), 'telecine-demo-'));
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort(signal));

try {
  const tools = await ensureTools(say);
  await runDemo(folder, tools, say, interrupt.signal);
  const took = seconds(from);
  if (values.stay) await stay(folder, tools, say, interrupt.signal);
  else say(byHand(folder, tools));
  say(dim(`\nThe demo took ${took}. To remove its files: rm -r ${folder}`));
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
