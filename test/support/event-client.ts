import { EventSource } from 'eventsource';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { LiveEventView } from '../../packages/contract/src/wire/live-event.ts';
import { waitUntil } from './wait.ts';

/** An event as an EventSource client gets it. */
export interface SeenEvent {
  readonly type: LiveEventView['type'];
  /** '' if the event has none. */
  readonly id: string;
  readonly data: JobView;
}

/** A stream of events, read by the `EventSource` of npm, which connects again as browsers do. */
export interface SeenEvents {
  readonly events: readonly SeenEvent[];
  /** Waits for the first event that is wanted, also among those that came already. */
  until(what: string, wanted: (event: SeenEvent) => boolean, seconds?: number): Promise<SeenEvent>;
  /** The status with which the client gave up. Waits until it has. */
  failed(): Promise<number | undefined>;
  /** How often it has connected. */
  connections(): number;
  close(): void;
}

const TYPES: readonly LiveEventView['type'][] = [
  ...([
    'snapshot',
    'created',
    'status',
    'ended',
    'expired',
    'phase',
    'progress',
    'deleted',
    'batch',
    'watch',
    'reset',
    'ready',
  ] as const),
];

const sources = new Set<EventSource>();

/** Call it after each test file that follows events. */
export function closeEvents(): void {
  for (const source of sources) source.close();
  sources.clear();
}

export function followEvents(
  url: string,
  path: string,
  token: string,
  { lastEventId }: { readonly lastEventId?: string } = {},
): SeenEvents {
  const events: SeenEvent[] = [];
  let status: number | undefined;
  let connections = 0;
  const source = new EventSource(new URL(path, url), {
    fetch: (input, init) => {
      connections += 1;
      const first = connections === 1 && lastEventId !== undefined ? { 'last-event-id': lastEventId } : {};
      return fetch(input, { ...init, headers: { ...init.headers, ...first, authorization: `Bearer ${token}` } });
    },
  });
  for (const type of TYPES)
    source.addEventListener(type, (event) => {
      events.push({ type, id: event.lastEventId, data: JSON.parse(event.data) as JobView });
    });
  source.addEventListener('error', (error) => {
    status = error.code;
  });
  sources.add(source);
  return {
    events,
    until: (what, wanted, seconds = 30) =>
      waitUntil(`the event ${what}`, async () => events.find(wanted), seconds).catch((cause) => {
        throw new Error(`The events were ${JSON.stringify(events.map(({ type, data }) => [type, data.status]))}`, {
          cause,
        });
      }),
    failed: () =>
      waitUntil('the client to give up', async () =>
        source.readyState === source.CLOSED ? { status } : undefined,
      ).then((last) => last.status),
    connections: () => connections,
    close: () => source.close(),
  };
}
