/**
 * `npm run bench:preview`: how long after a click on "Show a preview" a person sees the source, the first frame of the result beside it, and
 * the whole part, of a 1080p video on an idle service. The page itself takes the times. `-- --rounds 1` makes it short.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { createClient } from '../packages/client/src/client.ts';
import { buildConsole } from '../scripts/build-console.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { onPath } from '../scripts/setup/command.ts';
import { signIn } from '../test/support/console-visitor.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const ROUNDS = Number(values.rounds);
const PATIENCE_MS = 120_000;
/** How long a pointer is over a button before the click, at least: a tenth of a second is quick for a person. */
const HOVER_MS = 100;
/** The preview is from the middle of this part: a scene with much detail in this film, and near a key frame as in most. */
const PART = '-ss 0 -t 26';

/** Options of an output. `Q`: another quality in each round, so that the service has never seen the request. */
const ENCODERS: Readonly<Record<string, string>> = {
  'libx264, medium': '-c:v libx264 -crf Q',
  'libx264, veryslow': '-c:v libx264 -preset veryslow -crf Q',
  libx265: '-c:v libx265 -crf Q',
  'libsvtav1, preset 6': '-c:v libsvtav1 -preset 6 -crf Q',
  'libx264, scaled and denoised': '-vf scale=1280:-2,hqdn3d -c:v libx264 -crf Q',
};

/** What the page has seen, in milliseconds of its clock. */
interface Seen {
  readonly clickedMs: number;
  readonly sourceMs: number;
  readonly firstMs: number;
  /** The URL of the first frame of the result. */
  readonly firstUrl: string;
  readonly wholeMs: number;
}

/**
 * A script that records when the next click happens and when the preview shows what. `seen` is then the promise of it. A frame counts once it was
 * decoded and one more picture of the page was drawn. Chromium of some systems cannot play HEVC: the page then shows images.
 */
const RECORDER = `globalThis.seen = new Promise((resolve, reject) => {
  const seen = {};
  setTimeout(() => reject(new Error('The page has shown only ' + JSON.stringify(seen))), ${PATIENCE_MS});
  addEventListener('click', ({ timeStamp }) => { seen.clickedMs = timeStamp; }, { capture: true, once: true });
  const hasFrame = (one) =>
    one.tagName === 'VIDEO' ? one.readyState >= 2 && !one.seeking && one.videoWidth > 0 : one.complete && one.naturalWidth > 0;
  const preview = () =>
    [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === 'Preview');
  const frame = (name) =>
    [...(preview()?.querySelectorAll('video[aria-label="' + name + '"], img[alt="' + name + '"]') ?? [])].find(hasFrame);
  const drawn = (name, more) => requestAnimationFrame((now) => { seen[name] ??= now; Object.assign(seen, more); });
  const look = () => {
    if (seen.sourceMs === undefined && frame('Source')) drawn('sourceMs');
    const result = frame('Result');
    if (seen.firstMs === undefined && result) drawn('firstMs', { firstUrl: result.currentSrc });
    if (seen.wholeMs === undefined && preview()?.textContent.includes('Size per minute')) drawn('wholeMs');
    if (['clickedMs', 'sourceMs', 'firstMs', 'wholeMs'].every((name) => name in seen)) resolve(seen);
    else requestAnimationFrame(look);
  };
  look();
});
undefined`;

const folder = benchFolder('preview');
printMachine(folder);
await buildConsole(new URL('../dist/console', import.meta.url).pathname);
const service = await startBenchService({ folder });
const browser = await chromium.launch({
  executablePath: onPath('chromium') ?? '',
  // Switch off Chromium's own sandbox, which needs a user that is not root. This is safe, because the pages are our own.
  args: ['--no-sandbox'],
});

interface Preview {
  readonly sourceMs: number;
  readonly firstMs: number;
  readonly wholeMs: number;
}

/** The files of results that were shown. If one comes back, the preview was not made for this click. */
const shown = new Set<string>();

let films = 0;

/** Each preview is of another file, so that the service has no facts or pictures of it. `options`: of ffmpeg, after the input. */
async function timePreview(page: Page, options: string): Promise<Preview> {
  films += 1;
  const film = `film-${films}.mp4`;
  await copySample('1080p', join(service.mediaRoot, 'films', film));
  // The pictures of the strip, after which the service is idle.
  const pictured = Promise.all(
    ['sheet', 'waveform'].map((view) =>
      page.waitForResponse((response) => response.url().includes(`${film}?view=${view}`), { timeout: PATIENCE_MS }),
    ),
  );
  await page.goto(`${service.url}/`);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Paste a command' }).click();
  await page
    .getByRole('textbox', { name: 'Command line of ffmpeg' })
    .fill(`ffmpeg ${PART} -i ${film} ${options} out.mp4`);
  await page.getByRole('button', { name: 'Use this command' }).click();
  // The service learns about ffmpeg before its first plan, and again before its first preview.
  await page.getByText('Ready.').waitFor({ timeout: PATIENCE_MS });
  await pictured;
  await page.evaluate(RECORDER);
  const show = page.getByRole('button', { name: 'Show a preview' });
  await show.hover();
  await page.waitForTimeout(HOVER_MS);
  await show.click();
  const { clickedMs, sourceMs, firstMs, firstUrl, wholeMs } = await page.evaluate<Seen>('seen');
  const file = new URL(firstUrl, service.url).searchParams.get('path') ?? '';
  if (!file.startsWith('console-previews/') || shown.has(file))
    throw new Error(`The first frame is of ${JSON.stringify(file)}, which is not a new preview.`);
  shown.add(file);
  return { sourceMs: sourceMs - clickedMs, firstMs: firstMs - clickedMs, wholeMs: wholeMs - clickedMs };
}

try {
  const admin = createClient(service.url, { accessToken: service.token });
  const { clientId, clientSecret = '' } = await admin.addClient({
    clientId: 'previewer',
    scopes: ['admin'],
    root: 'films',
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(service.url);
  await signIn(page, { clientId, clientSecret });
  await timePreview(page, '-c:v libx264 -preset ultrafast');
  for (const [name, options] of Object.entries(ENCODERS)) {
    const all: Preview[] = [];
    for (let round = 0; round < ROUNDS; round++)
      all.push(await timePreview(page, options.replace('Q', String(20 + round))));
    const [sources, firsts, wholes] = (['sourceMs', 'firstMs', 'wholeMs'] as const).map((key) =>
      all.map((one) => one[key]),
    ) as [number[], number[], number[]];
    console.log(
      `${name}: source ${spread(sources)} ms, first frame ${spread(firsts)} ms, the whole part ${spread(wholes)} ms`,
    );
    bound(`ms to the first frame, ${name}`, median(firsts), '<=', 3000, 0);
  }
} finally {
  await browser.close();
  await service.stop();
}
