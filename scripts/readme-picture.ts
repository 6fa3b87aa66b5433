// npm run readme:picture: writes docs/pictures/console.webp, the animated picture in the README: what `npm run demo -- --stay` leads to, done
// once in the real console.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { buildConsole, CONSOLE_FOLDER } from './build-console.ts';
import { SAMPLE_FOLDER } from './demo/conversions.ts';
import { stay } from './demo/stay.ts';
import { copySample, sampleName } from './lib/samples.ts';
import { encode } from './readme-picture/encode.ts';
import { convertInConsole } from './readme-picture/scenes.ts';
import { ok } from './setup/say.ts';
import { ensureChromium, ensureTools } from './setup/tools.ts';

const TREE = resolve(import.meta.dirname, '..');
const TARGET = join(TREE, 'docs/pictures/console.webp');

const say = (line: string): void => console.log(line);
const tools = await ensureTools(say);
const executablePath = await ensureChromium(say);
if (executablePath === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
const folder = await mkdtemp(join(tmpdir(), 'telecine-readme-picture-'));
const end = new AbortController();
try {
  await buildConsole(CONSOLE_FOLDER);
  await copySample('480p', join(folder, 'media', SAMPLE_FOLDER, sampleName('480p')));
  await mkdir(join(folder, 'data'));
  const { promise: link, resolve: found } = Promise.withResolvers<string>();
  const service = stay(
    folder,
    tools,
    (text) => {
      const [url] = /^http\S+#sign-in=\S+$/m.exec(text) ?? [];
      if (url !== undefined) found(url);
    },
    end.signal,
  );
  const browser = await chromium.launch({
    executablePath,
    // Chromium's own sandbox needs a user that is not root. The pages are our own.
    args: ['--no-sandbox', '--hide-scrollbars'],
  });
  try {
    const shots = await convertInConsole(browser, await Promise.race([link, service.then(stopped)]), folder);
    await mkdir(dirname(TARGET), { recursive: true });
    await encode(tools.ffmpegPath, shots, TARGET);
    const { size } = await stat(TARGET);
    const seconds = shots.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    say(ok('picture', `${relative(TREE, TARGET)}: ${seconds.toFixed(1)} s, ${Math.ceil(size / 1000)} kB`));
  } finally {
    await browser.close();
    end.abort();
    await service;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function stopped(): never {
  throw new Error('The service of the demo ended.');
}
