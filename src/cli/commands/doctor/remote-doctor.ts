import { connect } from '../../session/credentials.ts';
import { runCommand } from '../../session/run-command.ts';
import { printFindings } from './print-findings.ts';

/** Runs the checks in the service at `url`, and prints the results. */
export const remoteDoctor = (flags: { readonly url: string; readonly json?: boolean }): Promise<void> =>
  runCommand(flags, async (signal) => {
    const { findings } = await connect(flags.url).doctor({ signal });
    printFindings(findings, flags);
  });
