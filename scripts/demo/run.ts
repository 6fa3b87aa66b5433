import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '../lib/api.ts';
import { copySample, sampleName } from '../lib/samples.ts';
import { type ServiceProcess, startService } from '../lib/service.ts';
import { ok, type Say, seconds } from '../setup/say.ts';
import type { Tools } from '../setup/tools.ts';
import { curlCommands, type ServeSettings, serveCommand } from './by-hand.ts';
import { DEMO_CONVERSIONS, type DemoConversion, RESULT_FOLDER, SAMPLE_FOLDER } from './conversions.ts';
import { convert } from './convert.ts';
import { inspect } from './inspect.ts';
import { bold, good } from './styled-text.ts';

/** Runs the demo in `folder`. Throws unless every result is correct. Aborting stops the service and rejects. */
export async function runDemo(
  folder: string,
  tools: Tools,
  say: Say,
  signal: AbortSignal,
  list: readonly DemoConversion[] = DEMO_CONVERSIONS,
): Promise<void> {
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  signal.throwIfAborted();
  await putSamples(list, mediaRoot, say);
  await mkdir(dataDir);
  const env = { ...toolSettings(tools), TELECINE_CONCURRENCY: '2', TELECINE_DRAIN_SECONDS: '0' };
  const service = await started(dataDir, mediaRoot, env, say);
  try {
    const from = performance.now();
    const jobs = await convert(service.url, dataDir, list, say, signal);
    const took = seconds(from);
    say(`\n${bold('Results')} in ${join(mediaRoot, RESULT_FOLDER)}, as ffprobe reports them\n`);
    const wrong = list.length - (await inspect(tools, join(mediaRoot, RESULT_FOLDER), list, jobs, say));
    if (wrong > 0) throw new Error(`${wrong} of ${list.length} results are not as requested.`);
    say(`\n${good(`All ${list.length} are right`)}, each decodes to its end without an error. Converted in ${took}.`);
  } catch (error) {
    if (!signal.aborted)
      say(`\nThe last lines of the service log:\n${service.log().split('\n').slice(-20).join('\n')}`);
    throw error;
  } finally {
    await service.stop();
  }
  printByHand(list, { TELECINE_DATA_DIR: dataDir, TELECINE_MEDIA_ROOT: mediaRoot, ...toolSettings(tools) }, say);
}

async function putSamples(list: readonly DemoConversion[], mediaRoot: string, say: Say): Promise<void> {
  const samples = [...new Set(list.map(({ sample }) => sample))];
  for (const sample of samples) await copySample(sample, join(mediaRoot, SAMPLE_FOLDER, sampleName(sample)));
  say(ok('samples', `${samples.map(sampleName).join(', ')}`));
}

async function started(
  dataDir: string,
  mediaRoot: string,
  env: Record<string, string>,
  say: Say,
): Promise<ServiceProcess> {
  const from = performance.now();
  const service = await startService({ dataDir, mediaRoot, env });
  try {
    await must(`${service.url}/ready`);
  } catch (error) {
    await service.stop();
    throw error;
  }
  say(ok('service', `${service.url}, ready in ${seconds(from)}`));
  return service;
}

/** Settings for an ffmpeg that the service would not find or not accept by itself. */
export function toolSettings(tools: Tools): Record<string, string> {
  const found = tools.from === 'path' || tools.from === 'package manager';
  return {
    ...(found ? {} : { FFMPEG_PATH: tools.ffmpegPath, FFPROBE_PATH: tools.ffprobePath }),
    ...(tools.supported ? {} : { TELECINE_ALLOW_OLD_FFMPEG: '1' }),
  };
}

function printByHand(list: readonly DemoConversion[], settings: ServeSettings, say: Say): void {
  const quick = list.find(({ sample }) => sample === 'flac');
  if (quick === undefined) return;
  say(`\n${bold('The same by hand.')} The service is stopped. Start it again on these folders:\n`);
  say(serveCommand(settings));
  say('\nThen in another terminal (repeat the last line until the status is COMPLETED):\n');
  say(curlCommands(quick, settings.TELECINE_DATA_DIR));
}
