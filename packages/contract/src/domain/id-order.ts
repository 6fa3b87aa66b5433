/**
 * A text that sorts after the ids of all jobs, batches and records in every collation. These ids are UUIDs version 7, which have only
 * hexadecimal digits.
 */
export const AFTER_ALL_IDS = 'g';

/** The smallest text that sorts before all ids of this time (ISO 8601) and of later times. */
export function firstIdAt(at: string): string {
  const hex = Math.max(0, Date.parse(at)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The creation time that an id contains, as ISO 8601 text. */
export const timeOfId = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
