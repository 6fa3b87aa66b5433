import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

export interface Answered {
  readonly status: number;
  readonly text: string;
  /** When the header of the reply arrived, in milliseconds of `wallClock`. */
  readonly headAt: number;
}

/** Milliseconds since 1970, with fractions. */
export const wallClock = (): number => performance.timeOrigin + performance.now();

/** A keep-alive connection. It is cheaper than `fetch`, so that the client does not distort the measurement. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  /** Sends POST with a body, or GET without one, unless `method` says otherwise. Throws unless the reply is a success. */
  async send(path: string, body?: string, method = body === undefined ? 'GET' : 'POST'): Promise<Answered> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(`${this.#url}${path}`, {
      agent: this.#agent,
      method,
      headers: { ...this.#headers, ...type },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const headAt = wallClock();
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 299) throw new Error(`${path} → ${status}\n${text}`);
    return { status, text, headAt };
  }

  close(): void {
    this.#agent.destroy();
  }
}
