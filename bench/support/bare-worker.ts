/**
 * A worker in its own process that does only what no durable worker can omit. It claims each job by a durable commit, starts the same
 * ffmpeg in the same wrappers with the same pipes, reads the progress and the log, flushes the output, moves the output to its folder,
 * flushes this folder, and ends the job by another durable commit. It has no checks, plan, limits, messages or events.
 *
 * Its arguments are the folder for its files, the input, and the number of jobs that run at the same time. Each line of its standard input
 * is a `BareBlock` as JSON. The worker prints a line after each block.
 */
import { fdatasync, openSync } from 'node:fs';
import { mkdir, open, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { launch } from '../../packages/ffmpeg/src/process/launch.ts';
import { LineSplitter } from '../../packages/ffmpeg/src/process/line-splitter.ts';
import { confinedCommand } from './wrapped-command.ts';

export interface BareBlock {
  /** The command. It writes the file `out/` + `output`. */
  readonly argv: readonly string[];
  readonly output: string;
  readonly count: number;
}

const [folder = '.', input = '', parallel = '1'] = process.argv.slice(2);
const published = join(folder, 'published');
await mkdir(published, { recursive: true });
const path = join(folder, 'jobs.sqlite');
const database = new DatabaseSync(path);
database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 100000');
database.exec('create table jobs (job_id integer primary key, status text not null, output text)');
const submit = database.prepare("insert into jobs values (?, 'PENDING', null)");
const claim = database.prepare("update jobs set status = 'PROCESSING' where job_id = ? and status = 'PENDING'");
const end = database.prepare(
  "update jobs set status = 'COMPLETED', output = ? where job_id = ? and status = 'PROCESSING'",
);
const log = openSync(`${path}-wal`, 'r+');
const flush = promisify(fdatasync);

async function runJob(jobId: number, { argv, output }: BareBlock): Promise<void> {
  claim.run(jobId);
  await flush(log);
  const scratch = join(folder, `${jobId}`);
  await mkdir(join(scratch, 'out'), { recursive: true });
  const seen: Record<string, string> = {};
  const lines: string[] = [];
  const { ended } = launch(await confinedCommand(argv, input, scratch), {
    out: new LineSplitter((line) => {
      const [name = '', value = ''] = line.split('=');
      seen[name] = value;
    }),
    err: new LineSplitter((line) => void lines.push(line)),
  });
  if ((await ended).code !== 0 || seen['progress'] !== 'end') throw new Error(lines.join('\n'));
  const target = join(published, `${jobId}-${output}`);
  const file = await open(join(scratch, 'out', output));
  await file.sync();
  await file.close();
  await rename(join(scratch, 'out', output), target);
  const directory = await open(published);
  await directory.sync();
  await directory.close();
  end.run(target, jobId);
  await flush(log);
  await rmdir(join(scratch, 'out'));
  await rmdir(scratch);
}

const limit = pLimit(Number(parallel));
let last = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const block = JSON.parse(line) as BareBlock;
  const jobIds = Array.from({ length: block.count }, () => ++last);
  for (const jobId of jobIds) submit.run(jobId);
  await Promise.all(jobIds.map((jobId) => limit(runJob, jobId, block)));
  console.log('done');
}
