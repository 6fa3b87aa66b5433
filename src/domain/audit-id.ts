/** The smallest text that sorts before all ids of records of this time (ISO 8601) and later. */
export function firstIdAt(at: string): string {
  const hex = Math.max(0, Date.parse(at)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The time in the id of a record (a UUID version 7), as ISO 8601. */
export const timeOfId = (auditId: string): string =>
  new Date(Number.parseInt(auditId.slice(0, 8) + auditId.slice(9, 13), 16)).toISOString();
