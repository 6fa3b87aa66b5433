import { join } from 'node:path';
import { between, bytes } from '../../packages/cli/src/output/format.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { Say } from '../setup/say.ts';
import type { Tools } from '../setup/tools.ts';
import type { DemoConversion } from './conversions.ts';
import { bad, describeMedia, dim, good } from './styled-text.ts';
import { type Verdict, verify } from './verify.ts';

/** Checks every result in `folder` and prints a line for each. Returns how many are correct. */
export async function inspect(
  tools: Tools,
  folder: string,
  list: readonly DemoConversion[],
  jobs: readonly JobView[],
  say: Say,
): Promise<number> {
  let right = 0;
  for (const [index, conversion] of list.entries()) {
    const job = jobs[index];
    if (job === undefined) continue;
    const file = join(folder, conversion.result);
    const verdict = job.status === 'COMPLETED' ? await verify(tools, file, conversion.expected) : unfinished(job);
    say(line(conversion, job, verdict));
    if (verdict.errors.length === 0) right += 1;
  }
  return right;
}

/** A line with the streams of a result and how long it took, and a line for each error. */
function line({ result }: DemoConversion, job: JobView, { probe, errors }: Verdict): string {
  const mark = errors.length === 0 ? good('✓') : bad('✗');
  const size = probe === undefined ? '' : bytes(probe.sizeBytes);
  const what = probe === undefined ? '' : describeMedia(probe);
  const took = job.status === 'COMPLETED' ? dim(`in ${between(job.startedAt, job.completedAt)}`) : '';
  const first = `  ${mark} ${result.padEnd(14)} ${size.padStart(7)}  ${what}  ${took}`;
  return [first.trimEnd(), ...errors.map((error) => `      ${bad(error)}`)].join('\n');
}

/** The failure of a job that did not complete. */
function unfinished({ status, error }: JobView): Verdict {
  const why = error === undefined ? '' : `: ${error.code}: ${error.message}${error.fix ? ` ${error.fix}` : ''}`;
  return { errors: [`${status}${why}`] };
}
