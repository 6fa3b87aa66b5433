import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { DoctorView } from '@telecine/contract/wire/clients.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';

interface DoctorFlags {
  readonly url?: string;
  readonly json?: boolean;
  /**
   * true: check the requirements of `telecine worker`. false: check the requirements of `telecine serve --no-worker`,
   * which needs no ffmpeg on PostgreSQL.
   */
  readonly worker?: boolean;
}

export function declare(doctor: Command): void {
  doctor
    .option('--json', 'print JSON, for programs')
    .option('--worker', 'check what telecine worker needs')
    .option('--no-worker', 'check what telecine serve --no-worker needs: on PostgreSQL, workers instead of ffmpeg')
    .option('--url <address>', 'let the service there check itself (needs the scope admin)')
    .action(check);
}

/** Checks the requirements of a service on this machine, or asks the service at `url`. Loads only the code for that case. */
async function check({ url, ...flags }: DoctorFlags): Promise<void> {
  if (url === undefined) {
    const { runChecks } = await import('@telecine/service/start/doctor-checks.ts');
    printFindings(await runChecks(configFromEnvironment(), flags), flags);
    return;
  }
  const { connect } = await import('../session/credentials.ts');
  const { runCommand } = await import('../session/run-command.ts');
  await runCommand(flags, async (signal) => printFindings((await connect(url).doctor({ signal })).findings, flags));
}

/** Prints the results of checks. Sets the exit code 1 if a check failed. */
function printFindings(findings: Readonly<DoctorView['findings']>, { json = false }: DoctorFlags): void {
  if (json) console.log(JSON.stringify(findings, null, 2));
  else for (const finding of findings) print(finding);
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = EXIT.failed;
}

function print({ name, state, says, fix }: DoctorView['findings'][number]): void {
  console.log(plainText(`${state === 'ok' ? '✓' : state === 'warn' ? '!' : '✗'} ${name.padEnd(12)} ${says}`));
  if (fix !== undefined) console.log(plainText(`  ${''.padEnd(12)} ${fix}`));
}
