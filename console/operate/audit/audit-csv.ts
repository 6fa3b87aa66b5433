import { type AuditRecord, actorOf } from './audit-texts.ts';

const COLUMNS: readonly (readonly [name: string, of: (record: AuditRecord) => string | undefined])[] = [
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['client', actorOf],
  ['target', ({ target }) => target],
  ['via', ({ via }) => via],
  ['address', ({ address }) => address],
  ['code', ({ code }) => code],
  ['details', ({ details }) => details && JSON.stringify(details)],
];

/** Records as a table of comma-separated values, with CRLF as in RFC 4180. */
export const auditCsv = (records: readonly AuditRecord[]): string =>
  [COLUMNS.map(([name]) => name), ...records.map((record) => COLUMNS.map(([, of]) => cell(of(record) ?? '')))]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');

/** A spreadsheet would run a text as a formula that begins with one of these. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
