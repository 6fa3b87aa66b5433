import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '../lib/api.ts';
import { copySample, sampleName } from '../lib/samples.ts';
import { type ServiceProcess, startService } from '../lib/service.ts';
import { ok, type Say, seconds } from '../setup/say.ts';
import type { Tools } from '../setup/tools.ts';
import { foldersIn, toolSettings } from './by-hand.ts';
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
  const { dataDir, mediaRoot } = foldersIn(folder);
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
  say(ok('service', `ready in ${seconds(from)}`));
  return service;
}
