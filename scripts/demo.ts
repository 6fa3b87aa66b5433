// npm run demo: converts real media through a service of its own, looks at the results, says how to do it by hand.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from './demo/run.ts';
import { bad, dim } from './demo/text.ts';
import { seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const from = performance.now();
const say = (line: string) => console.log(line);
const folder = await mkdtemp(join(tmpdir(), 'telecine-demo-'));
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort(signal));

try {
  await runDemo(folder, await ensureTools(say), say, interrupt.signal);
  say(dim(`\n${seconds(from)} in all. Once you have looked: rm -r ${folder}`));
} catch (error) {
  if (interrupt.signal.aborted) {
    await rm(folder, { recursive: true, force: true });
    console.error('\nInterrupted: the service is stopped and the demo folder removed.');
    process.exitCode = 130;
  } else {
    console.error(`\n${bad('The demo failed.')} ${error instanceof Error ? error.message : error}`);
    console.error(`What there is lies in ${folder}`);
    process.exitCode = 1;
  }
}
