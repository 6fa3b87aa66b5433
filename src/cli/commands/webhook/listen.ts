import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientConfigFromEnvironment } from '../../../config/environment.ts';
import { readSecretFile } from '../../../config/secret-files.ts';
import { plainText } from '../../../domain/text-validation.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandFailed } from '../../session/command-failed.ts';
import type { ListenFlags } from '../../session/flags.ts';
import { runCommand } from '../../session/run-command.ts';
import { askSecret } from './ask-secret.ts';
import { readKey, verifyDelivery } from './verify-delivery.ts';

/** Larger bodies are not read. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** What the receiver found out about one delivery. */
interface SeenDelivery {
  readonly at: string;
  readonly isVerified: boolean;
  readonly messageId: string;
  readonly event?: unknown;
  /** Why it was rejected. */
  readonly error?: string;
}

/** Receives webhooks on loopback until Ctrl-C. Replies 204 to those that the secret signed, and 401 to others. */
export const runListen = (flags: ListenFlags): Promise<void> =>
  runCommand({}, async (signal) => {
    const key = requireKey(await readSecret());
    const server = createServer((request, response) => {
      readBody(request)
        .then((body) => {
          const seen = inspect(key, request, body);
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
 * The secret in the environment, in the file that it names, or on standard input. Never an argument, which others can see.
 */
async function readSecret(): Promise<string> {
  const { webhookSecret, webhookSecretFile } = clientConfigFromEnvironment();
  if (webhookSecret !== undefined) return webhookSecret;
  if (webhookSecretFile === undefined) return askSecret();
  try {
    return readSecretFile(webhookSecretFile);
  } catch (cause) {
    throw new CommandFailed(EXIT.refused, 'NO_SECRET', `${webhookSecretFile} cannot be read.`, {
      fix: 'Set TELECINE_WEBHOOK_SECRET_FILE to a file with the secret.',
      cause,
    });
  }
}

function requireKey(secret: string): Buffer {
  const key = readKey(secret);
  if (key !== undefined) return key;
  throw new CommandFailed(EXIT.refused, 'INVALID_SECRET', 'The secret is not one of a webhook.', {
    fix: 'Give the text that begins with whsec_.',
  });
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

function inspect(key: Buffer, { headers }: IncomingMessage, body: string): SeenDelivery {
  const at = new Date();
  const error = verifyDelivery(key, headers, body, at.getTime());
  const messageId = headers['webhook-id'];
  const seen = { at: at.toISOString(), messageId: typeof messageId === 'string' ? messageId : '' };
  return error === undefined
    ? { ...seen, isVerified: true, event: JSON.parse(body) as unknown }
    : { ...seen, isVerified: false, error };
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
