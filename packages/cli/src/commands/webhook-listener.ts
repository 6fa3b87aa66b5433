import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { verifyWebhook, WebhookError } from '@telecine/client/webhook.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import { clientConfigFromEnvironment } from '@telecine/service/config/environment.ts';
import { readSecretFile } from '@telecine/service/config/secret-files.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailed, usageError } from '../session/command-failed.ts';
import { runCommand } from '../session/run-command.ts';

/** The maximum size of a body. Larger bodies are not read. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

interface ListenFlags {
  readonly port: number;
  readonly json?: true;
}

/** One delivery, and whether its signature matches the secret. */
interface SeenDelivery {
  readonly at: string;
  readonly isVerified: boolean;
  readonly messageId: string;
  readonly event?: unknown;
  readonly error?: string;
}

/** Receives webhooks on loopback until Ctrl-C. Replies 204 to deliveries with a valid signature, and 401 to others. */
export const runListen = (flags: ListenFlags): Promise<void> =>
  runCommand({}, async (signal) => {
    const secret = requireSecret(await readSecret());
    const server = createServer((request, response) => {
      readBody(request)
        .then((body) => inspect(secret, request, body))
        .then((seen) => {
          print(seen, flags);
          response.writeHead(seen.isVerified ? 204 : 401).end();
        })
        .catch(() => response.writeHead(413).end());
    });
    server.listen(flags.port, '127.0.0.1');
    await once(server, 'listening', { signal }).catch((cause: unknown) => {
      throw new CommandFailed(EXIT.failed, 'NOT_LISTENING', `Port ${flags.port} cannot be used.`, {
        fix: 'Use another --port, or 0 for any.',
        cause,
      });
    });
    const { port } = server.address() as AddressInfo;
    console.error(`Register http://127.0.0.1:${port}/ as webhook or callbackUrl.`);
    console.error(`The service must allow it: TELECINE_WEBHOOK_HOSTS=public,127.0.0.1:${port}. Ctrl-C ends.`);
    if (!signal.aborted) await once(signal, 'abort');
    server.closeAllConnections();
    server.close();
  });

/**
 * Reads the secret from the environment, from its file, or from standard input. It is never an argument, because other users can see
 * arguments.
 */
async function readSecret(): Promise<string> {
  const { webhookSecret, webhookSecretFile } = clientConfigFromEnvironment();
  if (webhookSecret !== undefined) return webhookSecret;
  if (webhookSecretFile === undefined) return askSecret();
  try {
    return readSecretFile(webhookSecretFile);
  } catch (cause) {
    throw usageError(
      'NO_SECRET',
      `${webhookSecretFile} cannot be read.`,
      'Set TELECINE_WEBHOOK_SECRET_FILE to a file with the secret.',
      cause,
    );
  }
}

/** Throws `CommandFailed` unless the secret is base64. The prefix `whsec_` is optional. */
export function requireSecret(secret: string): string {
  const key = secret.replace(/^whsec_/, '');
  if (key.length >= 16 && Buffer.from(key, 'base64').toString('base64') === key) return secret;
  throw usageError(
    'INVALID_SECRET',
    'The text is not the secret of a webhook.',
    'Use the secret that "telecine webhook add" or "telecine webhook rotate" showed. It begins with whsec_.',
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function inspect(secret: string, { headers }: IncomingMessage, body: string): Promise<SeenDelivery> {
  const messageId = headers['webhook-id'];
  const seen = { at: new Date().toISOString(), messageId: typeof messageId === 'string' ? messageId : '' };
  try {
    return { ...seen, isVerified: true, event: await verifyWebhook(body, headers, secret) };
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return { ...seen, isVerified: false, error: error.message };
  }
}

function print(seen: SeenDelivery, { json }: ListenFlags): void {
  const { at, isVerified, messageId, event, error } = seen;
  if (json === true) {
    console.log(JSON.stringify(seen));
    return;
  }
  const result = isVerified ? 'verified' : `rejected: ${error}`;
  console.log(plainText(`${at}  ${messageId || 'no webhook-id'}  ${result}`));
  if (isVerified) for (const line of JSON.stringify(event, undefined, 2).split('\n')) console.log(plainText(line));
}

/** Reads the secret from the first line of standard input. A terminal does not show it. Throws `CommandFailed` if there is no line. */
async function askSecret(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write('Secret of the webhook (whsec_…): ');
  // This output discards everything, so the terminal does not show the typed secret.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as readonly (string | undefined)[];
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  if (line === undefined || line.trim() === '')
    throw usageError(
      'NO_SECRET',
      'The secret is missing, so no delivery can be verified.',
      'Set TELECINE_WEBHOOK_SECRET or TELECINE_WEBHOOK_SECRET_FILE, or write the secret to standard input.',
    );
  return line.trim();
}
