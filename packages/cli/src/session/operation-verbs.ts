import type { RetryBudget } from '@telecine/client/options.ts';
import { createTransport } from '@telecine/client/transport.ts';
import { ENDPOINTS, type OperationId } from '@telecine/contract/wire/endpoints.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import type { ReplyOf } from '@telecine/contract/wire/operations/types.ts';
import type { Command } from 'commander';
import { listLines, recordLines } from '../output/result-lines.ts';
import verbs from '../verbs.json' with { type: 'json' };
import { addServiceOptions } from './command-options.ts';
import { readCredentials } from './credentials.ts';
import { printResult, type ServiceFlags } from './service-verbs.ts';
import { optionOf, type VerbMember, valuesOf } from './verb-options.ts';

/** A verb that calls one operation, as `npm run docs` writes it to verbs.json from the declaration of the operation. */
interface Verb {
  readonly id: OperationId;
  readonly summary: string;
  readonly members: readonly VerbMember[];
  /** The body that it always sends. */
  readonly body?: object;
  /** What has happened, if the reply has no body. */
  readonly done?: string;
}

const VERBS = verbs as unknown as Readonly<Record<string, Verb>>;

export function findVerb(name: string): Verb {
  const found = VERBS[name];
  if (found === undefined) throw new Error(`No operation declares the verb "${name}". Run "npm run docs".`);
  return found;
}

type Members = Readonly<Record<string, unknown>>;

/** A request to an operation. */
export type Sent = { readonly [part in VerbMember['part']]?: Members };

export type CallOperation = (id: OperationId, sent: Sent) => Promise<unknown>;

/** The settings of a verb that differ from the defaults. */
interface VerbSettings<Reply> {
  /** The lines for people. Default: the columns of a list, the members of another reply. `words`: the arguments. */
  readonly show?: (reply: Reply, words: readonly string[]) => readonly string[];
  /** Converts texts whose form on the command line differs from that of the API, by the names of members. */
  readonly read?: Readonly<Record<string, (text: string, call: CallOperation) => unknown>>;
  /** Adds options that no schema declares, and texts of the help. */
  readonly add?: (command: Command) => unknown;
  /** Changes the request according to these options, or completes the reply by further calls. `next` sends the request. */
  readonly send?: (
    sent: Sent,
    flags: never,
    calls: { readonly next: (sent: Sent) => Promise<Reply>; readonly call: CallOperation },
  ) => Promise<Reply>;
  /** How long the calls are retried. */
  readonly budget?: RetryBudget;
}

type SettingsOfVerbs = { readonly [id in OperationId]?: VerbSettings<ReplyOf<Declared[id]>> };

/** Where the verbs of a command call their operations. `address`: the option `--url`. */
type OpenOperations = (
  address: string | undefined,
  options: { readonly signal: AbortSignal; readonly readsOnly: boolean; readonly budget?: RetryBudget | undefined },
) => Promise<Operations>;

export interface Operations extends AsyncDisposable {
  readonly call: CallOperation;
}

/** Adds the verbs of a command that call one operation each. The first verb that only reads and needs no argument is the default. */
export function addOperationVerbs(command: Command, settings: SettingsOfVerbs = {}, open = openService): void {
  let hasDefault = false;
  for (const [name, verb] of Object.entries(VERBS)) {
    const [group, word] = name.split(' ');
    if (group !== command.name()) continue;
    const words = verb.members.flatMap(({ isRequired, flag }) => (isRequired ? `<${flag}>` : []));
    const isDefault: boolean = !hasDefault && words.length === 0 && ENDPOINTS[verb.id].method === 'GET';
    const declared = command.command([word, ...words].join(' '), { isDefault }).description(verb.summary);
    addOperation(declared, verb, open, settings[verb.id] as VerbSettings<unknown>);
    if (isDefault) rejectUnknownVerbs(declared, command);
    hasDefault ||= isDefault;
  }
}

/** Without a verb that it knows, commander takes all words as arguments of the default one. */
function rejectUnknownVerbs(byDefault: Command, { commands }: Command): void {
  byDefault.allowExcessArguments().hook('preAction', (_, { args: [word] }) => {
    const known = commands.map((verb) => verb.name()).join(', ');
    if (word !== undefined) byDefault.error(`error: unknown command "${word}". Use one of: ${known}.`);
  });
}

