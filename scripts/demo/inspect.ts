import { join } from 'node:path';
import { between, bytes } from '../../src/cli/output/quantities.ts';
import type { JobView } from '../../src/wire/job.ts';
import type { Say } from '../setup/say.ts';
import type { Tools } from '../setup/tools.ts';
import type { Conversion } from './conversions.ts';
import { bad, described, dim, good } from './text.ts';
import { type Verdict, verify } from './verify.ts';

/** Looks at every result in `folder` and prints a line for each; how many are right. */
export async function inspect(
  tools: Tools,
  folder: string,
  list: readonly Conversion[],
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
    if (verdict.faults.length === 0) right += 1;
  }
  return right;
}

/** What a result is and how long it took; below it, what is wrong with it. */
function line({ result }: Conversion, job: JobView, { probe, faults }: Verdict): string {
  const mark = faults.length === 0 ? good('✓') : bad('✗');
  const size = probe === undefined ? '' : bytes(probe.sizeBytes);
  const what = probe === undefined ? '' : described(probe);
  const took = job.status === 'COMPLETED' ? dim(`in ${between(job.startedAt, job.completedAt)}`) : '';
  const first = `  ${mark} ${result.padEnd(14)} ${size.padStart(7)}  ${what}  ${took}`;
  return [first.trimEnd(), ...faults.map((fault) => `      ${bad(fault)}`)].join('\n');
}

/** What a job that did not complete says of it. */
function unfinished({ status, error }: JobView): Verdict {
  const why = error === undefined ? '' : `: ${error.code}: ${error.message}${error.fix ? ` ${error.fix}` : ''}`;
  return { faults: [`${status}${why}`] };
}
