import { tally } from '@telecine/contract/domain/tally.ts';
import { decideDelivery, type SendResult } from './decide-delivery.ts';
import { signedHeaders } from './delivery-headers.ts';
import type { DisabledReason, WebhookEndpoints } from './ports/endpoints.ts';
import type { ClaimedDelivery, DeliveryOutcome, WebhookOutbox } from './ports/outbox.ts';

/**
 * Sends one request to a receiver. Follows no redirects, and reads only the start of the reply. Throws only the reason
 * of an abort.
 */
export type SendDelivery = (request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<SendResult>;

interface DispatchLimits {
  readonly inAll: number;
  readonly perClient: number;
  readonly perReceiver: number;
}

/**
 * How many deliveries are sent at the same time. A slow receiver, or all receivers of one client, can only use some of
 * these slots.
 */
const DISPATCH_LIMITS: DispatchLimits = { inAll: 96, perClient: 32, perReceiver: 4 };

/** How long an endpoint may fail before it is disabled, in seconds. */
const DISABLE_AFTER_SECONDS = 5 * 24 * 3600;

/** The duration of a lease, longer than any attempt. After it, another process may attempt the delivery again. */
const LEASE_SECONDS = 60;

const PAGE = 64;

/** How often the outbox is read without a call of `wake`, for retries and for events of other processes. */
const POLL_MS = 1000;

export interface DispatchReport {
  readonly delivery: ClaimedDelivery;
  readonly outcome: DeliveryOutcome;
  readonly disabled: DisabledReason | undefined;
}

export interface DispatcherDeps {
  readonly outbox: Pick<WebhookOutbox, 'receiversAfter' | 'claim' | 'storeOutcome'>;
  readonly endpoints: Pick<WebhookEndpoints, 'secrets'>;
  readonly send: SendDelivery;
  readonly now: () => Date;
  readonly random: () => number;
  readonly limits?: DispatchLimits;
  readonly pollMs?: number;
  readonly onAttempt: (report: DispatchReport) => void;
  readonly onError: (error: unknown) => void;
}

export type Dispatcher = ReturnType<typeof startDispatcher>;

export function startDispatcher(deps: DispatcherDeps) {
  const { limits = DISPATCH_LIMITS, pollMs = POLL_MS } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const byReceiver = tally();
  const byClient = tally();
  /** The next search begins after this receiver, so that all receivers get their turn, however many there are. */
  let position = '';
  let searching: Promise<void> | undefined;
  let searchAgain = false;

  const freeSlots = (receiver: string): number =>
    Math.min(
      limits.inAll - running.size,
      limits.perClient - byClient.of(clientOf(receiver)),
      limits.perReceiver - byReceiver.of(receiver),
    );

  const start = (receiver: string, delivery: ClaimedDelivery): void => {
    byReceiver.add(receiver);
    byClient.add(clientOf(receiver));
    const done = attemptDelivery(deps, delivery, stopping.signal)
      .catch(deps.onError)
      .finally(() => {
        byReceiver.remove(receiver);
        byClient.remove(clientOf(receiver));
        running.delete(done);
        wake();
      });
    running.add(done);
  };

  /** Visits each receiver once, and claims deliveries for free slots. */
  const search = async (): Promise<void> => {
    const begin = position;
    for (let wrapped = begin === ''; running.size < limits.inAll && !stopping.signal.aborted; ) {
      const page = await deps.outbox.receiversAfter(position, PAGE);
      for (const { name, isDue } of page) {
        if (wrapped && begin !== '' && name > begin) return;
        position = name;
        const free = freeSlots(name);
        if (!isDue || free <= 0) continue;
        if (stopping.signal.aborted) return;
        for (const delivery of await deps.outbox.claim(name, free, LEASE_SECONDS)) start(name, delivery);
        if (running.size >= limits.inAll) return;
      }
      if (page.length === PAGE) continue;
      position = '';
      if (wrapped) return;
      wrapped = true;
    }
  };

  const wake = (): void => {
    if (stopping.signal.aborted) return;
    searchAgain = true;
    searching ??= (async () => {
      while (searchAgain) {
        searchAgain = false;
        await search().catch(deps.onError);
      }
      searching = undefined;
    })();
  };

  const timer = setInterval(wake, pollMs);
  wake();
  return {
    /** Looks for due deliveries now. */
    wake,
    /** Stops claiming, aborts running requests, and returns their deliveries to the outbox. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await searching;
      await Promise.all(running);
    },
  };
}

/** Returns the client of a receiver, whose name begins with the client id and a slash. Client ids contain no slash. */
const clientOf = (receiver: string): string => receiver.slice(0, receiver.indexOf('/'));

async function attemptDelivery(deps: DispatcherDeps, delivery: ClaimedDelivery, stopping: AbortSignal): Promise<void> {
  const outcome = await tryToDeliver(deps, delivery, stopping);
  const disabled = await deps.outbox.storeOutcome(delivery, outcome, DISABLE_AFTER_SECONDS);
  deps.onAttempt({ delivery, outcome, disabled });
}

async function tryToDeliver(
  { endpoints, send, now, random }: DispatcherDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { message, url, webhookId } = delivery;
  const { messageId, clientId, payload } = message;
  if (url === undefined) return { state: 'FAILED', reason: 'The receiver is disabled or deleted.' };
  const at = now();
  const secrets = await endpoints.secrets({ clientId, webhookId }, at.toISOString());
  if (secrets.length === 0)
    return { state: 'FAILED', reason: 'The signing secret was deleted, so the request cannot be signed.' };
  const signature = signedHeaders(
    secrets.map(({ secret }) => secret),
    messageId,
    at,
    payload,
  );
  const startMs = performance.now();
  try {
    const result = await send({
      url,
      headers: { 'content-type': 'application/json', ...signature },
      body: payload,
      signal,
    });
    return decideDelivery(delivery, result, { at, seconds: (performance.now() - startMs) / 1000 }, random());
  } catch (error) {
    if (signal.aborted) return { state: 'PENDING' };
    throw error;
  }
}
