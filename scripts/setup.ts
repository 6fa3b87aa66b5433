// npm run setup: installs ffmpeg and bubblewrap if they are missing, and builds the web console for `npm start`.
import { buildConsole, CONSOLE_FOLDER } from './build-console.ts';
import { busy, ok, seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const from = performance.now();
try {
  await ensureTools((line) => console.log(line));
  console.log(busy('console', 'building its page'));
  const building = performance.now();
  await buildConsole(CONSOLE_FOLDER);
  console.log(ok('console', `built in ${seconds(building)}`));
  console.log(`Ready in ${seconds(from)}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
