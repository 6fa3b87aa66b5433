/** Sorts after every id of a job, batch or record in every collation, because these ids (UUIDs version 7) consist of hexadecimal digits. */
export const AFTER_ALL_IDS = 'g';

/** The smallest text that sorts before all ids of this time (ISO 8601) and later. */
export function firstIdAt(at: string): string {
  const hex = Math.max(0, Date.parse(at)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The time in an id, as ISO 8601. */
export const timeOfId = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
