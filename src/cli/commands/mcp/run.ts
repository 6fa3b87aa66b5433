import { createInterface } from 'node:readline';
import { createTransport } from '../../../client/transport.ts';
import { plainText } from '../../../domain/text-validation.ts';
import { readCredentials } from '../../session/credentials.ts';
import type { McpFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { bridge } from './bridge.ts';

/** Runs `telecine mcp` until standard input ends. Standard output carries only protocol messages. */
export async function mcpCommand({ url: address }: McpFlags): Promise<void> {
  const { stdin, stdout } = process;
  await runCommand({}, async (signal) => {
    const { url, credentials } = readCredentials(address);
    const gone = new AbortController();
    // Stop if the client has closed the pipe.
    stdout.on('error', () => gone.abort());
    const lines = createInterface({ input: stdin, signal: AbortSignal.any([signal, gone.signal]) });
    await bridge({
      transport: createTransport(url, credentials),
      lines,
      write: (message) => void stdout.write(`${JSON.stringify(message)}\n`),
      log: (line) => console.error(plainText(line)),
    });
    signal.throwIfAborted();
  });
  // A pending token request to an unreachable service would keep the process alive for some seconds.
  process.exit();
}
