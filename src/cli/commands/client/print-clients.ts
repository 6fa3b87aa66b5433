import { plainText } from '../../../domain/text-validation.ts';
import { table } from '../../output/table.ts';
import type { SetOptions } from './client-options.ts';

/** A client from the store or from a service. */
export interface ShownClient {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly root: string;
  readonly limits?: Limits;
  readonly externalSubject?: string | undefined;
  readonly createdAt: string;
  readonly revokedAt?: string | undefined;
}

type Limits = Readonly<Record<string, number | null | undefined>> | undefined;

interface Form {
  /** Prints one line. */
  readonly print: (line: string) => void;
  /** Whether to print one JSON value for programs instead of lines. */
  readonly json: boolean;
}

/** Formats limits as for `--limit`, with sizes in bytes and times in seconds. Returns '' if there are none. */
const limitsText = (limits: Limits = {}): string =>
  Object.entries(limits)
    .flatMap(([key, most]) => (most === undefined ? [] : `${key}=${most ?? 'none'}`))
    .join(' ');

/** Prints a client that was added, or that has a new secret. */
export function printClient(
  client: ShownClient & { readonly clientSecret?: string | undefined },
  { print, json }: Form,
): void {
  const { clientId, clientSecret, externalSubject, scopes, root, limits } = client;
  if (json) {
    print(JSON.stringify({ clientId, clientSecret, externalSubject, scopes, root }));
    return;
  }
  print(`client id      ${clientId}`);
  if (clientSecret !== undefined) print(`client secret  ${clientSecret}`);
  if (externalSubject !== undefined) print(plainText(`subject        ${externalSubject}`));
  print(`scopes         ${scopes.join(' ')}`);
  print(plainText(`media root     ${root}`));
  if (limits !== undefined) print(`limits         ${limitsText(limits)}`);
  if (clientSecret !== undefined)
    print('Save the secret now: it is not shown again. "telecine client rotate" creates another.');
}

/** Prints what `set` has changed. */
export function printChanges(
  { clientId, scopes, root, limits = {} }: ShownClient,
  changed: SetOptions,
  { print, json }: Form,
): void {
  if (json) {
    print(JSON.stringify({ clientId, scopes, root, limits }));
    return;
  }
  if (changed.scope !== undefined)
    print(`${clientId} has the scopes ${scopes.join(' ')}; for a new one it needs a new token.`);
  if (changed.root !== undefined)
    print(plainText(`${clientId} has the media root ${root} for jobs that start from now on.`));
  if (changed.limit !== undefined)
    print(`${clientId} has ${limitsText(limits) || 'the default limits'} for jobs that start from now on.`);
}

/** Prints a table of clients. */
export function printClients(clients: readonly ShownClient[], { print, json }: Form): void {
  if (json) print(JSON.stringify(clients));
  else for (const line of clientTable(clients)) print(plainText(line));
}

export function printRevoked(
  { clientId, revokedAt }: Pick<ShownClient, 'clientId' | 'revokedAt'>,
  { print, json }: Form,
): void {
  print(
    json
      ? JSON.stringify({ clientId, revokedAt })
      : `${clientId} is revoked. Its tokens stop working within a second, and its jobs are cancelled.`,
  );
}

function clientTable(clients: readonly ShownClient[]): readonly string[] {
  const someExternal = clients.some(({ externalSubject }) => externalSubject !== undefined);
  const someLimited = clients.some(({ limits }) => limitsText(limits) !== '');
  return table([
    [
      ...['NAME', 'STATE', 'CREATED', 'SCOPES', 'MEDIA ROOT'],
      ...(someExternal ? ['EXTERNAL SUBJECT'] : []),
      ...(someLimited ? ['LIMITS'] : []),
    ],
    ...clients.map(({ clientId, revokedAt, createdAt, scopes, root, externalSubject, limits }) => [
      clientId,
      revokedAt === undefined ? 'active' : 'revoked',
      createdAt.slice(0, 10),
      scopes.join(' '),
      root,
      ...(someExternal ? [externalSubject ?? ''] : []),
      ...(someLimited ? [limitsText(limits)] : []),
    ]),
  ]);
}
