import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** What a browser did with a page. */
export interface VisitedPage {
  /** The visible text of the whole page. */
  readonly text: string;
  /** The hosts of all requests of the page, including failed requests. */
  readonly hosts: readonly string[];
  /** Errors and warnings of the console, of scripts and of the network. */
  readonly errors: readonly string[];
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/** The members of the protocol that are read here. */
interface Result {
  readonly targetId?: string;
  readonly sessionId?: string;
  readonly result?: { readonly value?: unknown; readonly objectId?: string };
}

export interface UserActions {
  /** Chooses local files in the input element that the selector finds. */
  chooseFiles(selector: string, files: readonly string[]): Promise<void>;
  click(selector: string): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly request?: { readonly url?: string };
    readonly entry?: { readonly level?: string };
    readonly exceptionDetails?: unknown;
    readonly type?: string;
    readonly args?: unknown;
  };
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

/**
 * Opens a page in a headless Chromium with its profile in `profile`, acts on it when it is loaded, and waits until its text
 * matches `until`. Uses the protocol of Chromium's developer tools, so that no package is needed.
 */
export async function openPage(
  chromium: string,
  profile: string,
  url: string,
  until: RegExp,
  act: (user: UserActions) => Promise<void> = async () => undefined,
): Promise<VisitedPage> {
  const args = ['--headless=new', '--disable-gpu', '--window-size=1400,2000', '--remote-debugging-port=0'];
  // Switch off Chromium's own sandbox, which needs user namespaces and a user that is not root. The page is our own.
  const child = spawn(chromium, [...args, '--no-sandbox', `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  try {
    const socket = new WebSocket(await debuggerUrl(child.stderr));
    await once(socket, 'open');
    return await visit(socket, url, until, act);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** The address that Chromium prints when it has started. */
async function debuggerUrl(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('Chromium ended before it listened.');
}

async function visit(
  socket: WebSocket,
  url: string,
  until: RegExp,
  act: (user: UserActions) => Promise<void>,
): Promise<VisitedPage> {
  const hosts = new Set<string>();
  const errors: string[] = [];
  const replies = new Map<number, (message: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) replies.get(message.id)?.(message);
    const { method, params } = message;
    if (method === 'Network.requestWillBeSent') addHost(hosts, params?.request?.url ?? '');
    if (method === 'Runtime.exceptionThrown') errors.push(JSON.stringify(params?.exceptionDetails));
    if (method === 'Log.entryAdded' && isBad(params?.entry?.level)) errors.push(JSON.stringify(params?.entry));
    if (method === 'Runtime.consoleAPICalled' && isBad(params?.type)) errors.push(JSON.stringify(params?.args));
  });
  let count = 0;
  const call = async (method: string, params: object, sessionId?: string): Promise<Result> => {
    count += 1;
    const id = count;
    const reply = new Promise<Message>((resolve) => replies.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params, sessionId }));
    const { result = {}, error } = await reply;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  for (const domain of ['Network', 'Runtime', 'Log', 'Page']) await call(`${domain}.enable`, {}, sessionId);
  const evaluate = (expression: string) => call('Runtime.evaluate', { expression, awaitPromise: true }, sessionId);
  await call('Page.navigate', { url }, sessionId);
  await evaluate(LOADED);
  await act({
    chooseFiles: async (selector, files) => {
      const { result } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`);
      await call('DOM.setFileInputFiles', { files, objectId: result?.objectId }, sessionId);
    },
    click: async (selector) => void (await evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)),
  });
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { result } = await evaluate('document.body.innerText');
    const text = String(result?.value);
    if (until.test(text)) return { text, hosts: [...hosts], errors };
    if (performance.now() > deadline) throw new Error(`The page does not show ${until}: ${text}`);
    await delay(POLL_MS);
  }
}

/** Resolves when the page and its modules are loaded. */
const LOADED = `document.readyState === 'complete' || new Promise((loaded) => addEventListener('load', loaded))`;

const isBad = (level: string | undefined): boolean => level === 'error' || level === 'warning' || level === 'assert';

/** Ignore addresses without a host, such as data and blob URLs, which need no network. */
function addHost(hosts: Set<string>, address: string): void {
  const { protocol, host } = new URL(address);
  if (protocol !== 'data:' && protocol !== 'blob:' && protocol !== 'about:') hosts.add(host);
}
