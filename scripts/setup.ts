// npm run setup: makes sure of what Telecine needs besides npm's packages. Demo and tests call it by themselves.
import { seconds } from './setup/say.ts';
import { ensureTools } from './setup/tools.ts';

const from = performance.now();
try {
  await ensureTools((line) => console.log(line));
  console.log(`Ready in ${seconds(from)}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error('Install ffmpeg 5.1 or newer, or name one by FFMPEG_PATH and FFPROBE_PATH, and try again.');
  process.exitCode = 1;
}
