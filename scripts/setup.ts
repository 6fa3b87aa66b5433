// npm run setup: installs ffmpeg and bubblewrap if they are missing, and builds the program and the web console for `npm start`.
import { build } from 'rolldown';
import config from '../rolldown.config.ts';
import { buildConsole, CONSOLE_FOLDER } from './build-console.ts';
import { busy, ok, seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const from = performance.now();
try {
  await ensureTools((line) => console.log(line));
  // Build the program first, because its build empties the folder that contains the console.
  await step('program', 'bundling it', () => build({ ...config, output: { ...config.output, dir: 'dist' } }));
  await step('console', 'building its page', () => buildConsole(CONSOLE_FOLDER));
  console.log(`Ready in ${seconds(from)}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function step(name: string, activity: string, run: () => Promise<unknown>): Promise<void> {
  console.log(busy(name, activity));
  const building = performance.now();
  await run();
  console.log(ok(name, `built in ${seconds(building)}`));
}
