import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DatabaseName,
  PLACES,
  type Places,
  RELEASE_DATA,
  type ReleaseFacts,
} from '../../scripts/release-data/released-data.ts';

/** The versions whose data is recorded. */
export const RELEASES: readonly string[] = readdirSync(RELEASE_DATA, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A moment as both databases write it, and a day between quotes. Not the bounds of a partition, which its name has too. */
const MOMENT = /(?<!VALUES FROM.*)(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|\+00)/g;
const DAY = /'(\d{4}-\d\d-\d\d)'/g;

/**
 * Moves all times of a text by whole hours, so that it was recorded between one minute and about one hour ago. Otherwise what lasts a
 * day, such as an idempotency key, would have expired.
 */
function moveTimes(text: string, recordedAt: string): string {
  const hours = Math.floor((Date.now() - MINUTE_MS - Date.parse(recordedAt)) / HOUR_MS);
  const moved = (time: string): string => new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
  return text
    .replaceAll(MOMENT, (_, day: string, between: string, time: string, fraction: string | undefined, zone: string) => {
      const [date = '', clock = ''] = moved(`${day}T${time}Z`).split('T');
      return `${date}${between}${clock.slice(0, 8)}${fraction === undefined ? '' : `.${fraction}`}${zone}`;
    })
    .replaceAll(DAY, (_, day: string) => `'${moved(`${day}T12:00:00Z`).slice(0, 10)}'`);
}

/** The data that a service of `version` left when it was killed, as SQL, and what the service knew. */
export function readReleaseData(
  version: string,
  database: DatabaseName,
  places: Places,
): { readonly sql: string; readonly facts: ReleaseFacts } {
  const read = (extension: string): string =>
    readFileSync(join(RELEASE_DATA, version, `${database}.${extension}`), 'utf8');
  const { recordedAt } = JSON.parse(read('json')) as ReleaseFacts;
  const here = (text: string): string =>
    (Object.keys(PLACES) as (keyof Places)[]).reduce(
      (found, name) => found.replaceAll(PLACES[name], places[name]),
      moveTimes(text, recordedAt),
    );
  return { sql: here(read('sql')), facts: JSON.parse(here(read('json'))) as ReleaseFacts };
}
