// npm run demo: converts real media through a service of its own, looks at the results, says how to do it by hand.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBoard } from './demo/board.ts';
import { byHand } from './demo/by-hand.ts';
import { conversions, RESULTS, SAMPLES } from './demo/conversions.ts';
import { follow } from './demo/follow.ts';
import { failure, reported } from './demo/report.ts';
import { submit } from './demo/submit.ts';
import { bad, bold, bytes, dim, good } from './demo/text.ts';
import { verify } from './demo/verify.ts';
import { adminLogin, must } from './lib/api.ts';
import { copySample, sampleName } from './lib/samples.ts';
import { startService } from './lib/service.ts';
import { ok, seconds, warn } from './setup/say.ts';
import { ensureTools, type Tools } from './setup/tools.ts';

const say = (line = '') => console.log(line);
const stopped = new AbortController();

/** Runs the demo in `folder`; true when every result is right. */
async function demo(folder: string, tools: Tools): Promise<boolean> {
  const [dataDir, mediaRoot] = [join(folder, 'data'), join(folder, 'media')];
  const list = conversions(tools.bubblewrap);
  const samples = [...new Set(list.map((c) => c.sample))];
  for (const sample of samples) await copySample(sample, join(mediaRoot, SAMPLES, sampleName(sample)));
  say(ok('samples', `${samples.map(sampleName).join(', ')}`));
  await mkdir(dataDir);

  const from = performance.now();
  const service = await startService({ dataDir, mediaRoot, env: settings(tools) });
  stopped.signal.addEventListener('abort', () => void service.stop());
  try {
    await must(`${service.url}/ready`);
    say(ok('service', `${service.url}, ready in ${seconds(from)}`));
    if (!tools.bubblewrap) say(warn('', 'It runs unsandboxed and so refuses filters: sizes are set by "s" instead of "vf".'));
    const { accessToken: token, expiresIn } = await adminLogin(service.url, dataDir);
    say(ok('token', `POST /api/auth/token: a bearer token for ${expiresIn / 60} minutes`));

    const submitted = performance.now();
    const accepted = await Promise.all(list.map((c) => submit(service.url, token, c)));
    const byMcp = list.filter((c) => c.door === '/mcp').length;
    say(
      ok(
        'submitted',
        `${list.length - byMcp} by POST /api/conversion, ${byMcp} by POST /mcp; all 202 within ${Math.ceil(performance.now() - submitted)} ms`,
      ),
    );
    say();

    const board = openBoard(list.map((c) => c.title));
    const ids = accepted.map((a) => a.jobId);
    const jobs = await follow(service.url, token, ids, board, stopped.signal).finally(() => board.close());
    const took = seconds(submitted);

    say(`\n${bold('Results')} in ${join(mediaRoot, RESULTS)}, as ffprobe sees them\n`);
    let right = 0;
    for (const [index, conversion] of list.entries()) {
      const job = jobs[index];
      if (job === undefined) continue;
      const file = join(mediaRoot, RESULTS, conversion.result);
      const verdict = job.status === 'COMPLETED' ? await verify(tools, file, conversion.expected) : failure(job);
      say(reported(conversion, job, verdict));
      if (verdict.faults.length === 0) right += 1;
    }
    const all = right === list.length;
    say(
      all
        ? `\n${good(`All ${right} are right`)}: codecs, sizes and durations as asked, each decoded to its end without a fault. Converted in ${took}.`
        : `\n${bad(`${list.length - right} of ${list.length} are wrong.`)} The log of the service:\n${service.log()}`,
    );
    return all;
  } finally {
    await service.stop();
  }
}

function settings(tools: Tools): Record<string, string> {
  return {
    FFMPEG_PATH: tools.ffmpegPath,
    FFPROBE_PATH: tools.ffprobePath,
    TELECINE_CONCURRENCY: '2',
    ...(tools.old ? { TELECINE_ALLOW_OLD_FFMPEG: '1' } : {}),
  };
}
