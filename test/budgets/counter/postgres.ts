import type { Client, QueryResult } from 'pg';
import { count } from './counts.ts';

/** What the counter wraps of pg's client. `_getActiveQuery`: the statement whose reply the server sends now. */
interface Wrapped {
  connect(done?: (...results: unknown[]) => void): unknown;
  query(...args: unknown[]): Promise<QueryResult>;
  _getActiveQuery(): { readonly text?: string } | null;
  _handleCommandComplete(message: { readonly text: string }): void;
}

/** The tags of commands that begin or end a transaction. */
const CONTROL = new Set(['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'RELEASE']);

const connected = new Set<Client>();
let send: Wrapped['query'];
let pending = 0;
let isAsking = false;

const settled = (): void => {
  pending -= 1;
};

/** The number of statements and connections that wait for the server. */
export const pendingOnPostgres = (): number => pending;

/** Counts the statements that PostgreSQL completes for pg's clients: each one of a text with several. */
export function countClient({ prototype }: { readonly prototype: Wrapped }): void {
  const { connect, query, _handleCommandComplete } = prototype;
  send = query;
  prototype.connect = function (this: Client & Wrapped, done) {
    connected.add(this);
    this.once('end', () => connected.delete(this));
    if (done === undefined) return Reflect.apply(connect, this, []);
    pending += 1;
    const connectedOrNot = (...results: unknown[]): void => {
      settled();
      done(...results);
    };
    return Reflect.apply(connect, this, [connectedOrNot]);
  };
  prototype.query = function (this: Client & Wrapped, ...args) {
    const result = Reflect.apply(query, this, args);
    pending += 1;
    result.then(settled, settled);
    return result;
  };
  prototype._handleCommandComplete = function (this: Client & Wrapped, message) {
    const tag = message.text.replace(/ \d.*$/, '');
    if (isAsking) return Reflect.apply(_handleCommandComplete, this, [message]);
    if (!CONTROL.has(tag)) count('SQL statements', this._getActiveQuery()?.text ?? tag);
    Reflect.apply(_handleCommandComplete, this, [message]);
  };
}

let before = new Map<string, number>();

/**
 * Returns the rows that were written since the last call, by table. The server counts them when a connection reports its
 * figures, which it does at once only if told to, and when it ends.
 */
export async function rowsWrittenOnPostgres(): Promise<Record<string, number>> {
  const [client] = connected;
  if (client === undefined) return {};
  isAsking = true;
  try {
    const ask = async (on: Client, text: string) => (await Reflect.apply(send, on, [text])).rows;
    for (const each of connected) await ask(each, 'select pg_stat_force_next_flush()');
    // A connection that the service has closed ends a moment later on the server.
    while ((await ask(client, BACKENDS)).length > connected.size);
    const rows: readonly { readonly name: string; readonly written: string }[] = await ask(client, WRITTEN);
    const now = new Map(rows.map(({ name, written }) => [name, Number(written)]));
    const changes = [...now].map(([name, written]) => [name, written - (before.get(name) ?? 0)] as const);
    before = now;
    return Object.fromEntries(changes.filter(([, written]) => written > 0));
  } finally {
    isAsking = false;
  }
}

const BACKENDS = `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;

const WRITTEN = `
  select case schemaname when 'public' then '' else schemaname || '.' end || relname as name,
    n_tup_ins + n_tup_upd + n_tup_del as written
  from pg_stat_user_tables`;
