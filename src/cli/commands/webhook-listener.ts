import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { clientConfigFromEnvironment } from '../../config/environment.ts';
import { readSecretFile } from '../../config/secret-files.ts';
import { plainText } from '../../domain/text-validation.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailed, usageError } from '../session/command-failed.ts';
import { runCommand } from '../session/run-command.ts';

/** Larger bodies are not read. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

interface ListenFlags {
  readonly port: number;
  readonly json?: true;
}

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
    throw usageError(
      'NO_SECRET',
      `${webhookSecretFile} cannot be read.`,
      'Set TELECINE_WEBHOOK_SECRET_FILE to a file with the secret.',
      cause,
    );
  }
}

function requireKey(secret: string): Buffer {
  const key = readKey(secret);
  if (key !== undefined) return key;
  throw usageError('INVALID_SECRET', 'The secret is not one of a webhook.', 'Give the text that begins with whsec_.');
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

/** Reads the secret from standard input: its first line, which a terminal does not show. Throws if there is none. */
async function askSecret(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write('Secret of the webhook (whsec_…): ');
  // Without an output, the terminal shows nothing that is typed.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as readonly (string | undefined)[];
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  if (line === undefined || line.trim() === '')
    throw usageError(
      'NO_SECRET',
      'There is no secret to verify with.',
      'Set TELECINE_WEBHOOK_SECRET or TELECINE_WEBHOOK_SECRET_FILE, or write the secret to standard input.',
    );
  return line.trim();
}

/** How far the time of a delivery may be from now, as in the libraries of Standard Webhooks. */
const TOLERANCE_SECONDS = 300;

/** Reads the key of a secret (`whsec_` and base64). undefined: it is none. */
export function readKey(secret: string): Buffer | undefined {
  const [, text] = /^(?:whsec_)?([A-Za-z\d+/]{16,}={0,2})$/.exec(secret) ?? [];
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** Returns why a delivery was not signed with the key, or undefined if it was. Pure. */
export function verifyDelivery(
  key: Buffer,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): string | undefined {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'webhook-id, webhook-timestamp or webhook-signature is missing';
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    return `webhook-timestamp ${timestamp} is more than ${TOLERANCE_SECONDS} s away`;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const sent = Buffer.from(text, 'base64');
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  return isSigned ? undefined : 'no signature in webhook-signature is by this secret';
}
