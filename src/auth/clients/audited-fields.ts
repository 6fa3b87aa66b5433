import type { ClientView } from './clients.ts';

type Fields = Pick<ClientView, 'scopes' | 'root' | 'limits' | 'externalSubject'>;

const FIELDS = ['scopes', 'root', 'limits', 'externalSubject'] as const;

/** The fields of a client that an auditor asks for. */
export const auditedFields = (client: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(FIELDS.flatMap((field) => (client[field] === undefined ? [] : [[field, client[field]]])));

/** The new values of the fields that `changes` contains. */
export const changedFields = (client: Fields, changes: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(auditedFields(client)).filter(([field]) => Object.keys(changes).includes(field)));