function addOperation(command: Command, verb: Verb, open: OpenOperations, settings: VerbSettings<unknown> = {}): void {
  const { show, read, budget } = settings;
  const readsOnly = ENDPOINTS[verb.id].method === 'GET';
  // A verb with a body of its own has none of the options for the body.
  const { add, send } = verb.body === undefined ? settings : {};
  for (const member of verb.members) if (!member.isRequired) command.addOption(optionOf(member));
  add?.(command);
  addServiceOptions(command).action(async () => {
    const flags = command.opts<ServiceFlags>();
    const ask = async (signal: AbortSignal): Promise<unknown> => {
      await using operations = await open(flags.url, { signal, readsOnly, budget });
      const { call } = operations;
      const next = (request: Sent) => sendAll(call, verb.id, request);
      const sent = await readRequest(verb, command, (name, text) => read?.[name]?.(text, call));
      const reply = await (send?.(sent, flags as never, { next, call }) ?? next(sent));
      // A reply that is not JSON is named after the verb: `{"jobId": "…", "log": "…"}`.
      return typeof reply === 'object'
        ? reply
        : { ...sent.params, ...(reply !== undefined && { [command.name()]: reply }) };
    };
    const lines = (reply: unknown) => {
      if (Object(reply).nextCursor !== undefined) console.error(moreText(verb));
      return show?.(reply, command.args) ?? linesOf(reply as Members, verb, command.name());
    };
    await printResult(flags, ask, lines);
  });
}

export const openService: OpenOperations = async (address, { signal, budget }) => {
  const { url, credentials } = readCredentials(address);
  const transport = createTransport(url, credentials);
  return {
    // No time limit: the user decides how long to wait.
    call: (id, sent) => transport.read(id, { ...sent, signal, budget, timeoutSeconds: 0 } as never, readReply),
    [Symbol.asyncDispose]: async () => {},
  };
};

async function readReply(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 204) return undefined;
  if (type.startsWith('application/json')) return response.json();
  return type.startsWith('text/') ? response.text() : Buffer.from(await response.bytes()).toString('hex');
}

/** Reads a request from the arguments and options of a command. `read` returns undefined for a text that is sent as it is. */
export async function readRequest(
  { members, body: always }: Verb,
  command: Command,
  read: (name: string, text: string) => unknown = () => undefined,
): Promise<Sent> {
  const sent: Record<VerbMember['part'], Record<string, unknown>> = { params: {}, query: {}, body: {} };
  for (const [{ name, part }, value] of valuesOf(members, command))
    sent[part][name] = Array.isArray(value)
      ? await Promise.all(value.map(async (text) => (await read(name, text)) ?? text))
      : ((typeof value === 'string' ? await read(name, value) : undefined) ?? value);
  const hasBody = always !== undefined || members.some(({ part }) => part === 'body');
  return { params: sent.params, query: sent.query, ...(hasBody && { body: { ...sent.body, ...always } }) };
}

/** Sends a request. Reads the further pages of a list until it has `limit` items, and all pages if it has no limit. */
async function sendAll(call: CallOperation, id: OperationId, sent: Sent): Promise<unknown> {
  const part = ENDPOINTS[id].method === 'GET' ? 'query' : 'body';
  const limit = Number(sent.query?.['limit'] ?? Number.POSITIVE_INFINITY);
  const sendPage = (more: Members) => call(id, { ...sent, [part]: { ...sent[part], ...more } }) as Promise<Members>;
  let page = await call(id, sent);
  for (let list = listOf(page); list !== undefined; list = listOf(page)) {
    const { nextCursor: cursor, [list]: found } = page as Members & { readonly [name: string]: readonly unknown[] };
    if (cursor === undefined || found === undefined || found.length >= limit) break;
    const next = await sendPage({ cursor, ...(Number.isFinite(limit) && { limit: limit - found.length }) });
    page = { ...next, [list]: [...found, ...(next[list] as readonly unknown[])] };
  }
  return page;
}

/** What is printed for a list that has more items than `--limit`. */
const moreText = ({ members }: Verb): string => {
  const { max } = members.find(({ name }) => name === 'limit') ?? {};
  return `There are more. Add a larger --limit${max === undefined ? '' : `, up to ${max}`}, or options that select fewer.`;
};

/** The name of the list in a reply. */
const listOf = (reply: unknown): string | undefined =>
  Object.entries(Object(reply)).find(([, value]) => Array.isArray(value))?.[0];

/** The lines of a reply whose verb has no others. */
function linesOf(reply: Members, { done }: Verb, word: string): readonly string[] {
  if (done !== undefined) return [done];
  if (word in reply) return String(reply[word]).trimEnd().split('\n');
  const [items] = Object.values(reply);
  return Array.isArray(items) ? listLines(items, columnsOf(items[0])) : recordLines(reply);
}

/** The members of an item that are neither lists nor objects. */
const columnsOf = (first: Members = {}): readonly string[] =>
  Object.keys(first).filter((name) => typeof first[name] !== 'object');
