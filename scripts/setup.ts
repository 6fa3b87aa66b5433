// npm run setup: installs ffmpeg and bubblewrap if they are missing. The demo and the tests do the same.
import { seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const from = performance.now();
try {
  await ensureTools((line) => console.log(line));
  console.log(`Ready in ${seconds(from)}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
